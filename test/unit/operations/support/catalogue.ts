/**
 * Names that saved workflows contain, and the fields of spec §2 for each operation: those that are required,
 * and those that may be added. A model may fill in those followed by `ai`.
 */
interface Entry {
	fields: string[];
	additional: string[];
	target?: { host: string; api: string };
}

const pushFields = ['title ai', 'message ai', 'url ai'];
const pushExtras = [
	...['notification_id ai', 'android_id', 'ios_ifv', 'tag', 'image_url ai', 'hero_image_url ai'],
	...['button_one_title ai', 'button_two_title ai', 'button_two_url ai', 'extraBodyFields'],
];
const emailFields = [
	...['senderFrom', 'sender_name', 'sender_email', 'subject ai', 'campaign_name ai'],
	...['content ai', 'emailType ai', 'serviceproviderID'],
];
const emailExtras = [
	...['track_open', 'track_click', 'track_reply', 'reply_to', 'email_cc', 'frequency_capping'],
	...['dnd', 'extraBodyFields'],
];
const smsFields = [
	...['senderFrom', 'sender_name', 'campaign_name ai', 'sender_mobile', 'message ai'],
	'serviceproviderID',
];
const smsExtras = ['frequency_capping', 'dnd', 'extraBodyFields'];

const extra = 'extraBodyFields';
/** As in n8n's own nodes. */
const answer = ['responseType', 'approvalOptions'];

const when = [
	...['sendAt ai', 'scheduledFor ai', 'nextTime ai', 'nextDays ai', 'hoursFrom ai', 'hoursTo ai'],
	'scheduleTimezone ai',
];
const push = (...fields: string[]): Entry => ({
	fields: [...pushFields, ...when, 'time ai', ...fields],
	additional: pushExtras,
	target: { host: 'pushUrl', api: 'push' },
});
const email = (fields: string[], additional: string[] = []): Entry => ({
	fields: [...emailFields, ...when, ...fields],
	additional: [...emailExtras, ...additional],
	target: { host: 'mailUrl', api: 'email' },
});
const sms = (fields: string[], additional: string[] = []): Entry => ({
	fields: [...smsFields, ...when, ...fields],
	additional: [...smsExtras, ...additional],
	target: { host: 'mailUrl', api: 'sms' },
});

/** Typed by hand from spec §2, so that a wrong declaration is found. By resource and operation. */
export const catalogue: Record<string, Entry> = {
	'user create': {
		fields: [
			...['dataMode', 'userID ai', 'name ai', 'email ai', 'mobile ai', 'customAttributes ai'],
			...['userIdField', 'emailField', 'mobileField', 'nameField', 'ignoreFields'],
		],
		additional: [extra],
		target: { host: 'baseUrl', api: 'user' },
	},
	'event track': {
		fields: [
			...['event_name ai', 'dataMode', 'userID ai', 'attributes ai', 'userIdField'],
			...['ignoreFields', 'event_time ai', 'scheduleTimezone ai'],
		],
		additional: ['ltv ai', 'extraEventFields', 'extraBodyFields'],
		target: { host: 'baseUrl', api: 'event' },
	},
	// Email and SMS can also be addressed to a campaign, so there a model does not choose by what.
	'push send': {
		...push('platforms ai', 'recipientBy ai', 'user_id ai', 'subscription_id ai'),
		additional: [...pushExtras, 'consent'],
	},
	// A model must not choose who approves what it wants to do.
	'push sendAndWait': {
		fields: [
			...['platforms', 'recipientBy', 'user_id', 'subscription_id', 'title ai', 'message ai'],
			...answer,
		],
		additional: [extra],
		target: { host: 'pushUrl', api: 'push' },
	},
	'push broadcastAll': push('platforms'),
	'push broadcastSegment': push('platforms', 'segment_id'),
	'email send': email(
		['recipientBy', 'email ai', 'mobile ai', 'user_id ai', 'campaign_id'],
		['segment_id', 'consent'],
	),
	'email sendAndWait': {
		fields: [
			...['recipientBy', 'email', 'mobile', 'user_id'],
			...['senderFrom', 'sender_name', 'sender_email', 'serviceproviderID'],
			...['subject ai', 'campaign_name ai', 'message ai'],
			...answer,
		],
		additional: [extra],
		target: { host: 'mailUrl', api: 'email' },
	},
	'email broadcast': email(['segment_id']),
	'email broadcastAll': email([], ['segment_id']),
	'email broadcastSegment': email(['segment_id']),
	'sms send': sms(
		['recipientBy', 'mobile ai', 'user_id ai', 'campaign_id'],
		['segment_id', 'consent'],
	),
	'sms sendAndWait': {
		fields: ['recipientBy', 'mobile', 'user_id', ...smsFields, ...answer],
		additional: [extra],
		target: { host: 'mailUrl', api: 'sms' },
	},
	'sms broadcast': sms(['segment_id']),
	'sms broadcastAll': sms(['segment_id']),
	'sms broadcastSegment': sms(['segment_id']),
	'customRequest post': { fields: ['host', 'api', 'path', 'body'], additional: [extra] },
};
