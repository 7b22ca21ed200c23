import {
	flag,
	inexactPath,
	integer,
	isUnsafeName,
	json,
	jsonObject,
	wholeNumber,
} from '../../../nodes/CustomerMessaging/fields/values';

function messageOf(schema: { safeParse(value: unknown): { error?: { issues: Array<{ message: string }> } } }, value: unknown) {
	return schema.safeParse(value).error?.issues.map(({ message }) => message);
}

describe('a whole number', () => {
	it.each([
		[0, 'Segment ID is not filled in. Enter a whole number from 1 on'],
		['', 'Segment ID is not filled in. Enter a whole number from 1 on'],
		[null, 'Segment ID is not filled in. Enter a whole number from 1 on'],
		[undefined, 'Segment ID is not filled in. Enter a whole number from 1 on'],
		[-1, "Segment ID must be a whole number from 1 on, but it is '-1'"],
		[1.5, "Segment ID must be a whole number from 1 on, but it is '1.5'"],
		['seven', "Segment ID must be a whole number from 1 on, but it is 'seven'"],
		[[7], 'Segment ID must be a whole number from 1 on, but it is a list or object'],
		[
			'9007199254740993',
			"Segment ID '9007199254740993' is larger than 9007199254740991, the largest whole number that can be sent exactly",
		],
	])('says what is wrong with %j', (value, message) => {
		expect(messageOf(wholeNumber('Segment ID'), value)).toEqual([message]);
	});

	it('is never rounded', () => {
		for (const digits of ['9007199254740992', '9007199254740993', '18014398509481985']) {
			expect(wholeNumber('Segment ID').safeParse(digits).success).toBe(false);
		}
	});

	it('is a number in the form, empty as 0', () => {
		expect(integer('Segment ID').form).toMatchObject({ type: 'number', default: 0 });
	});
});

describe('yes or no', () => {
	it.each([[true, true], ['true', true], [' False ', false], [false, false]])('reads %j', (value, read) => {
		expect(flag('DND').schema.parse(value)).toBe(read);
	});

	it.each([1, 0, 'yes', '', null, undefined, {}])('refuses %j', (value) => {
		expect(messageOf(flag('DND').schema, value)).toEqual(['DND must be true or false']);
	});
});

describe('JSON', () => {
	it('may be an object or a list, as text or as it is', () => {
		expect(json('Body').parse('{ "a": [1] }')).toEqual({ a: [1] });
		expect(json('Body').parse('[1]')).toEqual([1]);
		expect(json('Body').parse({ a: null })).toEqual({ a: null });
	});

	it.each(['', 'a', '1', 'null', '"a"', null, undefined, 1, true])('is not %j', (value) => {
		expect(messageOf(json('Body'), value)).toEqual([
			'Body is not valid JSON. Write an object such as { "key": "value" }',
		]);
	});

	it('says where a number stands that is not exact', () => {
		expect(messageOf(json('Body'), '{ "a": { "b": [1, 9007199254740993] } }')).toEqual([
			"Body holds, under 'a.b.1', a number too large for JavaScript to hold exactly. Write it as text, in quotes",
		]);
	});

	it('must be an object where fields are added to one', () => {
		expect(messageOf(jsonObject('Extra').schema, '[]')).toEqual(['Extra must be an object, not a list']);
	});

	it.each(['__proto__', 'constructor', 'prototype'])('must not hold the key %s', (name) => {
		expect(messageOf(jsonObject('Extra').schema, `{ "${name}": 1 }`)).toEqual([
			`Extra must not hold the key '${name}'`,
		]);
	});

	it('leaves the nature of objects alone', () => {
		jsonObject('Extra').schema.safeParse('{ "__proto__": { "polluted": true } }');
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});
});

it.each([
	['__proto__', true],
	['constructor', true],
	['prototype', true],
	['proto', false],
	['', false],
])('the name %j is unsafe: %p', (name, expected) => {
	expect(isUnsafeName(name)).toBe(expected);
});

it.each([
	[1, undefined],
	['9007199254740993', undefined],
	[null, undefined],
	[{ a: [1, { b: 2 }] }, undefined],
	[{ a: [1, { b: 2 ** 53 }] }, 'a.1.b'],
	[[Infinity], '0'],
	[2 ** 60, ''],
])('the first number that is not exact in %j stands at %j', (value, path) => {
	expect(inexactPath(value)).toBe(path);
});
