import type { INodeParameters } from 'n8n-workflow';

import * as order from './orders';

/** One request of spec §4, with the parameters that lead to it. */
export interface Endpoint {
	name: string;
	parameters: INodeParameters;
	host: 'base' | 'push' | 'mail';
	path: string;
	body: object;
}

/** The present of these tests, and the integers of spec §2.3 and §2.4 for it in the default format. */
export const present = '2027-03-04T15:06:07.000Z';
const now = { schedule_date: 20270304, schedule_time: 1506 };

const on = (platform: string, parameters: INodeParameters): INodeParameters => ({
	...parameters,
	platforms: [platform],
});

const { notification, emailCampaign, smsCampaign } = order;
const toOne = { user_id: 'C-1', ...notification };
const toSegment = { segment_id: 42, ...notification };
const email = { ...emailCampaign, ...now };
const sms = { ...smsCampaign, ...now };

/** Every operation with only its required fields. */
export const minimal: Endpoint[] = [
	{
		name: 'user create',
		parameters: order.createUser,
		host: 'base',
		path: '/api/v1/user/create',
		body: { nv: [{ userID: 'C-1', user_attributes: {} }] },
	},
	{
		name: 'event track',
		parameters: order.trackEvent,
		host: 'base',
		path: '/api/v1/event/create',
		body: {
			nv: [{ userID: 'C-1', event_name: 'Order Placed', event_time: '2027-03-04 15:06:07' }],
		},
	},
	{
		name: 'push send on web',
		parameters: on('web', order.pushSend),
		host: 'push',
		path: '/api/v1/web/send',
		body: toOne,
	},
	{
		name: 'push send on Android',
		parameters: on('android', order.pushSend),
		host: 'push',
		path: '/api/v1/android/send',
		body: toOne,
	},
	{
		name: 'push send on iOS',
		parameters: on('ios', order.pushSend),
		host: 'push',
		path: '/api/v1/ios/send',
		body: toOne,
	},
	{
		name: 'push broadcastAll on web',
		parameters: on('web', order.pushToAll),
		host: 'push',
		path: '/api/v1/web/broadcast/all',
		body: notification,
	},
	{
		name: 'push broadcastAll on Android',
		parameters: on('android', order.pushToAll),
		host: 'push',
		path: '/api/v1/android/broadcast/all',
		body: notification,
	},
	{
		name: 'push broadcastAll on iOS',
		parameters: on('ios', order.pushToAll),
		host: 'push',
		path: '/api/v1/ios/broadcast/all',
		body: notification,
	},
	{
		name: 'push broadcastSegment on web',
		parameters: on('web', order.pushToSegment),
		host: 'push',
		path: '/api/v1/web/broadcast/segment',
		body: toSegment,
	},
	{
		name: 'push broadcastSegment on Android',
		parameters: on('android', order.pushToSegment),
		host: 'push',
		path: '/api/v1/android/broadcast/segment',
		body: toSegment,
	},
	{
		name: 'push broadcastSegment on iOS',
		parameters: on('ios', order.pushToSegment),
		host: 'push',
		path: '/api/v1/ios/broadcast/segment',
		body: toSegment,
	},
	{
		name: 'email send',
		parameters: order.emailSend,
		host: 'mail',
		path: '/api/v1/sendMessage',
		body: { email: 'ravi@example.com', ...email },
	},
	{
		name: 'email broadcast',
		parameters: order.emailBroadcast,
		host: 'mail',
		path: '/api/v1/email/broadcast',
		body: { segment_id: 42, ...email },
	},
	{
		name: 'email broadcastAll',
		parameters: order.emailToAll,
		host: 'mail',
		path: '/api/v1/email/broadcast/all',
		body: email,
	},
	{
		name: 'email broadcastSegment',
		parameters: order.emailToSegment,
		host: 'mail',
		path: '/api/v1/email/broadcast/segment',
		body: { segment_id: 42, ...email },
	},
	{
		name: 'sms send',
		parameters: order.smsSend,
		host: 'mail',
		path: '/api/v1/sendMessage',
		body: { mobile: '+919812345679', ...sms },
	},
	{
		name: 'sms broadcast',
		parameters: order.smsBroadcast,
		host: 'mail',
		path: '/api/v1/sms/broadcast/',
		body: { segment_id: 42, ...sms },
	},
	{
		name: 'sms broadcastAll',
		parameters: order.smsToAll,
		host: 'mail',
		path: '/api/v1/sms/broadcast/all',
		body: { segment_id: 42, ...sms },
	},
	{
		name: 'sms broadcastSegment',
		parameters: order.smsToSegment,
		host: 'mail',
		path: '/api/v1/sms/broadcast/segment',
		body: { segment_id: 42, ...sms },
	},
	{
		name: 'customRequest post',
		parameters: order.customPost,
		host: 'base',
		path: '/api/v1/event/track',
		body: { event: 'signed_up' },
	},
];

