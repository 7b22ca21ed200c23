import * as order from '../../support/orders';
import {
	type Group,
	inAdditional,
	inAttributeName,
	inAttributeValue,
	inColumn,
	inField,
	refusedAt,
} from '../support/places';

const android = { ...order.pushSend, platforms: ['android'] };
const half = '\ud83d';

export const text: Group[] = [
	refusedAt(inField(android, 'title'), { 'a line break too many': [`${'x'.repeat(69)}\n\n`] }),
	refusedAt(inField({ ...order.pushSend, platforms: ['web', 'ios'] }, 'message'), {
		'one letter too many for one of them': ['x'.repeat(131)],
	}),
	refusedAt(inField(order.pushSend, 'message'), {
		'nothing to be seen': [' \t\n\r\u00a0\u2003\u3000\ufeff\u2028', '\ufeff', '\u200b\u200d\u2060'],
		'half a character': [`Sale ${half}`, '\ude00 Sale', '\ude00\ud83d'],
		'a control character': ['Sale\0', '\u001b]0;title\u0007', 'Sale\b', 'Sale\u007f'],
	}),
	refusedAt(inField(order.pushSend, 'title'), {
		'half a character': [`Sale ${half}`],
		'a null character': ['\0'],
		'a value that was missing': ['Hello undefined', 'NaN % off', 'Hello [object Object]'],
		'an expression that was not evaluated': ['Hello {{ $json.name }}'],
		'a date that was missing': ['Your appointment: Invalid DateTime', 'Termin–Invalid Date.'],
	}),
	refusedAt(inField(order.pushSend, 'user_id'), {
		'a line break inside': ['C-1\nC-2'],
		'what cannot be sent': ['C-1\0', `C-${half}`, '\u200b'],
	}),
	refusedAt(inField(order.createUser, 'userID'), {
		'a line break inside': ['C-1\r\nC-2'],
		'a null character': ['C\0'],
	}),
	refusedAt(inField(order.trackEvent, 'event_name'), {
		'a line break inside': ['Order\nPlaced'],
		'what cannot be sent': ['Order\0', `Order ${half}`, '\u200b'],
	}),
	refusedAt(inField(order.createUser, 'name'), {
		'what cannot be sent': [`Ravi ${half}`, 'Ravi\0'],
		'a value that was missing': ['Hello undefined, hello'],
	}),
	refusedAt(inField(order.emailSend, 'content'), {
		'what cannot be sent': ['<p>\udc00</p>', '<p>\0</p>'],
		'a value that was missing in HTML': ['<style>p {}</style><p>undefined</p>'],
		'an expression that was not evaluated in HTML': ['<h1>{{ $json.title }}</h1>'],
	}),
	refusedAt(inAttributeValue, {
		'what cannot be sent': [`x${half}`, 'x\0'],
		'a date that was missing': ['Invalid DateTime'],
	}),
	refusedAt(inColumn('city'), {
		'half a character': [`x${half}`, { a: ['\udc00'] }],
		'a date that was missing': ['since Invalid Date', { a: ['Invalid DateTime'] }],
	}),
	refusedAt(inField(order.smsSend, 'message'), {
		'a value that was missing': ['Hello undefined, hello'],
	}),
	refusedAt(inAdditional(order.pushSend, 'button_one_title'), { 'an object': ['[object Object]'] }),
];

const sender = 'news@example.com';
const headerAfter = (start: string) => [`${start}\r\nBcc: all@evil.example`, `${start}\0`];

