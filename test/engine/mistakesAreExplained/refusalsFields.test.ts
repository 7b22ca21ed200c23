import type { INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { absent, itRefuses, type Refused } from '../support/refusing';
import { freezeClock, run, useSandbox } from '../support/service';

freezeClock('2027-03-04T15:06:07.000Z');
const sandbox = useSandbox();

// So that the guard of broadcasts cannot hide that a bad row was sent.
const many = { maxBroadcasts: 50 };
const push = ['title', 'message', 'url'];
const email = [
	...['sender_name', 'sender_email', 'subject', 'campaign_name', 'content'],
	'serviceproviderID',
];
const sms = ['sender_name', 'campaign_name', 'sender_mobile', 'message', 'serviceproviderID'];
const by = (parameters: INodeParameters, recipientBy: string, value: string): INodeParameters => ({
	...parameters,
	recipientBy,
	[recipientBy]: value,
});

const required: Array<[string, INodeParameters, string[]]> = [
	['user create', order.createUser, ['userID']],
	['event track', order.trackEvent, ['event_name', 'userID']],
	['push send', order.pushSend, ['user_id', ...push]],
	['push send', by(order.pushSend, 'subscription_id', 's-1'), ['subscription_id']],
	['push broadcastAll', { ...order.pushToAll, ...many }, push],
	['push broadcastSegment', { ...order.pushToSegment, ...many }, [...push, 'segment_id']],
	['email send', order.emailSend, ['email', ...email]],
	['email send', by(order.emailSend, 'user_id', 'C-1'), ['user_id']],
	['email send', by(order.emailSend, 'mobile', '+919812345679'), ['mobile']],
	['email send', by(order.emailSend, 'campaign_id', 'c-1'), ['campaign_id']],
	['email broadcast', { ...order.emailBroadcast, ...many }, [...email, 'segment_id']],
	['email broadcastAll', { ...order.emailToAll, ...many }, email],
	['email broadcastSegment', { ...order.emailToSegment, ...many }, [...email, 'segment_id']],
	['sms send', order.smsSend, ['mobile', ...sms]],
	['sms send', by(order.smsSend, 'user_id', 'C-1'), ['user_id']],
	['sms send', by(order.smsSend, 'campaign_id', 'c-1'), ['campaign_id']],
	['sms broadcast', { ...order.smsBroadcast, ...many }, [...sms, 'segment_id']],
	['sms broadcastAll', { ...order.smsToAll, ...many }, [...sms, 'segment_id']],
	['sms broadcastSegment', { ...order.smsToSegment, ...many }, [...sms, 'segment_id']],
	['customRequest post', order.customPost, ['path', 'body']],
];

describe.each(
	required.flatMap(([name, parameters, fields]) =>
		fields.map((field) => [name, field, parameters] as const),
	),
)('%s without %s', (_, field, parameters) => {
	const bad: Refused['bad'] = [
		['empty', ''],
		['a space', ' '],
		['absent', absent],
	];
	itRefuses(sandbox, { field, parameters, good: parameters[field], bad });
});

/** What no field of a kind takes: each kind has all its values in the unit tests. */
const noLink = [
	'example.com',
	'javascript:alert(1)',
	'https://example.com/a b',
	['https://a.example'],
];
const noAddress = ['ravi', 'Ravi <ravi@example.com>', 'ravi@example.com\nBcc: all@example.com'];
const noMobile = ['0151 2345678', '+49151', '+4915112345678, +4915112345679'];
const noInteger = [0, -7, 7.5, '9223372036854775808', 2 ** 53, 'seven', [7]];
const noFlag = [1, 'yes', [true]];
const noText = [{ id: 'x' }, ['x'], true, 2 ** 53];
const noJson = ['channel: promo', '"promo"', 7, { id: 2 ** 53 }];
const noObject = [[{ channel: 'promo' }], '{ "__proto__": { "admin": true } }'];
const tooLong = (most: number) => ['👨‍👩‍👧‍👦'.repeat(most + 1), `${'x'.repeat(most)} `];

type Kind = [what: string, field: string, INodeParameters, good: unknown, bad: unknown[]];
const on = (platform: string) => ({ ...order.pushSend, platforms: [platform] });
// If an expression chooses the kind of recipient, n8n requires the fields of every kind.
const everyRecipient = {
	...{ email: 'a@example.com', mobile: '+919812345679', campaign_id: 'c-1' },
	...{ subscription_id: 's-1', user_id: 'C-1' },
};
const everyTime = {
	time: 60,
	scheduledFor: '2027-03-05T09:30',
	nextTime: '09:30',
	nextDays: ['monday'],
};
const at = { sendAt: 'at', scheduleTimezone: 'Europe/Berlin' };
const noTime = [
	...['2027-03-04T15:05:00Z', '2027-03-05', '2027-03-28T02:30', '05.03.2027 09:30'],
	...[1_804_000_000, '2027-03-05T09:30[Europe/Berlin]'],
];

const kind = (...all: Kind) => all;

const fields: Kind[] = [
	kind('a push on Android', 'title', on('android'), 'x'.repeat(70), tooLong(70)),
	kind('a push on Android', 'message', on('android'), 'x'.repeat(130), tooLong(130)),
	kind('a push on iOS', 'title', on('ios'), 'x'.repeat(70), tooLong(70)),
	kind('a push on iOS', 'message', on('ios'), 'x'.repeat(130), tooLong(130)),
	kind('a push', 'url', order.pushSend, 'https://example.com/p?a=1#b', noLink),
	kind('a push', 'platforms', order.pushSend, ['web'], [[], ['windows'], 'web,android', [['web']]]),
	...(['pushSend', 'emailSend', 'smsSend'] as const).map((name) => {
		const parameters = { ...everyRecipient, ...order[name], user_id: 'C-1' };
		return kind(name, 'recipientBy', parameters, 'user_id', [
			'userID',
			'',
			['user_id'],
			'__proto__',
		]);
	}),
	kind('a push after a delay', 'time', { ...order.pushSend, sendAt: 'delay' }, 60, noInteger),
	kind('an email', 'email', order.emailSend, 'ravi.iyer+shop@example.co.in', noAddress),
	kind('an email', 'sender_email', order.emailSend, 'shop@example.com', noAddress),
	kind('an email', 'serviceproviderID', order.emailSend, 42, noInteger),
	kind('an SMS', 'mobile', order.smsSend, '+919812345679', noMobile),
	kind('an SMS', 'sender_mobile', order.smsSend, 'ACME', [
		'Acme Company',
		'42',
		'Магазин',
		'<Acme>',
	]),
	kind('an SMS', 'campaign_id', by(order.smsSend, 'campaign_id', ''), 5501, [0, 1.5, [5501], true]),
	kind('an SMS to a segment', 'segment_id', { ...order.smsToSegment, ...many }, 42, noInteger),
	kind('an SMS at a time', 'scheduledFor', { ...order.smsSend, ...at }, '2027-03-05T09:30', noTime),
	kind(
		'an email at a time',
		'scheduleTimezone',
		{ ...order.emailSend, ...everyTime, sendAt: 'at' },
		'Asia/Kolkata',
		['Mars/Olympus', 'CEST', 5, '../../usr/share/zoneinfo/UTC'],
	),
	kind(
		'an SMS on a weekday',
		'nextTime',
		{ ...order.smsSend, sendAt: 'next', nextDays: ['monday'] },
		'09:30',
		['9', '24:30', 'noon', 930, ['09:30']],
	),
	kind(
		'an SMS on a weekday',
		'nextDays',
		{ ...order.smsSend, sendAt: 'next', nextTime: '09:30' },
		['monday'],
		[[], ['someday'], ['monday', 8]],
	),
	kind('a push', 'sendAt', { ...order.pushSend, ...everyTime }, 'now', ['later', '', ['now']]),
	// Only push can have a delay. Campaigns have no field for it (spec §2.3, §2.4).
	kind('an SMS', 'sendAt', { ...order.smsSend, ...everyTime }, 'now', ['later', 'delay']),
	kind('a custom request', 'body', order.customPost, '{ "event": "seen" }', noJson),
	kind('a user', 'name', order.createUser, 'Ravi Iyer', noText),
	kind('a user', 'email', order.createUser, 'ravi@example.com', noAddress),
	kind('a user', 'mobile', order.createUser, '+919812345679', noMobile),
	kind('a user', 'customAttributes', order.createUser, { assignments: [] }, [
		'tier',
		{ tier: 'gold' },
	]),
	kind('an event', 'attributes', order.trackEvent, { assignments: [] }, ['total', { total: 49.9 }]),
	kind('an event', 'event_time', order.trackEvent, '2026-11-01T09:30Z', [
		'yesterday',
		1_793_525_400_000,
		'2026-02-30T09:30',
		'9999-06-01T00:00:00Z',
		true,
	]),
];

const additional: Kind[] = [
	...['android_id', 'ios_ifv', 'tag', 'button_one_title', 'button_two_title'].map((field) =>
		kind('a push', field, order.pushSend, 'x', noText),
	),
	kind('a push', 'notification_id', order.pushSend, 42, noInteger),
	kind('a push', 'button_two_url', order.pushSend, 'https://example.com', noLink),
	...['image_url', 'hero_image_url'].map((field) =>
		kind('a push', field, order.pushSend, 'https://cdn.example.com/a.png', [
			'http://cdn.example.com/a.png',
			'myapp://images/1',
			...noLink,
		]),
	),
	kind('an email', 'segment_id', order.emailSend, 42, noInteger),
	kind('an SMS', 'segment_id', order.smsSend, 42, noInteger),
	kind('an email', 'reply_to', order.emailSend, 'shop@example.com', noAddress),
	kind('an email', 'email_cc', order.emailSend, 'a@example.com, b@example.com', [
		'a@example.com, ben',
		'a@example.com; b@example.com',
		'a@example.com,',
		...noAddress,
	]),
	...['track_open', 'track_click', 'track_reply', 'frequency_capping', 'dnd'].map((field) =>
		kind('an email', field, order.emailSend, true, noFlag),
	),
	...['frequency_capping', 'dnd'].map((field) =>
		kind('an SMS', field, order.smsSend, true, noFlag),
	),
	kind('an event', 'ltv', order.trackEvent, 49.9, ['much', '49,90', 2 ** 53, Infinity, true]),
	kind('an event', 'extraEventFields', order.trackEvent, { context: {} }, [
		...noObject,
		'{',
		{ userID: 'C-2' },
		{ event_time: 'now' },
		'{ "event_name": "x" }',
	]),
];

describe.each([
	...fields.map((one) => [...one, false] as const),
	...additional.map((one) => [...one, true] as const),
])('%s with an unusable %s', (_, field, parameters, good, values, isAdditional) => {
	const bad = values.map((value): [string, unknown] => [JSON.stringify(value), value]);
	itRefuses(sandbox, { field, parameters, good, bad, isAdditional });
});

/** Keys that each operation sets itself (spec §2). They are refused in Extra Body Fields. */
const ownKeys: Array<[string, INodeParameters, string[]]> = [
	['user create', order.createUser, ['nv']],
	['event track', order.trackEvent, ['nv']],
	[
		'push send',
		{ ...order.pushSend, additionalFields: { tag: 'news' } },
		['user_id', ...push, 'tag'],
	],
	['push send with a delay', { ...order.pushSend, sendAt: 'delay', time: 60 }, ['time']],
	['push broadcastSegment', { ...order.pushToSegment, ...many }, ['segment_id', ...push]],
	[
		'email send',
		{ ...order.emailSend, additionalFields: { dnd: true } },
		['email', ...email, 'schedule_date', 'schedule_time', 'dnd'],
	],
	['sms send', order.smsSend, ['mobile', ...sms, 'schedule_date', 'schedule_time']],
	['customRequest post', order.customPost, ['event']],
];

describe.each(ownKeys)('extraBodyFields of %s', (_, parameters, keys) => {
	itRefuses(sandbox, {
		field: 'extraBodyFields',
		isAdditional: true,
		parameters,
		good: '{ "channel": "promo" }',
		bad: [
			...[...noJson, ...noObject].map((value): [string, unknown] => [JSON.stringify(value), value]),
			...keys.map((key): [string, unknown] => [`the node's own ${key}`, { [key]: 1 }]),
		],
	});
});

const attribute = (name: unknown, value: unknown = 'x', type = 'any') => ({ name, value, type });

describe.each([
	['customAttributes', order.createUser],
	['attributes', order.trackEvent],
])('One of the %s', (field, parameters) => {
	const from = (key: string) => `={{ $json.attribute.${key} }}`;
	const assignments = [
		{ id: '1', name: from('name'), value: from('value'), type: from('type') },
		{ id: '2', name: 'tier', value: 'gold', type: 'string' },
	];
	itRefuses(sandbox, {
		field,
		column: 'attribute',
		parameters: { ...parameters, [field]: { assignments } },
		good: attribute('city'),
		bad: [
			['no name', attribute('')],
			['__proto__', attribute('__proto__')],
			['a name that is there twice', attribute(' tier ')],
			['too large an integer deep inside', attribute('points', { a: [2 ** 60] })],
			['text as a number', attribute('points', 'many', 'number')],
			['an object as a list', attribute('points', { a: 1 }, 'array')],
		],
	});
});

describe.each(['user create', 'event track'])('A column of %s', (name) => {
	const [resource, operation] = name.split(' ');
	const mapped = { resource, operation, dataMode: 'autoMapInputData', event_name: 'Placed' };
	const byLine = { ...mapped, userIdField: 'line' } as INodeParameters;
	const byColumn = { ...mapped, userIdField: 'customerId' } as INodeParameters;

	itRefuses(sandbox, {
		field: 'points',
		column: 'points',
		parameters: byLine,
		good: 42,
		bad: [
			['too large an integer', 2 ** 53],
			['infinity', Infinity],
		],
	});

	describe('with the ID', () => {
		itRefuses(sandbox, {
			field: 'userID',
			column: 'customerId',
			parameters: byColumn,
			good: 'C-1',
			bad: [...noText, '', null].map((value): [string, unknown] => [JSON.stringify(value), value]),
		});
	});
});

describe.each<[string, unknown, unknown[]]>([
	['email', 'ravi@example.com', ['ravi', ['ravi@example.com']]],
	['mobile', '+919812345679', ['9812345679', ['+919812345679']]],
	['name', 'Ravi Iyer', [['Ravi'], { first: 'Ravi' }]],
	['constructor', '', ['x']],
])('The column %s of a user', (column, good, values) => {
	const mapped = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };
	itRefuses(sandbox, {
		field: column,
		column,
		parameters: { ...mapped, userIdField: 'line' },
		good,
		bad: values.map((value) => [JSON.stringify(value), value]),
	});
});

describe.each<[string, INodeParameters]>([
	['a push', { ...order.pushSend, user_id: '={{ $json.to }}' }],
	['an email', by(order.emailSend, 'campaign_id', '={{ $json.to }}')],
	['an event', { ...order.trackEvent, userID: '={{ $json.to }}' }],
])('The recipient of %s', (_, parameters) => {
	it.each(['undefined', 'NaN', '[object Object]', 'Invalid DateTime', '{{ id }}', 'u-{{'])(
		'is refused if it is %s',
		async (to) => {
			const { error } = await run(sandbox(), parameters, { rows: [{ to }] });
			expect(error?.message).toContain(`ID is '${to}', which an expression leaves`);
			expect(sandbox().record).toEqual([]);
		},
	);

	it('may hold such a word', async () => {
		const { error } = await run(sandbox(), parameters, { rows: [{ to: 'undefined-1' }] });
		expect(error).toBeUndefined();
	});
});
