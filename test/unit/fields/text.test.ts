import fc from 'fast-check';

import type { Field } from '../../../nodes/CustomerMessaging/fields/field';
import { leftoverIn } from '../../../nodes/CustomerMessaging/fields/nobody';
import {
	characterCount,
	isLongerThan,
	identifier,
	isExact,
	key,
	line,
	text,
} from '../../../nodes/CustomerMessaging/fields/text';
import { quote } from '../../../nodes/CustomerMessaging/shared/formatting';
import { look, outcomeOf } from './support/outcome';

// Thousands of random texts, counted in two ways.
jest.setTimeout(60_000);

test.each([
	['', 0],
	['plain', 5],
	['nai\u0308ve', 5],
	['👨‍👩‍👧‍👦', 1],
	['👩🏽‍🚀', 1],
	['🇮🇳🇩🇪', 2],
	['नि', 1],
	['\u1112\u1161\u11ab', 1],
	['a\r\nb', 3],
	['a\n\nb', 4],
	// Halves of emoji, each counted.
	['\ud83d'.repeat(1_000), 1_000],
])('%j has %d characters', (words, count) => {
	expect(characterCount(words)).toBe(count);
});

test.each([
	['abcd', 3, true],
	['😀😀😀😀', 3, true],
	['e\u0301'.repeat(3), 3, false],
	['e\u0301'.repeat(4), 3, true],
	['a', 0, true],
])('%j is longer than %d characters: %p', (words, most, isLonger) => {
	expect(isLongerThan(words, most)).toBe(isLonger);
});

test('The length of a text does not affect how its characters are counted', () => {
	const pieces = [
		'\u0301',
		'\u200d',
		'\ud83d',
		'\udc4d',
		'\r\n',
		'क्षि',
		'👨‍👩‍👧',
		'👍🏻',
		'🏻',
		'🇩🇪',
		'🇮',
	];
	const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
	const before = fc.integer({ min: 480, max: 510 }).map((length) => 'a'.repeat(length));
	const after = fc.array(fc.constantFrom('a', ...pieces), { maxLength: 12 });
	fc.assert(
		fc.property(before, after, (start, rest) => {
			const value = start + rest.join('');
			expect(characterCount(value)).toBe([...segmenter.segment(value)].length);
		}),
		{ numRuns: 500 },
	);
	expect(characterCount('a'.repeat(1_000_000))).toBe(1_000_000);
	expect(characterCount(`${'a\u0301'.repeat(50_000)}${'\u0301'.repeat(50_000)}`)).toBe(50_000);
});

test('A value in a message is put in quotes, on one line, and cut if it is long', () => {
	expect(quote('a\n\tb   c')).toBe("'a b c'");
	expect(quote('x'.repeat(40))).toBe(`'${'x'.repeat(40)}'`);
	expect(quote('x'.repeat(10_000))).toMatch(/^'x{40,70}…'$/);
});

test.each([
	[0, true],
	[2 ** 53 - 1, true],
	[2 ** 53, false],
	[-(2 ** 53), false],
	[Infinity, false],
	[NaN, false],
])('JavaScript holds %p exactly: %p', (value, expected) => {
	expect(isExact(value)).toBe(expected);
});

const rounded =
	'is a number with so many digits that n8n has rounded it already. Take a column that holds it as text, or have the source give it as text';
const noResult =
	'is a calculation without a result, for instance because a value is missing. Correct the expression';
const [aText, aLine, aKey, anIdentifier] = [text, line, key, identifier].map((make): Field =>
	make('Title', look),
) as [Field, Field, Field, Field];

test.each([
	[undefined, 'is empty. Fill it in'],
	['\u00a0 \n', 'is empty. Fill it in'],
	[['a'], 'must be text, but it is a list'],
	[true, 'must be text, but it is of type boolean'],
	[2 ** 53, rounded],
	[NaN, noResult],
])('A text cannot be %j: it %s', (value, message) => {
	expect(outcomeOf(aText, value)).toBe(`Title ${message}`);
});