export const mail: Group[] = [
	refusedAt(inField(order.emailSend, 'sender_email'), {
		'a line break and a header': [
			`${sender}\r\nBcc: b@example.com`,
			`${sender}\rBcc: b@example.com`,
		],
		'a folded line': [`${sender}\r\n\tBcc: all@example.com`],
		'a line break in another form': [
			`${sender}%0d%0aBcc:b@example.com`,
			`${sender}\\r\\nBcc: b@a.de`,
		],
		'a line break of another kind': [`${sender}\u2028Bcc: b@a.de`, `${sender}\u0085Bcc: b@a.de`],
		'a null character': [`${sender}\0@evil.example`],
		'an encoded word': ['=?utf-8?q?news=40example.com?='],
		'more than an address': [`<${sender}>`, 'news(all@evil.example)@example.com'],
		'a quoted name': ['"a@evil.example "@example.com'],
		'a route': [`@evil.example:${sender}`, `${sender}> SIZE=1\r\nRCPT TO:<all@evil.example`],
		'no host': ['news@[127.0.0.1]', 'news@localhost', 'news@.example.com', 'news@-example.com'],
		'characters of another kind': ['news＠example.com', '\u202emoc.elpmaxe@swen'],
		'a template left in': ['{{ sender }}@example.com'],
	}),
	refusedAt(inAdditional(order.emailSend, 'email_cc'), {
		'a line break and a header': ['a@example.com, b@example.com\r\nBcc: c@example.com'],
		'a group': ['team: a@example.com, b@example.com;'],
		'a list': [['a@example.com']],
	}),
	refusedAt(inField(order.emailSend, 'email'), {
		'an SQL condition': ["a@example.com' OR '1'='1"],
		markup: ['<script>@example.com'],
	}),
	refusedAt(inColumn('email'), { 'a line break and a header': ['a@example.com\nX: 1'] }),
	refusedAt(inField(order.smsSend, 'mobile'), {
		'a second number': ['+919812345679\n+919812345670x', '+9198+12345679'],
		'a link with more than a number': ['tel:+919812345679;ext=42', 'tel:*#06#'],
		'more than a number': ['*#06#', '+919812345679,,,42#', '+919812345679\0'],
	}),
	refusedAt(inField(order.emailSend, 'subject'), {
		'a line break and a header': [...headerAfter('Spring sale'), 'Spring\rBcc: all@evil.example'],
		'a line break of another kind': ['Spring\u2028Bcc: a@evil.example', 'Spring\u0085Bcc: a@a.de'],
		'an escape character': ['Spring\u001b[2Jsale'],
		'a value that was missing': ['Hello undefined, hello'],
	}),
	...[order.emailSend, order.smsSend].flatMap((parameters) =>
		['sender_name', 'campaign_name'].map((field) =>
			refusedAt(inField(parameters, field), {
				'a line break and a header': headerAfter('Spring sale'),
				'a value that was missing': ['Hello undefined, hello'],
			}),
		),
	),
];

const mega = 1_000_000;
const tooMuch = 'x'.repeat(11 * mega);

/** Nested lists as text. JSON.stringify itself cannot write such depth. */
const nested = (depth: number) => `{ "a": ${'['.repeat(depth)}${']'.repeat(depth)} }`;

export const oversized: Group[] = [
	refusedAt(inField(android, 'title'), {
		'a hundred thousand letters': ['x'.repeat(mega / 10)],
		'a hundred thousand marks': [`e${'\u0301'.repeat(mega / 10)}${'x'.repeat(70)}`],
	}),
	refusedAt(inField(order.emailSend, 'email'), {
		'a million letters': [`${'a'.repeat(mega)}@example.com`],
	}),
	refusedAt(inField(order.emailSend, 'sender_email'), {
		'a million dots': [`a@${'b.'.repeat(mega / 2)}example.com`],
	}),
	refusedAt(inField(order.smsSend, 'mobile'), {
		'a million digits': [`+${'9'.repeat(mega)}`],
		'a million spaces inside': [`+91${' '.repeat(mega)}x`],
	}),
	refusedAt(inField({ ...order.pushToSegment, maxBroadcasts: 9 }, 'segment_id'), {
		'a million digits': ['9'.repeat(mega)],
	}),
	refusedAt(inField({ ...order.smsSend, sendAt: 'at' }, 'scheduledFor'), {
		'a million digits': ['2'.repeat(mega)],
	}),
	refusedAt(inField(order.pushSend, 'url'), {
		'a million letters of a scheme': [`${'a'.repeat(mega)}:`],
	}),
	refusedAt(inField(order.customPost, 'path'), { 'a million slashes': ['/'.repeat(mega)] }),
	refusedAt(inField(order.customPost, 'body'), {
		'a million letters, no JSON': ['x'.repeat(mega)],
		'lists a hundred thousand deep': [nested(100_000)],
		'11 million letters': [JSON.stringify({ a: tooMuch })],
	}),
	...[
		inField(order.emailSend, 'content'),
		inField(order.pushSend, 'message'),
		inField(order.pushSend, 'user_id'),
		inField(order.createUser, 'userID'),
		inAttributeName,
		inColumn('blob'),
	].map((place) => refusedAt(place, { '11 million letters': [tooMuch] })),
	refusedAt(inAdditional(order.pushSend, 'extraBodyFields'), {
		'lists too deep': [nested(100_000), nested(3_000)],
		'a name of a million letters': [`{ "${'k'.repeat(mega)}": 1e400 }`],
	}),
	refusedAt(inAdditional(order.emailSend, 'email_cc'), {
		'a hundred thousand recipients': [`${'a@example.com,'.repeat(99_999)}a@example.com`],
		'a thousand that are none': ['anna,'.repeat(1_000)],
	}),
];
