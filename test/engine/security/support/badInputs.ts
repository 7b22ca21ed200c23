import type { INodeParameters } from 'n8n-workflow';

import { email, event, push, sms, user } from '../../support/mistakes';
import * as order from '../../support/orders';
import { secrets } from './bench';
import * as places from './places';

const { inAdditional, inColumn, inCredential, inField, inOption, inWorkflow, refusedAt } = places;
const { pushSend, emailSend, smsSend, createUser, trackEvent, customPost } = order;
const { apiKey, accessToken } = secrets;

const extraOf = (parameters: INodeParameters) => inAdditional(parameters, 'extraBodyFields');

/** As JSON.parse gives it: an own key of that name. */
const own = (): unknown => JSON.parse('{ "__proto__": { "polluted": true } }');

function circular(): object {
	const loop: Record<string, unknown> = {};
	loop.self = loop;
	return loop;
}

const mega = 1_000_000;
/** Nested lists as text. JSON.stringify itself cannot write such depth. */
const nested = (depth: number) => `{ "a": ${'['.repeat(depth)}${']'.repeat(depth)} }`;

const half = '\ud83d';
const missing = 'Hello undefined, hello';

/** Addresses that lead to another host, are not encrypted, or do not lead where they seem to; and headers. */
export const credentials: places.Group[] = [
	refusedAt(inCredential('pushUrl'), {
		'http to another machine': ['http://10.0.0.5', 'http://[fe80::1]', 'http://0.0.0.0:8080'],
		'http to what is almost this one': ['http://127.0.0.1.a.de', 'http://evil.example.localhost'],
		'no address of the internet': ['https://::1', 'https://[fe80::1%25eth0]', 'https://256.1.1.1'],
		'a user': ['https://admin@a.example', 'https://:@a.example', 'https://a.de%40@evil.example'],
		'a backslash': ['https://a.example\\@evil.example'],
		'no scheme or no host': ['a.example', '//a.example', 'https:a.example', 'https:///a.example'],
		'a port that is none': ['https://a.example:65536', 'https://a.example:https'],
		'a sign in the host': ['https://push%20.example.com', 'https://a.de%2fevil.example'],
		'what is not seen in the host': ['https://a.exa\nmple.com', 'https://a\u200d.example.com'],
		'letters of another script': ['https://рush.example.com', 'https://push。example.com'],
		'a placeholder left in': ['https://{push_url}', '={{ $vars.push }}'],
		'no text': [['https://a.example'], { href: 'https://a.example' }, true],
	}),
	refusedAt(inCredential('eventPath', { customPaths: true }), {
		'another place': ['/api/v1/../../admin', '//evil.example/api', 'https://evil.example/api'],
		'a line break or a broadcast': ['/api/v1/event\r\nX-Evil: 1', '/api/v1/web/broadcast/all'],
		'a list': [['/api/v1/event']],
	}),
	refusedAt(inCredential('apiKey'), {
		'a line break': [`${apiKey}\r\nX-Evil: 1`, `${apiKey}\nX-Evil: 1`, `${apiKey}\rX-Evil: 1`],
		'a control character or a space': [`${apiKey}\0`, `my ${apiKey}`, `my\u00a0${apiKey}`],
		'a letter whose low byte is a line feed': [`${apiKey}\u010aX-Evil: 1`],
		'no text': ['', null, [apiKey], { key: apiKey }, true, 12345678901234567890],
	}),
	refusedAt(inCredential('accessToken'), {
		'more than a token': [`Bearer ${accessToken}`, `${accessToken}, Basic eDp5`],
		'no text': ['', { access_token: accessToken }],
	}),
	refusedAt(inCredential('brandId'), ['brand\r\nx-api-key: other', 'my brand', 'бренд', ' \n ']),
];

const past = (...paths: string[]) => paths.map((path) => `/api/v1/${path}`);

