import type { INodeParameters } from 'n8n-workflow';

import * as order from './orders';

/** The present of these tests, and the integers of spec §2.3 and §2.4 for it in the default format. */
export const present = '2027-03-04T15:06:07.000Z';
const now = { schedule_date: 20270304, schedule_time: 1506 };

type Host = 'base' | 'push' | 'mail';
type Parameters = { resource: string; operation: string; platforms?: string[] } & INodeParameters;

const { notification } = order;
const toOne = { user_id: 'C-1', ...notification };
const toSegment = { segment_id: 42, ...notification };
const email = { ...order.emailCampaign, ...now };
const emailToOne = { email: 'ravi@example.com', ...email };
const emailToSegment = { segment_id: 42, ...email };
const sms = { ...order.smsCampaign, ...now };
const smsToOne = { mobile: '+919812345679', ...sms };
const smsToSegment = { segment_id: 42, ...sms };
const user = { userID: 'C-1', user_attributes: {} };
const event = { userID: 'C-1', event_name: 'Order Placed', event_time: '2027-03-04 15:06:07' };

const extra = { extraBodyFields: '{ "channel": "promo", "level": 3 }' };
export const extraBody = { channel: 'promo', level: 3 };

/** The optional fields of an operation, and what they add to the body. */
type Filling = readonly [add: INodeParameters, body: object];

const ofPush = (shown: object, own: object): Filling => [
	{ additionalFields: { ...order.appearance, ...order.devices, ...extra } },
	{ ...shown, ...own, ...extraBody },
];
const ofMail = (fields: INodeParameters): Filling => [
	{ additionalFields: { ...fields, ...extra } },
	{ ...fields, ...extraBody },
];
const onWeb = ofPush(order.appearance, {});
const onAndroid = ofPush(order.everywhere, { android_id: '9774d56d682e549c' });
const onIos = ofPush(order.everywhere, { ios_ifv: '6D92078A-8246-4BA4' });
const ofEmail = ofMail(order.emailExtras);
const ofEmailAndSegment = ofMail({ ...order.emailExtras, segment_id: 17 });
const ofSms = ofMail(order.smsExtras);
const ofSmsAndSegment = ofMail({ ...order.smsExtras, segment_id: 17 });

const assigned = (name: string, value: string | number, type: string) => {
	return { id: name, name, value, type };
};
const person = { name: 'Ravi Iyer', email: 'ravi@example.com', mobile: '+919812345679' };
const ofUser: Filling = [
	{
		...{ ...person, additionalFields: extra },
		customAttributes: { assignments: [assigned('tier', 'gold', 'string')] },
	},
	{ nv: [{ userID: 'C-1', user_attributes: { ...person, tier: 'gold' } }], ...extraBody },
];
const [total, currency] = [49.9, 'EUR'];
const assignments = [assigned('total', total, 'number'), assigned('currency', currency, 'string')];
const ofEvent: Filling = [
	{
		...{ attributes: { assignments }, event_time: '2027-03-01T12:00:00+01:00' },
		additionalFields: { ltv: total, extraEventFields: '{ "context": { "app": "web" } }', ...extra },
	},
	{
		nv: [
			{
				...{ ...event, attributes: { total, currency }, ltv: total },
				...{ context: { app: 'web' }, event_time: '2027-03-01 11:00:00' },
			},
		],
		...extraBody,
	},
];
const ofCustom: Filling = [{ additionalFields: extra }, extraBody];

type Request = [Parameters, Host, path: string, body: object, Filling];
const onEach = (parameters: Parameters, path: string, body: object) =>
	Object.entries({ web: onWeb, android: onAndroid, ios: onIos }).map(
		([platform, filling]): Request => {
			const onOne = { ...parameters, platforms: [platform] };
			return [onOne, 'push', `/api/v1/${platform}/${path}`, body, filling];
		},
	);

/** The requests with only what they require, and their optional fields. */
const table: Request[] = [
	[order.createUser, 'base', '/api/v1/user/create', { nv: [user] }, ofUser],
	[order.trackEvent, 'base', '/api/v1/event/create', { nv: [event] }, ofEvent],
	...onEach(order.pushSend, 'send', toOne),
	...onEach(order.pushToAll, 'broadcast/all', notification),
	...onEach(order.pushToSegment, 'broadcast/segment', toSegment),
	[order.emailSend, 'mail', '/api/v1/sendMessage', emailToOne, ofEmailAndSegment],
	[order.emailBroadcast, 'mail', '/api/v1/email/broadcast', emailToSegment, ofEmail],
	[order.emailToAll, 'mail', '/api/v1/email/broadcast/all', email, ofEmailAndSegment],
	[order.emailToSegment, 'mail', '/api/v1/email/broadcast/segment', emailToSegment, ofEmail],
	[order.smsSend, 'mail', '/api/v1/sendMessage', smsToOne, ofSmsAndSegment],
	[order.smsBroadcast, 'mail', '/api/v1/sms/broadcast/', smsToSegment, ofSms],
	[order.smsToAll, 'mail', '/api/v1/sms/broadcast/all', smsToSegment, ofSms],
	[order.smsToSegment, 'mail', '/api/v1/sms/broadcast/segment', smsToSegment, ofSms],
	[order.customPost, 'base', '/api/v1/event/track', { event: 'signed_up' }, ofCustom],
];

const endpointOf = (parameters: Parameters, host: Host, path: string, body: object) => {
	const { resource, operation, platforms } = parameters;
	const name = [resource, operation, ...(platforms ? ['on', ...platforms] : [])].join(' ');
	return { name, parameters, host, path, body };
};

/** Every operation with only its required fields. */
export const minimal = table.map(([parameters, host, path, body]) =>
	endpointOf(parameters, host, path, body),
);

/** Every operation with every optional field of spec §2.1–§2.4. */
export const full = table.map(([least, host, path, body, [add, more]]) =>
	endpointOf({ ...least, ...add }, host, path, { ...body, ...more }),
);
