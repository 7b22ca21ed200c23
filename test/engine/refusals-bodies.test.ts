import type { INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { absent, itRefuses } from './support/refusing';
import { useSandbox } from './support/service';

const sandbox = useSandbox();

const noJson: Array<[string, unknown]> = [
	['no JSON', 'channel: promo'],
	['JSON that breaks off', '{ "channel": '],
	['a JSON text', '"promo"'],
	['a JSON number', '7'],
	['JSON null', 'null'],
	['true', true],
	['a number', 7],
	['too large a number', '{ "a": 1e400 }'],
	['too large an integer in an object', { id: 2 ** 53 }],
	['too large an integer deep inside an object', { a: [{ id: 12345678901234567890 }] }],
];
const noObject: Array<[string, unknown]> = [
	['a list', [{ channel: 'promo' }]],
	['a list as text', '[{ "channel": "promo" }]'],
	['an empty list', '[]'],
	['__proto__', '{ "__proto__": { "admin": true } }'],
	['constructor', '{ "constructor": 1 }'],
	['prototype', '{ "prototype": 1 }'],
];

/** Keys that each operation sets itself (spec §2). They are refused in Extra Body Fields. */
const ownKeys: Array<[string, INodeParameters, string[]]> = [
	['user create', order.createUser, ['nv']],
	[
		'push send',
		{ ...order.pushSend, additionalFields: { tag: 'news' } },
		['user_id', 'title', 'message', 'url', 'tag'],
	],
	['push send with a delay', { ...order.pushSend, sendAt: 'delay', time: 60 }, ['time']],
	['push broadcastAll', { ...order.pushToAll, maxBroadcasts: 50 }, ['title', 'message', 'url']],
	[
		'push broadcastSegment',
		{ ...order.pushToSegment, maxBroadcasts: 50 },
		['segment_id', 'title', 'message', 'url'],
	],
	[
		'email send',
		{ ...order.emailSend, additionalFields: { dnd: true } },
		[
			'email',
			'sender_name',
			'sender_email',
			'subject',
			'campaign_name',
			'content',
			'serviceproviderID',
			'schedule_date',
			'schedule_time',
			'dnd',
		],
	],
	[
		'sms send',
		order.smsSend,
		[
			'mobile',
			'sender_name',
			'campaign_name',
			'sender_mobile',
			'message',
			'serviceproviderID',
			'schedule_date',
			'schedule_time',
		],
	],
	['customRequest post', order.customPost, ['event']],
];

describe.each(ownKeys)('extraBodyFields of %s', (_, parameters, keys) => {
	itRefuses(sandbox, {
		field: 'extraBodyFields',
		isAdditional: true,
		parameters,
		good: '{ "channel": "promo" }',
		bad: [
			...noJson,
			...noObject,
			...keys.map((key): [string, string] => [
				`the node's own ${key}`,
				JSON.stringify({ [key]: 1 }),
			]),
		],
	});
});

describe('The body of a custom request', () => {
	itRefuses(sandbox, {
		field: 'body',
		parameters: order.customPost,
		good: '{ "event": "seen" }',
		bad: [...noJson, ['empty', ''], ['null', null], ['absent', absent]],
	});
});

describe('The path of a custom request', () => {
	itRefuses(sandbox, {
		field: 'path',
		parameters: order.customPost,
		good: '/api/v1/event/track?mode=async',
		bad: [
			['no leading slash', 'api/v1/event/track'],
			['two leading slashes', '//evil.example/api'],
			['two slashes inside', '/api//v1/event'],
			['an absolute URL', 'https://evil.example/api/v1/event'],
			['a host behind an at sign', '/@evil.example/'],
			['an at sign in front', '@evil.example/api'],
			['a port in front', ':8080/api'],
			['a dot in front', '.evil.example/api'],
			['a backslash', '/\\evil.example/api'],
			['a backslash inside', '/api\\v1'],
			['climbing', '/api/v1/../../admin'],
			['climbing at the end', '/api/v1/..'],
			['a single dot', '/api/./v1'],
			['climbing, encoded', '/api/v1/%2e%2e/admin'],
			['climbing, half encoded', '/api/v1/.%2E/admin'],
			['an encoded slash', '/api/v1/..%2fadmin'],
			['an encoded backslash', '/api/v1/..%5cadmin'],
			['encoded twice', '/api/v1/%252e%252e/admin'],
			['an encoded at sign', '/%40evil.example'],
			['an encoded line break', '/api/v1/event%0d%0aX-Evil: 1'],
			['a space inside', '/api/v1/event track'],
			['a line break inside', '/api/v1/event\r\nX-Evil: 1'],
			['a tab inside', '/api/v1/\tevent'],
			['a fragment', '/api/v1/event#track'],
			['a space in the query', '/api/v1/event?a=b c'],
			['a fragment in the query', '/api/v1/event?a=1#b'],
			['a query alone', '?a=1'],
			['letters beyond ASCII', '/api/v1/événement'],
			['a full-width slash', '/api/v1／event'],
			['a number', 42],
		],
	});
});