export const customRequests: places.Group[] = [
	refusedAt(inField(customPost, 'path'), {
		climbing: ['/api/v1/../../admin', '/api/v1/..', '/api/./v1/event'],
		encoded: past('%2e%2e/admin', '..%2fadmin', 'event%0d%0aX-Evil:1', 'web/%62roadcast/all'),
		'slashes beside each other': ['//evil.example/api', '/api//v1/event', '\\evil.example\\api'],
		'an absolute address': ['https://evil.example/api', 'HTTPS://EVIL.EXAMPLE/api', 'https:evil'],
		'no slash in front': ['@evil.example/api', '.evil.example/api', ':8443/api', '#@evil.example/'],
		'a sign': past('event#x', 'event\r\nX-Evil: 1', 'event\0', 'my event', 'web/broadcast;x'),
		'no text': ['', 42, ['/api/v1/event'], true],
		'a broadcast': past('web/broadcast/all', 'EMAIL/Broadcast/all', 'sms/broadcast/?segment_id=1'),
		'a broadcast elsewhere': ['/index.php/api/v1/email/broadcast', '/api/v2/ios/broadcast.json'],
		'a broadcast in the query': ['/index.php?route=web/broadcast/all'],
	}),
	refusedAt(inField(customPost, 'body'), {
		'a prototype in a list': ['[{ "__proto__": { "x": true } }]'],
		'what JSON cannot contain': [[1n], new Date(0), circular()],
		'a million letters, or lists a hundred thousand deep': ['x'.repeat(mega), nested(100_000)],
	}),
];

const refusedSchemes =
	'javascript vbscript data blob file filesystem content jar resource about chrome view-source ftp ws wss';

const noAddress = {
	'a user': ['https://user:hunter2@example.com', 'https://example.com@evil.example/offer'],
	'no host, or a port that is too large': ['https:///example.com', 'https://example.com:65536'],
	'a line break': ['https://example.com/\r\nSet-Cookie: a=b', 'https://example.com/a\u2028b'],
	'a backslash or no scheme': ['https://exam\\ple.com', 'example.com'],
	'a mark of direction or a joiner': ['https://example.com/\u202ea', 'https://exam\u200dple.com/'],
};

export const pushes: places.Group[] = [
	refusedAt(inField(pushSend, 'url'), {
		'a scheme that no tap may open': refusedSchemes.split(' ').map((scheme) => `${scheme}://x`),
		'a scheme behind something': [' javascript://x', '\u0001javascript://x', 'tel:javascript:x'],
		'no text': [['https://a.example']],
		...noAddress,
	}),
	refusedAt(inAdditional(pushSend, 'image_url'), {
		'an image inside the link': ['data:image/svg+xml,<svg onload="alert(1)"/>'],
		...noAddress,
	}),
	refusedAt(inField({ ...pushSend, platforms: ['android'] }, 'title'), {
		'nothing to be seen': [' \t\n\r\u00a0\u2003\u3000\ufeff\u2028', '\u200b\u200d\u2060'],
		'half a character': [`Sale ${half}`, '\ude00 Sale', '\ude00\ud83d'],
		'a control character': ['Sale\0', '\u001b]0;title\u0007', 'Sale\u007f'],
		'a value that was missing': [missing, 'NaN % off', 'Termin–Invalid Date.'],
		'what is no text': [10n, Symbol('title'), () => 'Sale', Promise.resolve('Sale')],
		'an object': [{ toString: () => 'Sale' }, Buffer.from('Sale'), circular()],
		'a hundred thousand letters': ['x'.repeat(mega / 10)],
		'as many marks': [`e${'\u0301'.repeat(mega / 10)}${'x'.repeat(70)}`],
	}),
	refusedAt(inField(pushSend, 'user_id'), {
		'what cannot be sent': ['C-1\r\nC-2', 'C-1\0', '\u200b'],
		'what is no ID': [10n, ['C-1', 'C-2'], { $ne: null }, false],
	}),
	refusedAt(inField({ ...order.pushToSegment, maxBroadcasts: 99 }, 'segment_id'), {
		'zero, which might mean everyone, or less': [0, -0, -Infinity],
		'too large a number': [2 ** 53 + 2, '9'.repeat(400), 42n],
		'no digits of base ten': ['0o52', '٤٢', '４２', '42 OR 1=1'],
		'signs between or around the digits': ['1.042', '4 2', '+42', '42%', '42,43'],
		'an object': [{ valueOf: () => 42 }, new Date(42)],
	}),
	refusedAt(extraOf(pushSend), {
		'a prototype': ['{ "a": 1, "__proto__": { "polluted": true } }', own()],
		'a prototype with an escape': ['{ "\\u005f_proto__": { "polluted": true } }'],
		'a constructor deep inside a list': ['{ "a": [{ "constructor": { "prototype": {} } }] }'],
		'a key the node sets, given twice': ['{ "user_id": "C-2", "user_id": "C-3" }'],
		'no JSON': ['(() => ({}))()', '{ "a": 1 /* b */ }', '{ "a": 1, }', '{\ufeff"a": 1 }'],
		'what is no object': [10n, Promise.resolve({}), { toJSON: () => 'text' }],
		'what JSON cannot contain': [new Map([['channel', 'promo']]), { at: new Date(NaN) }],
		'lists too deep, and a long name': [nested(3_000), `{ "${'k'.repeat(mega)}": 1e400 }`],
	}),
	// n8n reads the whole collection at once.
	refusedAt({ ...extraOf(pushSend), field: 'additionalFields' }, [circular()]),
];

