import fc from 'fast-check';

import {
	characterCount,
	isLongerThan,
	identifier,
	isExact,
	key,
	line,
	text,
} from '../../../nodes/CustomerMessaging/fields/text';
import type { Field } from '../../../nodes/CustomerMessaging/fields/field';
import { quote } from '../../../nodes/CustomerMessaging/shared/formatting';

const look = { reaches: 'nobody', modelMayFill: true } as const;

// Thousands of random texts, counted in two ways.
jest.setTimeout(60_000);

describe('Counting characters', () => {
	it.each([
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
	])('%j is %d', (words, count) => {
		expect(characterCount(words)).toBe(count);
	});

	it.each([
		['abcd', 3, true],
		['😀😀😀😀', 3, true],
		['e\u0301'.repeat(3), 3, false],
		['e\u0301'.repeat(4), 3, true],
		['a', 0, true],
	])('%j is longer than %d: %p', (words, most, isLonger) => {
		expect(isLongerThan(words, most)).toBe(isLonger);
	});
});

test('The length of a text does not affect how its characters are counted', () => {
	const pieces = [
		'a',
		'👍🏻',
		'👨‍👩‍👧',
		'🇩🇪',
		'🇮',
		'\u0301',
		'\u200d',
		'\ud83d',
		'\udc4d',
		'\r\n',
		'क्षि',
		'🏻',
	];
	const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
	const before = fc.integer({ min: 480, max: 510 }).map((length) => 'a'.repeat(length));
	const words = fc.tuple(before, fc.array(fc.constantFrom(...pieces), { maxLength: 12 }));

	fc.assert(
		fc.property(words, ([start, rest]) => {
			const value = start + rest.join('');
			expect(characterCount(value)).toBe([...segmenter.segment(value)].length);
		}),
		{ numRuns: 500 },
	);
	expect(characterCount('a'.repeat(1_000_000))).toBe(1_000_000);
	expect(characterCount(`${'a\u0301'.repeat(50_000)}${'\u0301'.repeat(50_000)}`)).toBe(50_000);
});

describe('A value in a message', () => {
	it('is put in quotes, on one line', () => {
		expect(quote('a\n\tb   c')).toBe("'a b c'");
	});

	it('is cut if it is long', () => {
		expect(quote('x'.repeat(40))).toBe(`'${'x'.repeat(40)}'`);
		expect(quote('x'.repeat(10_000))).toMatch(/^'x{40,70}…'$/);
	});
});

describe('Numbers that JavaScript holds exactly', () => {
	it.each([
		[0, true],
		[2 ** 53 - 1, true],
		[2 ** 53, false],
		[-(2 ** 53), false],
		[Infinity, false],
		[NaN, false],
	])('%p: %p', (value, expected) => {
		expect(isExact(value)).toBe(expected);
	});
});

describe('The sentence that says what is wrong', () => {
	const messageFor = ({ schema }: Field, value: unknown) =>
		schema.safeParse(value).error?.issues.map(({ message }) => message);

	it.each([
		[undefined, 'Title is empty. Fill it in'],
		['\u00a0 \n', 'Title is empty. Fill it in'],
		[['a'], 'Title must be text, but it is a list'],
		[true, 'Title must be text, but it is of type boolean'],
		[
			2 ** 53,
			'Title is a number with so many digits that n8n has rounded it already. Take a column that holds it as text, or have the source give it as text',
		],
		[
			NaN,
			'Title is a calculation without a result, for instance because a value is missing. Correct the expression',
		],
	])('of text that is %j', (value, message) => {
		expect(messageFor(text('Title', look), value)).toEqual([message]);
	});
	const half =
		'contains half a character, for instance of an emoji that was cut in two. Cut the text elsewhere';

	it.each([
		['a text', text('Title', look)],
		['a line', line('Title', look)],
		['a key', key('Title', look)],
		['an identifier', identifier('Title', look)],
	])('of %s with a character that cannot be sent', (_what, field) => {
		expect(messageFor(field, 'a\ud83d')).toEqual([`Title ${half}`]);
		expect(messageFor(field, 'a\u0000b')).toEqual([
			'Title contains an invisible character. Remove it',
		]);
	});

	it.each(['a\nb', 'a\r\nb', 'a\u0085b', 'a\u2028b', 'a\u2029b'])(
		'of %j, which is allowed only where a text may have several lines',
		(value) => {
			const message = 'Title contains a line break. Write it on one line';
			expect(text('Title', look).schema.parse(value)).toBe(value);
			for (const field of [line('Title', look), key('Title', look), identifier('Title', look)])
				expect(messageFor(field, value)).toEqual([message]);
		},
	);

	it.each([
		[0, "must be text or a whole number (1 or more), but it is '0'"],
		[1.5, "must be text or a whole number (1 or more), but it is '1.5'"],
		['', 'is empty. Fill it in'],
		[
			2 ** 53,
			'is a number with so many digits that n8n has rounded it already. Take a column that holds it as text, or have the source give it as text',
		],
		[
			Infinity,
			'is a calculation without a result, for instance because a value is missing. Correct the expression',
		],
	])('of an identifier that is %p', (value, message) => {
		expect(messageFor(identifier('Campaign ID', look), value)).toEqual([`Campaign ID ${message}`]);
	});
});

describe('What becomes of a value', () => {
	it('a text keeps its spaces, and a line and a key lose those at their ends', () => {
		expect(text('Title', look).schema.parse(' a ')).toBe(' a ');
		expect(line('Subject', look).schema.parse(' a b ')).toBe('a b');
		expect(key('User ID', look).schema.parse(' a b ')).toBe('a b');
	});

	it('a line and a key may have a line break at their ends, which is removed', () => {
		expect(line('Subject', look).schema.parse('\nBcc: a\r\n')).toBe('Bcc: a');
		expect(key('User ID', look).schema.parse('\na b\r\n')).toBe('a b');
	});
});