test.each([
	[0, "must be text or a whole number (1 or more), but it is '0'"],
	[1.5, "must be text or a whole number (1 or more), but it is '1.5'"],
	['', 'is empty. Fill it in'],
	[2 ** 53, rounded],
	[Infinity, noResult],
])('An identifier cannot be %j: it %s', (value, message) => {
	expect(outcomeOf(anIdentifier, value)).toBe(`Title ${message}`);
});

test.each([
	[
		'a\ud83d',
		'contains half a character, for instance of an emoji that was cut in two. Cut the text elsewhere',
	],
	['a\u0000b', 'contains an invisible character. Remove it'],
])('No kind of text can hold what cannot be sent: %j', (value, message) => {
	for (const field of [aText, aLine, aKey, anIdentifier])
		expect(outcomeOf(field, value)).toBe(`Title ${message}`);
});

test.each(['a\nb', 'a\r\nb', 'a\u0085b', 'a\u2028b', 'a\u2029b'])(
	'Only a text may have several lines: %j',
	(value) => {
		expect(outcomeOf(aText, value)).toBe(value);
		for (const field of [aLine, aKey, anIdentifier])
			expect(outcomeOf(field, value)).toBe('Title contains a line break. Write it on one line');
	},
);

test('A text keeps its spaces, and a line and a key lose those and line breaks at their ends', () => {
	expect(outcomeOf(aText, ' a ')).toBe(' a ');
	for (const field of [aLine, aKey])
		for (const value of [' a b ', '\na b\r\n']) expect(outcomeOf(field, value)).toBe('a b');
});

describe('What an expression leaves in a text', () => {
	it.each([
		['Hello undefined', "'undefined'"],
		['undefined, your order', "'undefined'"],
		['<a href="undefined">', "'undefined'"],
		['undefinedhttps://shop.example/a', "'undefined'"],
		['<!-- a --><b>undefined</b>', "'undefined'"],
		['Hello undefined <!-- a --> and welcome', "'undefined'"],
		['Hello undefined<!-- a -->Welcome', "'undefined'"],
		['<script>unclosed undefined', "'undefined'"],
		['Total: $NaN', "'NaN'"],
		['NaN% off', "'NaN'"],
		['Hi [object Object]!', "'[object Object]'"],
		['Hi {{\n$json.name\n}}, hello', "'{{ $json.name }}'"],
		['<style>a{b:c}</style>{{x}}', "'{{x}}'"],
		['1{{ a }}', "'{{ a }}'"],
		['}}{{ a }}', "'{{ a }}'"],
		['{{}}', "'{{}}'"],
	])('%j is refused for %s', (words, found) => {
		expect(leftoverIn(words)).toContain(`contains ${found}, which`);
	});

	it.each([
		...['', 'Undefined behaviour', 'an undefined-behaviour test', 'object Object'],
		...['see http://shop.example/undefined', 'see https://shop.example/undefined }}'],
		'<a href="https://shop.example/undefined/x">Shop</a>',
		'<style>.undefined { } a::after { content: "{{ }}" }</style>',
		'<SCRIPT>if (x === undefined) {{ }}</SCRIPT >',
		...['<!-- {{ a }} --> text', '{{ never closed', '{{}', 'curly } { and { one } and }} {{'],
	])('%j is allowed', (words) => {
		expect(leftoverIn(words)).toBeUndefined();
	});

	it('is allowed where the option says so', () => {
		expect(outcomeOf(aText, 'undefined')).toBe(
			"Title contains 'undefined', which an expression leaves where a value is missing or is not text. Correct the expression, or turn on 'Skip Text Check' if customers are to read it",
		);
		expect(aText.schemaWith?.({ skipTextCheck: true }).parse('undefined')).toBe('undefined');
	});
});
