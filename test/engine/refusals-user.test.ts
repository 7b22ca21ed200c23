import * as order from './support/orders';
import { itRefuses, noText } from './support/refusing';
import { useSandbox } from './support/service';

const sandbox = useSandbox();
const mapped = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };

describe('name', () => {
	itRefuses(sandbox, {
		field: 'name',
		parameters: order.createUser,
		good: 'Ravi Iyer',
		bad: [
			['an object', { first: 'Ravi' }],
			['a list', ['Ravi']],
			['true', true],
			['spaces', '  '],
		],
	});
});

describe('customAttributes', () => {
	const assignments = [
		{
			id: '1',
			name: '={{ $json.attribute.name }}',
			value: '={{ $json.attribute.value }}',
			type: '={{ $json.attribute.type }}',
		},
		{ id: '2', name: 'tier', value: 'gold', type: 'string' },
	];
	const named = (name: unknown, value: unknown = 'x', type = 'any') => ({ name, value, type });
	const typed = (type: string, value: unknown) => named('points', value, type);
	itRefuses(sandbox, {
		field: 'customAttributes',
		column: 'attribute',
		parameters: { ...order.createUser, name: 'Ravi Iyer', customAttributes: { assignments } },
		good: named('city'),
		bad: [
			['no name', named('')],
			['spaces for a name', named('  ')],
			['a name that is a number', named(7)],
			['__proto__', named('__proto__')],
			['constructor', named('constructor')],
			['a name that is there twice', named('tier')],
			['a name that is there twice but for spaces', named(' tier ')],
			['a name that has its own field', named('name')],
			['too large an integer', named('points', 2 ** 53)],
			['too large an integer deep inside', named('points', { a: [2 ** 60] })],
			['a list as text', typed('string', ['a'])],
			['an object as text', typed('string', { a: 1 })],
			['too large an integer as text', typed('string', 2 ** 53)],
			['text as a number', typed('number', 'many')],
			['a decimal comma', typed('number', '1,5')],
			['spaces as a number', typed('number', '  ')],
			['true as a number', typed('number', true)],
			['too large an integer in text', typed('number', '9007199254740993')],
			['too large a number in text', typed('number', '1e999')],
			['1 as a boolean', typed('boolean', 1)],
			['text as a boolean', typed('boolean', 'maybe')],
			['text as a list', typed('array', 'a, b')],
			['an object as a list', typed('array', { a: 1 })],
			['text as an object', typed('object', '{ a: 1 }')],
			['a list as an object', typed('object', ['a'])],
			['too large an integer in a list', typed('array', [2 ** 53])],
		],
	});
});

describe('customAttributes as a whole', () => {
	itRefuses(sandbox, {
		field: 'customAttributes',
		parameters: order.createUser,
		good: { assignments: [] },
		bad: [
			['text', 'tier'],
			['a list', [{ name: 'tier', value: 'gold' }]],
			['names and values', { tier: 'gold' }],
			['assignments that are no list', { assignments: 'tier' }],
			['assignments without names', { assignments: ['tier'] }],
		],
	});
});

describe('Columns of the input', () => {
	const byLine = { ...mapped, userIdField: 'line' };
	const refuse = (column: string, good: unknown, bad: Array<[string, unknown]>) =>
		describe(column, () =>
			itRefuses(sandbox, { field: column, column, parameters: byLine, good, bad }),
		);

	refuse('email', 'ravi@example.com', [
		['no address', 'ravi'],
		['a list', ['ravi@example.com']],
	]);
	refuse('mobile', '+919812345679', [
		['no country code', '9812345679'],
		['a list', ['+919812345679']],
	]);
	refuse('name', 'Ravi Iyer', [
		['a list', ['Ravi']],
		['an object', { first: 'Ravi' }],
	]);
	refuse('points', 42, [
		['too large an integer', 2 ** 53],
		['too large an integer deep inside', { a: [2 ** 60] }],
		['infinity', Infinity],
	]);
	refuse('constructor', '', [['a name that objects have', 'x']]);
});

describe('The column of the ID', () => {
	itRefuses(sandbox, {
		field: 'userID',
		column: 'customerId',
		parameters: { ...mapped, userIdField: 'customerId' },
		good: 'C-1',
		bad: noText,
	});
});
