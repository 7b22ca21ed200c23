import * as order from './support/orders';
import { itRefuses, noText } from './support/refusing';
import { useSandbox } from './support/service';

const sandbox = useSandbox();
const mapped = {
	resource: 'event',
	operation: 'track',
	event_name: 'Order Placed',
	dataMode: 'autoMapInputData',
};

describe('event_time', () => {
	itRefuses(sandbox, {
		field: 'event_time',
		parameters: { ...order.trackEvent, scheduleTimezone: 'Europe/Berlin' },
		good: '2026-11-01T09:30',
		bad: [
			['a word', 'yesterday'],
			['spaces', '  '],
			['epoch milliseconds', 1_793_525_400_000],
			['a day without a time', '2026-11-01'],
			['a day that does not exist', '2026-02-30T09:30'],
			['an hour that does not exist', '2026-11-01T24:30'],
			['an offset that does not exist', '2026-11-01T09:30+19:00'],
			['a time that a clock change skips', '2026-03-29T02:30'],
			['a time after the year 9998', '9999-06-01T00:00:00Z'],
			['a list', ['2026-11-01T09:30']],
			['true', true],
		],
	});
});

describe('scheduleTimezone', () => {
	itRefuses(sandbox, {
		field: 'scheduleTimezone',
		parameters: { ...order.trackEvent, event_time: '2026-11-01T09:30' },
		good: 'Europe/Berlin',
		bad: [
			['a place that is no zone', 'Mars/Olympus'],
			['an offset', '+01:00'],
			['a number', 1],
		],
	});
});

describe('attributes', () => {
	const assignments = [
		{
			id: '1',
			name: '={{ $json.attribute.name }}',
			value: '={{ $json.attribute.value }}',
			type: '={{ $json.attribute.type }}',
		},
		{ id: '2', name: 'total', value: 49.9, type: 'number' },
	];
	const named = (name: unknown, value: unknown = 'x', type = 'any') => ({ name, value, type });
	itRefuses(sandbox, {
		field: 'attributes',
		column: 'attribute',
		parameters: { ...order.trackEvent, attributes: { assignments } },
		good: named('city'),
		bad: [
			['no name', named('')],
			['__proto__', named('__proto__')],
			['a name that is there twice', named('total')],
			['too large an integer', named('points', 2 ** 53)],
			['text as a number', named('points', 'many', 'number')],
		],
	});
});

describe('attributes as a whole', () => {
	itRefuses(sandbox, {
		field: 'attributes',
		parameters: order.trackEvent,
		good: { assignments: [] },
		bad: [
			['text', 'total'],
			['names and values', { total: 49.9 }],
		],
	});
});

describe('Columns of the input', () => {
	describe('the column of the ID', () => {
		itRefuses(sandbox, {
			field: 'userID',
			column: 'customerId',
			parameters: { ...mapped, userIdField: 'customerId' },
			good: 'C-1',
			bad: noText,
		});
	});

	describe('a column that becomes an attribute', () => {
		itRefuses(sandbox, {
			field: 'points',
			column: 'points',
			parameters: { ...mapped, userIdField: 'line' },
			good: 42,
			bad: [
				['too large an integer', 2 ** 53],
				['infinity', Infinity],
			],
		});
	});
});

describe.each([
	[
		'ltv',
		49.9,
		[
			['text', 'much'],
			['a decimal comma', '49,90'],
			['too large an integer', 2 ** 53],
			['infinity', Infinity],
			['true', true],
			['a list', [49.9]],
		],
	],
	[
		'extraEventFields',
		{ context: { app: 'web' } },
		[
			['a list', '[1]'],
			['broken JSON', '{'],
			['a key that the node sets', { userID: 'C-2' }],
			['the time', { event_time: '2026-11-01 09:30:00' }],
			['the name', '{ "event_name": "x" }'],
			['__proto__', '{ "__proto__": { "a": 1 } }'],
		],
	],
	['extraBodyFields', { source: 'shop' }, [['the list of events', { nv: [] }]]],
] as Array<[string, unknown, Array<[string, unknown]>]>)('%s', (field, good, bad) => {
	itRefuses(sandbox, {
		field,
		isAdditional: true,
		parameters: order.trackEvent,
		good,
		bad,
	});
});
