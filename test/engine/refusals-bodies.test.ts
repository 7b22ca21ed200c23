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
