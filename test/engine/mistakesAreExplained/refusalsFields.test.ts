import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { useNewStore } from '../support/memoryStore';
import { email, event, mapped, push, sms, user } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

freezeClock('2027-03-04T15:06:07.000Z');
const node = useNode();

/** A value that a row does not have at all. */
const absent = Symbol('absent');

const itemOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;

/** The field that problems name, the parameters, a value that is sent, and others that are refused. */
type Kind = [field: string, INodeParameters, good: unknown, bad: readonly unknown[]];

/** Expects that each bad value is refused with its reason, while a good row beside them is sent. */
async function expectRefused([field, parameters, good, bad]: Kind, column = 'value') {
	node.sandbox.reset();
	useNewStore();
	const rows = [good, ...bad].map((value, index): IDataObject => {
		const row = { line: index + 1 };
		return value === absent ? row : { ...row, [column]: value as string };
	});
	const each = { rows, onError: 'continueErrorOutput' } as const;
	const { output, failed } = await node.run(parameters, each);
	expect([output.map(itemOf), node.sandbox.record.length]).toEqual([[0], 1]);
	expect(failed.map(itemOf)).toEqual(bad.map((_, index) => index + 1));
	for (const item of failed) {
		expect(item.json).toMatchObject({ ...rows[itemOf(item)], details: { outcome: 'invalid' } });
		const { problems } = item.json.details as { problems: Array<Record<string, string>> };
		expect(new Set(problems.map((problem) => problem.field))).toEqual(new Set([field]));
		expect(item.json.error).toBe(problems.map(({ message }) => message).join('; '));
		// Zod's own messages name no field.
		expect(item.json.error).not.toMatch(/invalid input|^invalid|^required|^expected/i);
	}
}

const value = '={{ $json.value }}';
const adding = (parameters: INodeParameters, field: string) => ({
	...parameters,
	additionalFields: { ...(parameters.additionalFields as INodeParameters), [field]: value },
});

// So that the guard of broadcasts cannot hide that a bad row was sent.
const many = (broadcast: INodeParameters) => ({ ...broadcast, maxBroadcasts: 50 });

const ofPush = ['title', 'message', 'url'];
const ofAll = ['sender_name', 'campaign_name', 'serviceproviderID'];
const ofSms = [...ofAll, 'sender_mobile', 'message'];
const ofEmail = [...ofAll, 'sender_email', 'subject', 'content'];
const by = (parameters: INodeParameters, recipientBy: string, value: string) => {
	return { ...parameters, recipientBy, [recipientBy]: value };
};

const required: Array<[string, INodeParameters, string[]]> = [
	['user create', user(), ['userID']],
	['event track', event(), ['event_name', 'userID']],
	['push send', push(), ['user_id', ...ofPush]],
	['push send', by(push(), 'subscription_id', 's-1'), ['subscription_id']],
	['push broadcastAll', many(order.pushToAll), ofPush],
	['push broadcastSegment', many(order.pushToSegment), [...ofPush, 'segment_id']],
	['email send', email(), ['email', ...ofEmail]],
	['email send', by(email(), 'user_id', 'C-1'), ['user_id']],
	['email send', by(email(), 'mobile', '+919812345679'), ['mobile']],
	['email send', by(email(), 'campaign_id', 'c-1'), ['campaign_id']],
	['email broadcast', many(order.emailBroadcast), [...ofEmail, 'segment_id']],
	['email broadcastAll', many(order.emailToAll), ofEmail],
	['email broadcastSegment', many(order.emailToSegment), [...ofEmail, 'segment_id']],
	['sms send', sms(), ['mobile', ...ofSms]],
	['sms send', by(sms(), 'user_id', 'C-1'), ['user_id']],
	['sms send', by(sms(), 'campaign_id', 'c-1'), ['campaign_id']],
	['sms broadcast', many(order.smsBroadcast), [...ofSms, 'segment_id']],
	['sms broadcastAll', many(order.smsToAll), [...ofSms, 'segment_id']],
	['sms broadcastSegment', many(order.smsToSegment), [...ofSms, 'segment_id']],
	['customRequest post', order.customPost, ['path', 'body']],
];

it.each(required)('Without what it requires, %s is refused: %j', async (_, parameters, fields) => {
	for (const field of fields) {
		const good = parameters[field];
		await expectRefused([field, { ...parameters, [field]: value }, good, ['', ' ', absent]]);
	}
});

