import * as order from '../../support/orders';
import * as places from '../support/places';

const { inAdditional, inColumn, inField, refusedAt } = places;

const android = { ...order.pushSend, platforms: ['android'] };
const half = '\ud83d';
const missing = 'Hello undefined, hello';

export const text: places.Group[] = [
	refusedAt(inField({ ...order.pushSend, platforms: ['web', 'ios'] }, 'message'), {
		'one letter too many for one of them': ['x'.repeat(131), `${'x'.repeat(129)}\n\n`],
	}),
	refusedAt(inField(order.pushSend, 'title'), {
		'nothing to be seen': [' \t\n\r\u00a0\u2003\u3000\ufeff\u2028', '\u200b\u200d\u2060'],
		'half a character': [`Sale ${half}`, '\ude00 Sale', '\ude00\ud83d'],
		'a control character': ['Sale\0', '\u001b]0;title\u0007', 'Sale\u007f'],
		'a value that was missing': [missing, 'NaN % off', 'Termin–Invalid Date.'],
	}),
	...[
		inField(order.pushSend, 'user_id'),
		inField(order.createUser, 'userID'),
		inField(order.trackEvent, 'event_name'),
	].map((place) => refusedAt(place, { 'what cannot be sent': ['C-1\r\nC-2', 'C-1\0', '\u200b'] })),
	...[inField(order.createUser, 'name'), inField(order.smsSend, 'message')].map((place) =>
		refusedAt(place, { 'what cannot be sent': [`Ravi ${half}`, missing] }),
	),
	refusedAt(inField(order.emailSend, 'content'), {
		'what cannot be sent': ['<p>\udc00</p>', '<style>p {}</style><p>undefined</p>'],
	}),
	refusedAt(places.inAttributeValue, { 'what cannot be sent': [`x${half}`, 'Invalid DateTime'] }),
	refusedAt(inColumn('city'), {
		'what cannot be sent, deep inside': [{ a: ['\udc00'] }, { a: ['Invalid DateTime'] }],
	}),
];

const sender = 'news@example.com';

export const mail: places.Group[] = [
	refusedAt(inField(order.emailSend, 'sender_email'), {
		'a line break and a header': [...'\r\n\u2028\u0085', '%0d%0a', '\\r\\n'].map(
			(lineBreak) => `${sender}${lineBreak}Bcc: b@example.com`,
		),
		'no plain address': [`${sender}\0@evil.example`, '=?utf-8?q?news=40example.com?='],
		'more than an address': [`<${sender}>`, `@evil.example:${sender}`],
	}),
	refusedAt(inAdditional(order.emailSend, 'email_cc'), {
		'a line break and a header': ['a@example.com, b@example.com\r\nBcc: c@example.com'],
		'a group or a list': ['team: a@example.com, b@example.com;', ['a@example.com']],
	}),
	refusedAt(inField(order.emailSend, 'email'), {
		'more than an address': ["a@example.com' OR '1'='1", '<script>@example.com'],
		'a part missing': ['example.com', '@example.com', 'a.@example.com', 'a..b@example.com'],
		'no domain': ['a@1.2.3.4', 'a@example', 'a@example.com.', 'a@example-.com', 'a@℀.com'],
		// Newer versions of Node.js take both for a domain.
		'a sign': ['a@example.com/path', 'jür gen@example.com', 'jürgen@@example.com'],
		'other letters': ['ｊｕｒｇｅｎ@example.com', '😀@example.com', '{{email}}@example.com'],
		'too long a name': [`${'a'.repeat(65)}@example.com`, `${'ü'.repeat(33)}@example.com`],
	}),
	refusedAt(inField(order.smsSend, 'mobile'), {
		'a second number': ['+919812345679\n+919812345670x', '+9198+12345679'],
		'more than a number': ['tel:+919812345679;ext=42', '*#06#', '+919812345679,,,42#'],
	}),
	...[
		...['subject', 'sender_name', 'campaign_name'].map((field) => inField(order.emailSend, field)),
		...['sender_name', 'campaign_name'].map((field) => inField(order.smsSend, field)),
	].map((place) =>
		refusedAt(place, {
			'a line break and a header': ['Sale\r\nBcc: all@evil.example', 'Sale\u0085Bcc: a'],
			'an escape, or a value that was missing': ['Spring\u001b[2Jsale', missing],
		}),
	),
];

const mega = 1_000_000;

/** Nested lists as text. JSON.stringify itself cannot write such depth. */
const nested = (depth: number) => `{ "a": ${'['.repeat(depth)}${']'.repeat(depth)} }`;

export const oversized: places.Group[] = [
	refusedAt(inField(android, 'title'), {
		'a hundred thousand letters or marks': [
			...['x'.repeat(mega / 10), `e${'\u0301'.repeat(mega / 10)}${'x'.repeat(70)}`],
		],
	}),
	refusedAt(inField(order.emailSend, 'email'), {
		'a million letters or dots': [`${'a'.repeat(mega)}@a.de`, `a@${'b.'.repeat(mega / 2)}a.de`],
	}),
	refusedAt(inField(order.smsSend, 'mobile'), {
		'a million digits or spaces': [`+${'9'.repeat(mega)}`, `+91${' '.repeat(mega)}x`],
	}),
	refusedAt(inField(order.customPost, 'body'), {
		'a million letters, or lists a hundred thousand deep': ['x'.repeat(mega), nested(100_000)],
	}),
	refusedAt(inAdditional(order.pushSend, 'extraBodyFields'), {
		'lists too deep, and a long name': [nested(3_000), `{ "${'k'.repeat(mega)}": 1e400 }`],
	}),
	refusedAt(inAdditional(order.emailSend, 'email_cc'), {
		'a hundred thousand recipients': [`${'a@example.com,'.repeat(99_999)}a@example.com`],
		'a thousand that are none': ['anna,'.repeat(1_000)],
	}),
];
