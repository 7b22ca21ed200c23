/**
 * Names that saved workflows contain, and the fields of spec §2 for each operation, typed by hand, so that a wrong
 * declaration is found: those that it has itself, and those that may be added. A model may fill in those with a star.
 */
const pushFields = 'title* message* url*';
const pushExtras =
	'notification_id* android_id ios_ifv tag image_url* hero_image_url* button_one_title* button_two_title* button_two_url* extraBodyFields';
const emailSender = 'senderFrom sender_name sender_email serviceproviderID';
const emailFields = `${emailSender} subject* campaign_name* content* emailType*`;
const emailExtras =
	'track_open track_click track_reply reply_to email_cc frequency_capping dnd extraBodyFields';
const smsFields = 'senderFrom sender_name campaign_name* sender_mobile message* serviceproviderID';
const smsExtras = 'frequency_capping dnd extraBodyFields';
const extra = 'extraBodyFields';
/** As in n8n's own nodes. */
const answer = 'responseType approvalOptions';

const when = 'sendAt* scheduledFor* nextTime* nextDays* hoursFrom* hoursTo* scheduleTimezone*';
const push = `${pushFields} ${when} time*`;
const email = `${emailFields} ${when}`;
const sms = `${smsFields} ${when}`;

const lists: Record<string, [fields: string, additional: string]> = {
	'user create': [
		'dataMode userID* name* email* mobile* customAttributes* userIdField emailField mobileField nameField ignoreFields',
		extra,
	],
	'event track': [
		'event_name* dataMode userID* attributes* userIdField ignoreFields event_time* scheduleTimezone*',
		`ltv* extraEventFields ${extra}`,
	],
	// Email and SMS can also be addressed to a campaign, so there a model does not choose by what.
	'push send': [
		`${push} platforms* recipientBy* user_id* subscription_id*`,
		`${pushExtras} consent`,
	],
	// A model must not choose who approves what it wants to do.
	'push sendAndWait': [
		`platforms recipientBy user_id subscription_id title* message* ${answer}`,
		extra,
	],
	'push broadcastAll': [`${push} platforms`, pushExtras],
	'push broadcastSegment': [`${push} platforms segment_id`, pushExtras],
	'email send': [
		`${email} recipientBy email* mobile* user_id* campaign_id`,
		`${emailExtras} segment_id consent`,
	],
	'email sendAndWait': [
		`recipientBy email mobile user_id ${emailSender} subject* campaign_name* message* ${answer}`,
		extra,
	],
	'email broadcast': [`${email} segment_id`, emailExtras],
	'email broadcastAll': [email, `${emailExtras} segment_id`],
	'email broadcastSegment': [`${email} segment_id`, emailExtras],
	'sms send': [
		`${sms} recipientBy mobile* user_id* campaign_id`,
		`${smsExtras} segment_id consent`,
	],
	'sms sendAndWait': [`recipientBy mobile user_id ${smsFields} ${answer}`, extra],
	'sms broadcast': [`${sms} segment_id`, smsExtras],
	'sms broadcastAll': [`${sms} segment_id`, smsExtras],
	'sms broadcastSegment': [`${sms} segment_id`, smsExtras],
	'customRequest post': ['host api path body', extra],
};

export const catalogue = new Map(
	Object.entries(lists).map(([name, [fields, additional]]) => [
		name,
		{ fields: fields.split(' '), additional: additional.split(' ') },
	]),
);

export const targets: Record<string, { host: string; api: string } | undefined> = {
	user: { host: 'baseUrl', api: 'user' },
	event: { host: 'baseUrl', api: 'event' },
	push: { host: 'pushUrl', api: 'push' },
	email: { host: 'mailUrl', api: 'email' },
	sms: { host: 'mailUrl', api: 'sms' },
};