const sender = 'news@example.com';

export const campaigns: places.Group[] = [
	refusedAt(inField(emailSend, 'sender_email'), {
		'a line break and a header': [...'\r\n\u2028\u0085', '%0d%0a', '\\r\\n'].map(
			(lineBreak) => `${sender}${lineBreak}Bcc: b@example.com`,
		),
		'no plain address': [`${sender}\0@evil.example`, '=?utf-8?q?news=40example.com?='],
		'more than an address': [`<${sender}>`, `@evil.example:${sender}`],
	}),
	refusedAt(inAdditional(emailSend, 'email_cc'), {
		'a line break and a header': ['a@example.com, b@example.com\r\nBcc: c@example.com'],
		'a group or a list': ['team: a@example.com, b@example.com;', ['a@example.com']],
		'a hundred thousand recipients': [`${'a@example.com,'.repeat(99_999)}a@example.com`],
		'a thousand that are none': ['anna,'.repeat(1_000)],
	}),
	refusedAt(inField(emailSend, 'email'), {
		'more than an address': ["a@example.com' OR '1'='1", '<script>@example.com'],
		'a part missing': ['example.com', '@example.com', 'a.@example.com', 'a..b@example.com'],
		'no domain': ['a@1.2.3.4', 'a@example', 'a@example.com.', 'a@example-.com', 'a@℀.com'],
		// Newer versions of Node.js take both for a domain.
		'a sign': ['a@example.com/path', 'jür gen@example.com', 'jürgen@@example.com'],
		'other letters': ['ｊｕｒｇｅｎ@example.com', '😀@example.com', '{{email}}@example.com'],
		'too long a name': [`${'a'.repeat(65)}@example.com`, `${'ü'.repeat(33)}@example.com`],
		'a million letters or dots': [`${'a'.repeat(mega)}@a.de`, `a@${'b.'.repeat(mega / 2)}a.de`],
	}),
	refusedAt(inField(smsSend, 'mobile'), {
		'a second number': ['+919812345679\n+919812345670x', '+9198+12345679'],
		'more than a number': ['tel:+919812345679;ext=42', '*#06#', '+919812345679,,,42#'],
		'a million digits or spaces': [`+${'9'.repeat(mega)}`, `+91${' '.repeat(mega)}x`],
	}),
	refusedAt(inField(smsSend, 'message'), [`Ravi ${half}`, missing]),
	...[
		...['subject', 'sender_name', 'campaign_name'].map((field) => inField(emailSend, field)),
		...['sender_name', 'campaign_name'].map((field) => inField(smsSend, field)),
	].map((place) =>
		refusedAt(place, {
			'a line break and a header': ['Sale\r\nBcc: all@evil.example', 'Sale\u0085Bcc: a'],
			'an escape, or a value that was missing': ['Spring\u001b[2Jsale', missing],
		}),
	),
];

const mapped = { ...createUser, dataMode: 'autoMapInputData' };
const noJson = [() => 1, { a: [{ b: Infinity }] }, circular()];

export const usersAndEvents: places.Group[] = [
	...[inField(createUser, 'userID'), inField(trackEvent, 'event_name')].map((place) =>
		refusedAt(place, ['C-1\r\nC-2', 'C-1\0', '\u200b']),
	),
	refusedAt(inField(createUser, 'name'), [`Ravi ${half}`, missing]),
	refusedAt(places.inAttributeName, {
		'a prototype': [' __proto__ ', 'prototype', ['__proto__']],
		'nothing, or the name of another one': [null, '', ' tier '],
	}),
	refusedAt(places.inAttributeValue, {
		'what cannot be sent': [`x${half}`, 'Invalid DateTime'],
		'what JSON cannot contain': noJson,
	}),
	refusedAt(inColumn('__proto__'), [{ polluted: true }]),
	refusedAt(inColumn('points'), {
		'a prototype deep inside': [own()],
		'what cannot be sent, deep inside': [{ a: ['\udc00'] }, { a: ['Invalid DateTime'] }],
		'what JSON cannot contain': noJson,
	}),
	refusedAt(inWorkflow(mapped, 'userIdField', 'userID'), ['__proto__', 'toString']),
];

