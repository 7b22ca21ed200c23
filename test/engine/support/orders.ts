/**
 * The parameters of each operation with only its required fields, and for each kind of message the optional
 * fields of spec §2. The names of parameters are the API's own keys.
 */
export const notification = {
	title: 'Your order is on its way',
	message: 'It arrives tomorrow between 9 and 12',
	url: 'https://shop.example.com/orders/1?from=push',
};

/** Spec §2.2, without what belongs to one platform and without the schedule. */
export const everywhere = {
	notification_id: 1001,
	tag: 'newsletter',
	image_url: 'https://cdn.example.com/image.png',
};

/** The form offers these only where web is among the platforms. */
export const appearance = {
	...everywhere,
	hero_image_url: 'https://cdn.example.com/hero.png',
	button_one_title: 'Track order',
	button_two_title: 'Contact us',
	button_two_url: 'https://shop.example.com/contact',
};

export const devices = { android_id: '9774d56d682e549c', ios_ifv: '6D92078A-8246-4BA4' };

/** Spec §2.3, without segment and schedule. */
export const emailCampaign = {
	sender_name: 'Acme Shop',
	sender_email: 'news@shop.example.com',
	subject: 'Our spring sale – 20 % off',
	campaign_name: 'Spring sale',
	content: '<h1>Grüße</h1><p>"20 % off"</p>',
	serviceproviderID: 7,
};

export const emailExtras = {
	track_open: true,
	track_click: false,
	track_reply: true,
	reply_to: 'answers@shop.example.com',
	email_cc: 'anna@example.com,ben@example.com',
	frequency_capping: true,
	dnd: false,
};

/** Spec §2.4, without segment and schedule. */
export const smsCampaign = {
	sender_name: 'ACME',
	campaign_name: 'Appointments',
	sender_mobile: '+919800000001',
	message: 'Your appointment is tomorrow at 10:00',
	serviceproviderID: 8,
};

export const smsExtras = { frequency_capping: false, dnd: true };

export const createUser = { resource: 'user', operation: 'create', userID: 'C-1' };

export const trackEvent = {
	resource: 'event',
	operation: 'track',
	event_name: 'Order Placed',
	userID: 'C-1',
};

const push = { resource: 'push', platforms: ['web'], ...notification };
export const pushSend = { ...push, operation: 'send', recipientBy: 'user_id', user_id: 'C-1' };
export const pushToAll = { ...push, operation: 'broadcastAll' };
export const pushToSegment = { ...push, operation: 'broadcastSegment', segment_id: 42 };

const email = { resource: 'email', senderFrom: 'define', ...emailCampaign };
export const emailSend = {
	...email,
	operation: 'send',
	recipientBy: 'email',
	email: 'ravi@example.com',
};
export const emailToAll = { ...email, operation: 'broadcastAll' };
export const emailBroadcast = { ...email, operation: 'broadcast', segment_id: 42 };
export const emailToSegment = { ...email, operation: 'broadcastSegment', segment_id: 42 };

const sms = { resource: 'sms', senderFrom: 'define', ...smsCampaign };
export const smsSend = {
	...sms,
	operation: 'send',
	recipientBy: 'mobile',
	mobile: '+919812345679',
};
export const smsBroadcast = { ...sms, operation: 'broadcast', segment_id: 42 };
export const smsToAll = { ...sms, operation: 'broadcastAll', segment_id: 42 };
export const smsToSegment = { ...sms, operation: 'broadcastSegment', segment_id: 42 };

export const customPost = {
	resource: 'customRequest',
	operation: 'post',
	host: 'baseUrl',
	api: 'event',
	path: '/api/v1/event/track',
	body: '{ "event": "signed_up" }',
};
