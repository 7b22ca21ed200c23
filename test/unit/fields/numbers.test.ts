import * as values from '../../../nodes/CustomerMessaging/fields/values';
import { look, outcomeOf, rowsOf } from './support/outcome';

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
