import * as order from '../../support/orders';
import * as places from '../support/places';

const { inAdditional, inColumn, inField, inWorkflow, refusedAt } = places;

const mapped = { ...order.createUser, dataMode: 'autoMapInputData' };
const extraOf = (parameters: Parameters<typeof inAdditional>[0]) =>
	inAdditional(parameters, 'extraBodyFields');

/** As JSON.parse gives it: an own key of that name. */
const own = (): unknown => JSON.parse('{ "__proto__": { "polluted": true } }');

export const pollution: places.Group[] = [
	refusedAt(extraOf(order.pushSend), {
		'a prototype': ['{ "a": 1, "__proto__": { "polluted": true } }', own()],
		'a prototype with an escape': ['{ "\\u005f_proto__": { "polluted": true } }'],
		'a constructor deep inside a list': ['{ "a": [{ "constructor": { "prototype": {} } }] }'],
		'a key the node sets, given twice': ['{ "user_id": "C-2", "user_id": "C-3" }'],
		'no JSON': ['(() => ({}))()', '{ "a": 1 /* b */ }', '{ "a": 1, }', '{\ufeff"a": 1 }'],
	}),
	refusedAt(inAdditional(order.trackEvent, 'extraEventFields'), {
		'a constructor deep inside': ['{ "a": { "constructor": { "polluted": true } } }'],
	}),
	refusedAt(inField(order.customPost, 'body'), {
		'a prototype in a list': ['[{ "__proto__": { "x": true } }]'],
	}),
	refusedAt(places.inAttributeName, {
		'a prototype': [' __proto__ ', 'prototype', ['__proto__']],
		'nothing, or the name of another one': [null, '', ' tier '],
	}),
	refusedAt(inColumn('__proto__'), { 'a column of that name': [{ polluted: true }] }),
	refusedAt(inColumn('profile'), { 'a prototype deep inside': [own()] }),
	refusedAt(inWorkflow(mapped, 'userIdField', 'userID'), {
		'what every object has': ['__proto__', 'toString'],
	}),
];

export const numbers: places.Group[] = [
	refusedAt(inField({ ...order.pushToSegment, maxBroadcasts: 99 }, 'segment_id'), {
		'zero, which might mean everyone, or less': [0, -0, -Infinity],
		'too large a number': [2 ** 53 + 2, '9'.repeat(400), 42n],
		'no digits of base ten': ['0o52', '٤٢', '４２', '42 OR 1=1'],
		'signs between or around the digits': ['1.042', '4 2', '+42', '42%', '42,43'],
		'an object': [{ valueOf: () => 42 }, new Date(42)],
	}),
	refusedAt(places.inOption(order.pushSend, 'requestTimeout'), {
		'more than a timer holds, or nothing': [3_000_000, 0],
	}),
	refusedAt(places.inOption(order.pushSend, 'maxWait'), {
		'no number of minutes': [NaN, Infinity, -1, 10_001, '={{ "long" }}'],
	}),
	refusedAt(places.inOption(order.trackEvent, 'batchSize'), { 'no such size': [0, 1.5, 1_001] }),
	refusedAt(places.inOption(order.pushSend, 'previewOnly'), { 'neither yes nor no': ['maybe'] }),
	refusedAt(inWorkflow(order.pushToAll, 'maxBroadcasts'), { 'no such number': [0, 1.5] }),
	refusedAt(inWorkflow(order.pushToAll, 'testRuns'), { 'no such choice': ['Send'] }),
];

function circular(): object {
	const loop: Record<string, unknown> = {};
	loop.self = loop;
	return loop;
}

/** Values that JSON cannot contain, and values of the wrong type. */
export const values: places.Group[] = [
	refusedAt(inField(order.pushSend, 'title'), {
		'what is no text': [10n, Symbol('title'), () => 'Sale', Promise.resolve('Sale')],
		'an object': [{ toString: () => 'Sale' }, Buffer.from('Sale'), circular()],
	}),
	refusedAt(inField(order.pushSend, 'user_id'), {
		'what is no ID': [10n, ['C-1', 'C-2'], { $ne: null }, false],
	}),
	...[
		inWorkflow(order.pushSend, 'resource', 'operation'),
		inWorkflow(order.pushSend, 'operation'),
		inWorkflow(order.pushSend, 'authentication', 'operation'),
		inWorkflow(order.customPost, 'host'),
		inWorkflow(order.customPost, 'api'),
	].map((place) => refusedAt(place, { 'an unknown one': ['fax', '__proto__'] })),
	refusedAt(extraOf(order.pushSend), {
		'what is no object': [10n, Promise.resolve({}), { toJSON: () => 'text' }],
		'what JSON cannot contain': [new Map([['channel', 'promo']]), { at: new Date(NaN) }],
	}),
	// n8n reads the whole collection at once.
	refusedAt({ ...extraOf(order.pushSend), field: 'additionalFields' }, { itself: [circular()] }),
	refusedAt(inField(order.customPost, 'body'), {
		'what JSON cannot contain': [[1n], new Date(0), circular()],
	}),
	...[places.inAttributeValue, inColumn('points')].map((place) =>
		refusedAt(place, {
			'what JSON cannot contain': [() => 1, { a: [{ b: Infinity }] }, circular()],
		}),
	),
];