/** What no field of a kind takes: each kind has all its values in the unit tests. */
const noLink = ['example.com', 'javascript:alert(1)', ['https://a.example']];
const noAddress = ['ravi', 'Ravi <ravi@example.com>', 'ravi@example.com\nBcc: all@example.com'];
const noMobile = ['0151 2345678', '+49151', '+4915112345678, +4915112345679'];
const noInteger = [0, -7, 7.5, '9223372036854775808', 2 ** 53, 'seven', [7]];
const noFlag = [1, 'yes', [true]];
const noText = [{ id: 'x' }, ['x'], true, 2 ** 53];
const noJson = ['channel: promo', '"promo"', 7, { id: 2 ** 53 }];
const noObject = [[{ channel: 'promo' }], '{ "__proto__": { "admin": true } }'];
const noImage = ['http://cdn.example.com/a.png', 'myapp://images/1', ...noLink];
const noList = ['a@example.com, ben', 'a@example.com; b@example.com', 'a@example.com,'];
const noTime = ['2027-03-04T15:05:00Z', '2027-03-05', '05.03.2027 09:30', 1_804_000_000];
const noEventTime = ['yesterday', 1_793_525_400_000, '9999-06-01T00:00:00Z', true];
const noZone = ['Mars/Olympus', 'CEST', 5, '../../usr/share/zoneinfo/UTC'];
const noSender = ['Acme Company', '42', 'Магазин', '<Acme>'];
const noRecipient = ['userID', '', ['user_id'], '__proto__'];
const noEventFields = [...noObject, { userID: 'C-2' }, { event_time: 'now' }, { event_name: 'x' }];
const tooLong = (most: number) => ['👨‍👩‍👧‍👦'.repeat(most + 1), `${'x'.repeat(most)} `];

// If an expression chooses the kind of recipient, n8n requires the fields of every kind.
const everyRecipient = {
	...{ email: 'a@example.com', mobile: '+919812345679', user_id: 'C-1' },
	...{ subscription_id: 's-1', campaign_id: 'c-1' },
};
const monday = ['monday'];
const date = '2027-03-05T09:30';
const everyTime = { time: 60, scheduledFor: date, nextTime: '09:30', nextDays: monday };
const at = { sendAt: 'at', scheduleTimezone: 'Europe/Berlin' };
const next = { sendAt: 'next', nextTime: '09:30', nextDays: monday };
const chars = (count: number) => 'x'.repeat(count);
const android = push({ platforms: ['android'] });
const ios = push({ platforms: ['ios'] });
const address = 'ravi.iyer+shop@example.co.in';
const link = 'https://example.com/p?a=1#b';
const image = 'https://cdn.example.com/a.png';
const mobile = '+919812345679';
const none = { assignments: [] };

const fields: Kind[] = [
	['title', android, chars(70), tooLong(70)],
	['message', android, chars(130), tooLong(130)],
	['title', ios, chars(70), tooLong(70)],
	['url', push(), link, noLink],
	['platforms', push(), ['web'], [[], ['windows'], 'web,android', [['web']]]],
	['recipientBy', push(everyRecipient), 'user_id', noRecipient],
	['recipientBy', email(everyRecipient), 'user_id', noRecipient],
	['recipientBy', sms(everyRecipient), 'user_id', noRecipient],
	['time', push({ sendAt: 'delay' }), 60, noInteger],
	['email', email(), address, noAddress],
	['sender_email', email(), address, noAddress],
	['serviceproviderID', email(), 42, noInteger],
	['mobile', sms(), mobile, noMobile],
	['sender_mobile', sms(), 'ACME', noSender],
	['campaign_id', by(sms(), 'campaign_id', ''), 5501, [0, 1.5, [5501], true]],
	['segment_id', many(order.smsToSegment), 42, noInteger],
	['scheduledFor', sms(at), date, noTime],
	['scheduleTimezone', email({ ...everyTime, sendAt: 'at' }), 'Asia/Kolkata', noZone],
	['nextTime', sms(next), '09:30', ['9', '24:30', 'noon', 930, ['09:30']]],
	['nextDays', sms(next), monday, [[], ['someday'], ['monday', 8]]],
	['sendAt', push(everyTime), 'now', ['later', '', ['now']]],
	// Only push can have a delay. Campaigns have no field for it (spec §2.3, §2.4).
	['sendAt', sms(everyTime), 'now', ['later', 'delay']],
	['body', order.customPost, '{ "event": "seen" }', noJson],
	['name', user(), 'Ravi Iyer', noText],
	['email', user(), address, noAddress],
	['mobile', user(), mobile, noMobile],
	['customAttributes', user(), none, ['tier', { tier: 'gold' }]],
	['attributes', event(), none, ['total', { total: 49.9 }]],
	['event_time', event(), '2026-11-01T09:30Z', noEventTime],
];

