import type { INodeParameters } from 'n8n-workflow';

import * as make from '../../support/mistakes';
import * as order from '../../support/orders';
import { type Group, inAdditional, inField, refusedAt } from '../support/places';

const { push, email, sms, user, event } = make;

// So that the guard of broadcasts cannot hide that a bad row was sent.
const many = (broadcast: INodeParameters) => ({ ...broadcast, maxBroadcasts: 50 });
const by = (parameters: INodeParameters, recipientBy: string, value: string) => {
	return { ...parameters, recipientBy, [recipientBy]: value };
};

const ofPush = 'title message url';
const ofAll = 'sender_name campaign_name serviceproviderID';
const ofSms = `${ofAll} sender_mobile message`;
const ofEmail = `${ofAll} sender_email subject content`;

/** What each operation requires. */
export const required: Group[] = (
	[
		[user(), 'userID'],
		[event(), 'event_name userID'],
		[push(), `user_id ${ofPush}`],
		[by(push(), 'subscription_id', 's-1'), 'subscription_id'],
		[many(order.pushToAll), ofPush],
		[many(order.pushToSegment), `${ofPush} segment_id`],
		[email(), `email ${ofEmail}`],
		[by(email(), 'user_id', 'C-1'), 'user_id'],
		[by(email(), 'mobile', '+919812345679'), 'mobile'],
		[by(email(), 'campaign_id', 'c-1'), 'campaign_id'],
		[many(order.emailBroadcast), `${ofEmail} segment_id`],
		[many(order.emailToAll), ofEmail],
		[many(order.emailToSegment), `${ofEmail} segment_id`],
		[sms(), `mobile ${ofSms}`],
		[by(sms(), 'user_id', 'C-1'), 'user_id'],
		[by(sms(), 'campaign_id', 'c-1'), 'campaign_id'],
		[many(order.smsBroadcast), `${ofSms} segment_id`],
		[many(order.smsToAll), `${ofSms} segment_id`],
		[many(order.smsToSegment), `${ofSms} segment_id`],
		[order.customPost, 'path body'],
	] as Array<[INodeParameters, string]>
).flatMap(([parameters, fields]) =>
	fields
		.split(' ')
		.map((field) => refusedAt(inField(parameters, field), { nothing: ['', ' ', undefined] })),
);

/** What no field of a kind takes: each kind has all its values in the unit tests. */
const noLink = ['example.com', 'javascript:alert(1)', ['https://a.example']];
const noAddress = ['ravi', 'Ravi <ravi@example.com>', 'ravi@example.com\nBcc: all@example.com'];
const noMobile = ['0151 2345678', '+49151', '+4915112345678, +4915112345679'];
const noInteger = [0, -7, 7.5, '9223372036854775808', 2 ** 53, 2 ** 64, 'seven', [7]];
const noFlag = [1, 'yes', [true], Object(true)];
const noText = [{ id: 'x' }, ['x'], true, 2 ** 53];
const noJson = ['channel: promo', '"promo"', 7, { id: 2 ** 53 }];
const noObject = [[{ channel: 'promo' }], '{ "__proto__": { "admin": true } }'];
const noImage = ['http://cdn.example.com/a.png', 'myapp://images/1', ...noLink];
const noList = ['a@example.com, ben', 'a@example.com; b@example.com', 'a@example.com,'];
const noTime = ['2020-03-04T15:05:00Z', '2030-03-05', '05.03.2030 09:30', 1_804_000_000];
const noRecipient = ['userID', '', ['user_id'], '__proto__', 'hasOwnProperty'];
const noPlatforms = [[], ['windows'], 'web,android', [['web']], '*', ['../email'], ['__proto__']];
const noEventFields = [...noObject, { userID: 'C-2' }, { event_time: 'now' }, { event_name: 'x' }];
const tooLong = (most: number) => ['👨‍👩‍👧‍👦'.repeat(most + 1), `${'x'.repeat(most)} `];

