import * as values from '../../../nodes/CustomerMessaging/fields/values';
import { look, outcomeOf, rowsOf } from './support/outcome';

const noNumber = (shown: unknown) =>
	`Segment ID must be a whole number, 1 or more, but it is ${String(shown)}`;
const notFilledIn = 'Segment ID is not filled in. Enter a whole number, 1 or more';
const tooLarge = (value: string, most: string) =>
	`Segment ID '${value}' is larger than ${most}. Enter a smaller one`;
const rounded =
	'Segment ID is a number with so many digits that n8n has rounded it already. Take a column that holds it as text, or have the source give it as text';
const inQuotes = (value: unknown) => noNumber(`'${String(value)}'`);

test.each<[unknown, unknown]>([
	...rowsOf<unknown>([0, ''], () => notFilledIn),
	...rowsOf<unknown>([-1, 1.5, '1.0', '+7', '1e3', '0x10', '7x', 'x7', '1,000'], inQuotes),
	[[7], noNumber('a list or object')],
	['9007199254740993', tooLarge('9007199254740993', '9007199254740991')],
])('A whole number is not %j: %s', (value, message) => {
	expect(outcomeOf({ schema: values.wholeNumber('Segment ID') }, value)).toBe(message);
});

test.each<[unknown, unknown]>([
	[100, 100],
	['100', 100],
	...rowsOf<unknown>(
		[101, '101', 100.5, Infinity],
		(value) => `Batch Size '${String(value)}' is larger than 100. Enter a smaller one`,
	),
	['100.5', "Batch Size must be a whole number, 1 or more, but it is '100.5'"],
])('A whole number with a maximum of 100 makes of %j: %s', (value, outcome) => {
	expect(outcomeOf(values.integer('Batch Size', look, 100), value)).toBe(outcome);
});

test.each<[unknown, unknown]>([
	['9223372036854775807', '9223372036854775807'],
	[' 009007199254740993 ', '9007199254740993'],
	[42, '42'],
	['9223372036854775808', tooLarge('9223372036854775808', '9223372036854775807')],
	...rowsOf<unknown>(['seven', '9007199254740993x', Infinity, '0'], inQuotes),
	[0, notFilledIn],
	[2 ** 53, rounded],
])('An int64 makes of %j: %s', (value, outcome) => {
	expect(String(outcomeOf({ schema: values.exactInteger('Segment ID') }, value))).toBe(outcome);
});

test.each<[unknown, unknown]>([
	...rowsOf([0, 1.5]),
	[' 1.25 ', 1.25],
	...rowsOf<unknown>(
		[-1, '1e3', 'x1', '1.', '', '1,5', NaN, Infinity, true, null, [1]],
		() => 'Frequency Capping must be a number of minutes from 0 to 10000',
	),
])('A duration in minutes makes of %j: %s', (value, outcome) => {
	expect(outcomeOf(values.minutes('Frequency Capping', look, 10_000), value)).toBe(outcome);
});

const noDecimal = 'LTV must be a number with a decimal point, such as 49.90, but it is';

test.each<[unknown, unknown]>([
	...rowsOf([49.9, -1, 0]),
	[' +49.90 ', 49.9],
	...rowsOf<unknown>(['49,900', 'x1', '1e3', true], (value) => `${noDecimal} '${String(value)}'`),
	['', `${noDecimal} empty`],
	[[1], `${noDecimal} a list or object`],
	...rowsOf<unknown>(
		[2 ** 53, '9007199254740993', NaN, Infinity],
		() => 'LTV is a number too large to be sent exactly. Enter a smaller one',
	),
])('A number makes of %p: %s', (value, outcome) => {
	expect(outcomeOf(values.number('LTV', look), value)).toBe(outcome);
});
