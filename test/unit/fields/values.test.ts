import {
	exactInteger,
	flag,
	integer,
	wholeNumber,
} from '../../../nodes/CustomerMessaging/fields/values';

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
		[null, 'Segment ID is not filled in. Enter a whole number, 1 or more'],
		[undefined, 'Segment ID is not filled in. Enter a whole number, 1 or more'],
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

	it('is never rounded', () => {
		for (const digits of ['9007199254740992', '9007199254740993', '18014398509481985']) {
			expect(wholeNumber('Segment ID').safeParse(digits).success).toBe(false);
		}
	});

	it('is a number in the form, empty at first', () => {
		expect(integer('Segment ID', { modelMayFill: true }).form).toMatchObject({
			type: 'number',
			default: null,
		});
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

	it.each([
		[
			'9223372036854775808',
			"Segment ID '9223372036854775808' is larger than 9223372036854775807. Enter a smaller one",
		],
		[2 ** 53, 'Segment ID is a number too large to be sent exactly. Pass it as text'],
		[Infinity, "Segment ID must be a whole number, 1 or more, but it is 'Infinity'"],
		['0', "Segment ID must be a whole number, 1 or more, but it is '0'"],
		['-1', "Segment ID must be a whole number, 1 or more, but it is '-1'"],
		[0, 'Segment ID is not filled in. Enter a whole number, 1 or more'],
	])('says what is wrong with %j', (value, message) => {
		expect(messageOf(exactInteger('Segment ID'), value)).toEqual([message]);
	});
});

describe('Yes or no', () => {
	it.each([
		[true, true],
		['true', true],
		[' False ', false],
		[false, false],
	])('reads %j', (value, read) => {
		expect(flag('DND', { modelMayFill: true }).schema.parse(value)).toBe(read);
	});

	it.each([
		[1, "'1'"],
		[0, "'0'"],
		['yes', "'yes'"],
		['', 'empty'],
		[null, 'empty'],
		[undefined, 'empty'],
		[{}, 'a list or object'],
	])('refuses %j', (value, shown) => {
		expect(messageOf(flag('DND', { modelMayFill: true }).schema, value)).toEqual([
			`DND must be true or false, but it is ${shown}`,
		]);
	});
});