const each = (names: string[], ...rest: [INodeParameters, unknown, unknown[]]) =>
	names.map((field): Kind => [field, ...rest]);

const additional: Kind[] = [
	['android_id', push({ platforms: ['android'] }), 'x', noText],
	['ios_ifv', push({ platforms: ['ios'] }), 'x', noText],
	['tag', push(), 'x', noText],
	...each(['button_one_title', 'button_two_title'], push(), 'x', noText),
	['notification_id', push(), 42, noInteger],
	['button_two_url', push(), 'https://example.com', noLink],
	['image_url', push(), image, noImage],
	['hero_image_url', push(), image, noImage],
	['segment_id', email(), 42, noInteger],
	['segment_id', sms(), 42, noInteger],
	['reply_to', email(), address, noAddress],
	['email_cc', email(), 'a@example.com, b@example.com', [...noList, ...noAddress]],
	...each(['track_open', 'track_click', 'track_reply'], email(), true, noFlag),
	...each(['frequency_capping', 'dnd'], email(), true, noFlag),
	...each(['frequency_capping', 'dnd'], sms(), true, noFlag),
	['ltv', event(), 49.9, ['much', '49,90', 2 ** 53, Infinity, true]],
	['extraEventFields', event(), { context: {} }, noEventFields],
];

it.each([
	...fields.map(([field, parameters, ...rest]): Kind => {
		return [field, { ...parameters, [field]: value }, ...rest];
	}),
	...additional.map(([field, parameters, ...rest]): Kind => {
		return [field, adding(parameters, field), ...rest];
	}),
])('An unusable %s of %j is refused', async (...kind) => await expectRefused(kind));

/** Keys that each operation sets itself (spec §2). They are refused in Extra Body Fields. */
it.each<[string, INodeParameters, string[]]>([
	['user create', user(), ['nv']],
	['event track', event(), ['nv']],
	['push send', push({ additionalFields: { tag: 'news' } }), ['user_id', ...ofPush, 'tag']],
	['push send with a delay', push({ sendAt: 'delay', time: 60 }), ['time']],
	['push broadcastSegment', many(order.pushToSegment), ['segment_id', ...ofPush]],
	['email send', email({ additionalFields: { dnd: true } }), ['email', ...ofEmail, 'dnd']],
	['sms send', sms(), ['mobile', ...ofSms, 'schedule_date', 'schedule_time']],
	['customRequest post', order.customPost, ['event']],
])('Unusable extra fields of %s are refused', async (_, parameters, keys) => {
	const field = 'extraBodyFields';
	const bad = [...noJson, ...noObject, ...keys.map((key) => ({ [key]: 1 }))];
	await expectRefused([field, adding(parameters, field), '{ "channel": "promo" }', bad]);
});

it.each([
	['customAttributes', user()],
	['attributes', event()],
])('An unusable one of the %s is refused', async (field, parameters) => {
	const from = (key: string) => `={{ $json.attribute.${key} }}`;
	const attribute = (name: string, is: unknown = 'x', type = 'any') => ({ name, type, value: is });
	const assignments = [
		{ id: '1', name: from('name'), value: from('value'), type: from('type') },
		{ id: '2', name: 'tier', value: 'gold', type: 'string' },
	];
	const bad = [
		...[attribute(''), attribute(' tier '), attribute('points', { a: [2 ** 60] })],
		...[attribute('points', 'many', 'number'), attribute('points', { a: 1 }, 'array')],
	];
	const filled = { ...parameters, [field]: { assignments } };
	await expectRefused([field, filled, attribute('city'), bad], 'attribute');
});

const noNumber = [2 ** 53, Infinity];
const noId = [...noText, '', null];

it.each<[string, column: string, 'user' | 'event', good: unknown, bad: readonly unknown[]]>([
	['points', 'points', 'event', 42, noNumber],
	['email', 'email', 'user', 'ravi@example.com', ['ravi', ['ravi@example.com']]],
	['mobile', 'mobile', 'user', mobile, ['9812345679', [mobile]]],
	['name', 'name', 'user', 'Ravi Iyer', [['Ravi'], { first: 'Ravi' }]],
	['userID', 'customerId', 'user', 'C-1', noId],
	['userID', 'customerId', 'event', 'C-1', noId],
])('An unusable %s in the mapped column %s of a %s is refused', async (...one) => {
	const [field, column, resource, good, bad] = one;
	const userIdField = field === 'userID' ? column : 'line';
	await expectRefused([field, mapped(resource, { userIdField }), good, bad], column);
});
