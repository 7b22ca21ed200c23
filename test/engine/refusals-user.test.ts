import * as order from './orders';
import { itRefuses, noText } from './refusing';
import { useSandbox } from './service';

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
	const attributes = [
		{ name: '={{ $json.attribute.name }}', value: '={{ $json.attribute.value }}' },
		{ name: 'tier', value: 'gold' },
	];
	const named = (name: unknown, value: unknown = 'x') => ({ name, value });
	itRefuses(sandbox, {
		field: 'customAttributes',
		column: 'attribute',
		parameters: { ...order.createUser, name: 'Ravi Iyer', customAttributes: { attributes } },
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
		],
	});
});

describe('columns of the input', () => {
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

describe('the column of the ID', () => {
	itRefuses(sandbox, {
		field: 'userID',
		column: 'customerId',
		parameters: { ...mapped, userIdField: 'customerId' },
		good: 'C-1',
		bad: noText,
	});
});