/** The optional fields of an operation, and what they add to the body. */
interface Filling {
	add: INodeParameters;
	body: object;
}

const extra = { extraBodyFields: '{ "channel": "promo", "level": 3 }' };
const extraBody = { channel: 'promo', level: 3 };

const push = (own: object): Filling => ({
	add: { additionalFields: { ...order.appearance, ...order.devices, ...extra } },
	body: { ...order.appearance, ...own, ...extraBody },
});
const mail = (fields: INodeParameters): Filling => ({
	add: { additionalFields: { ...fields, ...extra } },
	body: { ...fields, ...extraBody },
});

const web = push({});
const android = push({ android_id: '9774d56d682e549c' });
const ios = push({ ios_ifv: '6D92078A-8246-4BA4' });
const fullEmail = mail(order.emailExtras);
const emailAndSegment = mail({ ...order.emailExtras, segment_id: 17 });
const fullSms = mail(order.smsExtras);
const smsAndSegment = mail({ ...order.smsExtras, segment_id: 17 });

const fillings: Record<string, Filling> = {
	'user create': {
		add: {
			name: 'Ravi Iyer',
			email: 'ravi@example.com',
			mobile: '+919812345679',
			customAttributes: {
				assignments: [{ id: '1', name: 'tier', value: 'gold', type: 'string' }],
			},
			additionalFields: extra,
		},
		body: {
			nv: [
				{
					userID: 'C-1',
					user_attributes: {
						name: 'Ravi Iyer',
						email: 'ravi@example.com',
						mobile: '+919812345679',
						tier: 'gold',
					},
				},
			],
			...extraBody,
		},
	},
	'event track': {
		add: {
			attributes: {
				assignments: [
					{ id: '1', name: 'total', value: 49.9, type: 'number' },
					{ id: '2', name: 'currency', value: 'EUR', type: 'string' },
				],
			},
			event_time: '2027-03-01T12:00:00+01:00',
			additionalFields: {
				ltv: 49.9,
				extraEventFields: '{ "context": { "app": "web" } }',
				...extra,
			},
		},
		body: {
			nv: [
				{
					userID: 'C-1',
					event_name: 'Order Placed',
					ltv: 49.9,
					attributes: { total: 49.9, currency: 'EUR' },
					context: { app: 'web' },
					event_time: '2027-03-01 11:00:00',
				},
			],
			...extraBody,
		},
	},
	'push send on web': web,
	'push send on Android': android,
	'push send on iOS': ios,
	'push broadcastAll on web': web,
	'push broadcastAll on Android': android,
	'push broadcastAll on iOS': ios,
	'push broadcastSegment on web': web,
	'push broadcastSegment on Android': android,
	'push broadcastSegment on iOS': ios,
	'email send': emailAndSegment,
	'email broadcast': fullEmail,
	'email broadcastAll': emailAndSegment,
	'email broadcastSegment': fullEmail,
	'sms send': smsAndSegment,
	'sms broadcast': fullSms,
	'sms broadcastAll': fullSms,
	'sms broadcastSegment': fullSms,
	'customRequest post': { add: { additionalFields: extra }, body: extraBody },
};

/** Every operation with every optional field of spec §2.1–§2.4. */
export const full: Endpoint[] = minimal.map((endpoint) => {
	const filling = fillings[endpoint.name];
	if (!filling) throw new Error(`No optional fields for ${endpoint.name}`);
	const { add, body } = filling;
	return {
		...endpoint,
		parameters: { ...endpoint.parameters, ...add },
		body: { ...endpoint.body, ...body },
	};
});
