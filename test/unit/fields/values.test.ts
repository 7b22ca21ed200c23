import { exactInteger, integer, wholeNumber } from '../../../nodes/CustomerMessaging/fields/values';

const look = { reaches: 'nobody', modelMayFill: true } as const;

function messageOf(
	schema: { safeParse(value: unknown): { error?: { issues: Array<{ message: string }> } } },
	value: unknown,
) {
	return schema.safeParse(value).error?.issues.map(({ message }) => message);
}

describe('A whole number', () => {
	it.each([
		[0, 'Segment ID is not filled in. Enter a whole number, 1 or more'],
		['', 'Segment ID is not filled in. Enter a whole number, 1 or more'],
		[-1, "Segment ID must be a whole number, 1 or more, but it is '-1'"],
		[1.5, "Segment ID must be a whole number, 1 or more, but it is '1.5'"],
		['seven', "Segment ID must be a whole number, 1 or more, but it is 'seven'"],
		[[7], 'Segment ID must be a whole number, 1 or more, but it is a list or object'],
		[
			'9007199254740993',
			"Segment ID '9007199254740993' is larger than 9007199254740991, the largest whole number that can be sent exactly. Enter a smaller one",
		],
	])('says what is wrong with %j', (value, message) => {
		expect(messageOf(wholeNumber('Segment ID'), value)).toEqual([message]);
	});

	it.each(['1.0', '+7', '-7', '1e3', '0x10', '7x', 'x7', '1_000', '1,000', '1 000'])(
		'is not read from %j',
		(value) => {
			expect(messageOf(wholeNumber('Segment ID'), value)).toEqual([
				`Segment ID must be a whole number, 1 or more, but it is '${value}'`,
			]);
		},
	);

	it('may have a maximum', () => {
		const { schema } = integer('Batch Size', look, 100);
		expect(schema.parse(100)).toBe(100);
		expect(schema.parse('100')).toBe(100);
		for (const value of [101, '101', 100.5, Infinity])
			expect(messageOf(schema, value)).toEqual([
				`Batch Size '${value}' is larger than 100, the maximum. Enter a smaller one`,
			]);
		expect(messageOf(schema, '100.5')).toEqual([
			"Batch Size must be a whole number, 1 or more, but it is '100.5'",
		]);
		expect(messageOf(schema, [101])).toEqual([
			'Batch Size must be a whole number, 1 or more, but it is a list or object',
		]);
	});
});

describe('An int64', () => {
	it.each([
		['9223372036854775807', '9223372036854775807'],
		[' 009007199254740993 ', '9007199254740993'],
		['9007199254740991', '9007199254740991'],
		[42, '42'],
	])('may be %j', (value, digits) => {
		expect(String(exactInteger('Segment ID').parse(value))).toBe(digits);
	});

	it('is a number wherever a number can hold it', () => {
		expect(exactInteger('Segment ID').parse('9007199254740991')).toBe(9007199254740991);
		expect(exactInteger('Segment ID').parse(2 ** 53 - 1)).toBe(2 ** 53 - 1);
	});

	it.each([
		[
			'9223372036854775808',
			"Segment ID '9223372036854775808' is larger than 9223372036854775807. Enter a smaller one",
		],
		['seven', "Segment ID must be a whole number, 1 or more, but it is 'seven'"],
		[
			'9007199254740993x',
			"Segment ID must be a whole number, 1 or more, but it is '9007199254740993x'",
		],
		[
			2 ** 53,
			'Segment ID is a number with so many digits that n8n has rounded it already. Take a column that holds it as text, or have the source give it as text',
		],
		[Infinity, "Segment ID must be a whole number, 1 or more, but it is 'Infinity'"],
		['0', "Segment ID must be a whole number, 1 or more, but it is '0'"],
		[0, 'Segment ID is not filled in. Enter a whole number, 1 or more'],
	])('says what is wrong with %j', (value, message) => {
		expect(messageOf(exactInteger('Segment ID'), value)).toEqual([message]);
	});
});