/** What all rows of a run share. */
export const settings: places.Group[] = [
	refusedAt(inOption(pushSend, 'requestTimeout'), [3_000_000, 0]),
	refusedAt(inOption(pushSend, 'maxWait'), [NaN, Infinity, -1, 10_001, '={{ "long" }}']),
	refusedAt(inOption(trackEvent, 'batchSize'), [0, 1.5, 1_001]),
	refusedAt(inOption(pushSend, 'previewOnly'), ['maybe']),
	refusedAt(inWorkflow(order.pushToAll, 'maxBroadcasts'), [0, 1.5]),
	refusedAt(inWorkflow(order.pushToAll, 'testRuns'), ['Send']),
	...[
		inWorkflow(pushSend, 'resource', 'operation'),
		inWorkflow(pushSend, 'operation'),
		inWorkflow(pushSend, 'authentication', 'operation'),
		inWorkflow(customPost, 'host'),
		inWorkflow(customPost, 'api'),
	].map((place) => refusedAt(place, ['fax', '__proto__'])),
];

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
export const required: places.Group[] = (
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
	fields.split(' ').map((field) => refusedAt(inField(parameters, field), ['', ' ', undefined])),
);

/** What no field of a kind takes: each kind has all its values in the unit tests. */
const noLink = ['example.com', 'javascript:alert(1)', ['https://a.example']];
const notOneAddress = ['ravi', 'Ravi <ravi@example.com>', 'ravi@example.com\nBcc: all@example.com'];
const noMobile = ['0151 2345678', '+49151', '+4915112345678, +4915112345679'];
const noInteger = [0, -7, 7.5, '9223372036854775808', 2 ** 53, 2 ** 64, 'seven', [7]];
const noFlag = [1, 'yes', [true], Object(true)];
const noText = [{ id: 'x' }, ['x'], true, 2 ** 53];
const notAnObject = ['channel: promo', '"promo"', 7, { id: 2 ** 53 }];
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

export const fields: places.Group[] = (
	[
		['title', onAndroid, tooLong(70)],
		['message', onAndroid, tooLong(130)],
		['message', push({ platforms: ['web', 'ios'] }), ['x'.repeat(131), `${'x'.repeat(129)}\n\n`]],
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
		['content', email(), ['<p>\udc00</p>', '<style>p {}</style><p>undefined</p>']],
		['body', order.customPost, notAnObject],
		['name', user(), noText],
		['email', user(), notOneAddress],
		['mobile', user(), noMobile],
		['customAttributes', user(), ['tier', { tier: 'gold' }]],
		['attributes', event(), ['total', { total: 49.9 }]],
		['event_time', event(), ['yesterday', 1_793_525_400_000, true]],
	] as Array<[string, INodeParameters, unknown[]]>
).map(([field, parameters, values]) => refusedAt(inField(parameters, field), values));

export const additional: places.Group[] = (
	[
		['android_id', onAndroid, noText],
		['ios_ifv', push({ platforms: ['ios'] }), noText],
		['tag button_one_title button_two_title', push(), noText],
		['notification_id', push(), noInteger],
		['button_two_url', push(), noLink],
		['image_url hero_image_url', push(), noImage],
		['segment_id', email(), noInteger],
		['segment_id', sms(), noInteger],
		['reply_to', email(), notOneAddress],
		['email_cc', email(), [...noList, ...notOneAddress]],
		['track_open track_click track_reply frequency_capping dnd', email(), noFlag],
		['frequency_capping dnd', sms(), noFlag],
		['ltv', event(), ['much', '49,90', 2 ** 53, Infinity, true]],
		['extraEventFields', event(), [...noEventFields, '{ "a": { "constructor": { "b": true } } }']],
	] as Array<[string, INodeParameters, unknown[]]>
).flatMap(([names, parameters, values]) =>
	names.split(' ').map((name) => refusedAt(inAdditional(parameters, name), values)),
);

/** Keys that each operation sets itself (spec §2). */
export const extraBodyFields: places.Group[] = (
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
		'no object': [...notAnObject, ...noObject],
		'a key that the node sets': keys.split(' ').map((key) => ({ [key]: 1 })),
	}),
);