// If an expression chooses the kind of recipient or the time, n8n requires the fields of every kind.
const everyRecipient = {
	...{ email: 'a@example.com', mobile: '+919812345679', user_id: 'C-1' },
	...{ subscription_id: 's-1', campaign_id: 'c-1' },
};
const days = { nextTime: '09:30', nextDays: ['monday'] };
const everyTime = { time: 60, scheduledFor: '2030-03-05T09:30', ...days };
const at = { sendAt: 'at', scheduledFor: '2030-03-05T09:30', scheduleTimezone: 'Europe/Berlin' };
const next = { sendAt: 'next', ...days };
const onAndroid = push({ platforms: ['android'] });

const bad = (values: readonly unknown[]) => ({ 'what it does not take': values });

export const fields: Group[] = (
	[
		['title', onAndroid, tooLong(70)],
		['message', onAndroid, tooLong(130)],
		['platforms', push(), [...noPlatforms, ['web/broadcast/all'], () => ['web']]],
		['recipientBy', push(everyRecipient), noRecipient],
		['recipientBy', email(everyRecipient), noRecipient],
		['recipientBy', sms(everyRecipient), noRecipient],
		['time', push({ sendAt: 'delay' }), noInteger],
		['serviceproviderID', email(), noInteger],
		['mobile', sms(), noMobile],
		['sender_mobile', sms(), ['Acme Company', '42', 'Магазин', '<Acme>']],
		['campaign_id', by(sms(), 'campaign_id', ''), [0, 1.5, [5501], true, { $gt: '' }, 1n]],
		['segment_id', many(order.smsToSegment), noInteger],
		['scheduledFor', sms(at), noTime],
		['scheduleTimezone', email(at), ['Mars/Olympus', 'CEST', 5, '../../usr/share/zoneinfo/UTC']],
		['nextTime', sms(next), ['9', '24:30', 'noon', 930, ['09:30']]],
		['nextDays', sms(next), [[], ['someday'], ['monday', 8]]],
		['sendAt', push(everyTime), ['later', '', ['now']]],
		// Only push can have a delay. Campaigns have no field for it (spec §2.3, §2.4).
		['sendAt', sms(everyTime), ['later', 'delay']],
		['body', order.customPost, noJson],
		['name', user(), noText],
		['email', user(), noAddress],
		['mobile', user(), noMobile],
		['customAttributes', user(), ['tier', { tier: 'gold' }]],
		['attributes', event(), ['total', { total: 49.9 }]],
		['event_time', event(), ['yesterday', 1_793_525_400_000, true]],
	] as Array<[string, INodeParameters, unknown[]]>
).map(([field, parameters, values]) => refusedAt(inField(parameters, field), bad(values)));

export const additional: Group[] = (
	[
		['android_id', onAndroid, noText],
		['ios_ifv', push({ platforms: ['ios'] }), noText],
		['tag button_one_title button_two_title', push(), noText],
		['notification_id', push(), noInteger],
		['button_two_url', push(), noLink],
		['image_url hero_image_url', push(), noImage],
		['segment_id', email(), noInteger],
		['segment_id', sms(), noInteger],
		['reply_to', email(), noAddress],
		['email_cc', email(), [...noList, ...noAddress]],
		['track_open track_click track_reply frequency_capping dnd', email(), noFlag],
		['frequency_capping dnd', sms(), noFlag],
		['ltv', event(), ['much', '49,90', 2 ** 53, Infinity, true]],
		['extraEventFields', event(), noEventFields],
	] as Array<[string, INodeParameters, unknown[]]>
).flatMap(([names, parameters, values]) =>
	names.split(' ').map((name) => refusedAt(inAdditional(parameters, name), bad(values))),
);

/** Keys that each operation sets itself (spec §2). */
export const extraBodyFields: Group[] = (
	[
		['nv', user()],
		['nv', event()],
		[`user_id ${ofPush} tag`, push({ additionalFields: { tag: 'news' } })],
		['time', push({ sendAt: 'delay', time: 60 })],
		[`segment_id ${ofPush}`, many(order.pushToSegment)],
		[`email ${ofEmail} dnd`, email({ additionalFields: { dnd: true } })],
		[`mobile ${ofSms} schedule_date schedule_time`, sms()],
		['event', order.customPost],
	] as Array<[string, INodeParameters]>
).map(([keys, parameters]) =>
	refusedAt(inAdditional(parameters, 'extraBodyFields'), {
		...bad([...noJson, ...noObject]),
		'a key that the node sets': keys.split(' ').map((key) => ({ [key]: 1 })),
	}),
);
