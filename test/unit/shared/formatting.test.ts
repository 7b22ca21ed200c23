import {
	count,
	errorMessage,
	formatSpan,
	given,
	itemNumbers,
	listed,
	nameAudience,
	quote,
	ranges,
} from '../../../nodes/CustomerMessaging/shared/formatting';

/** Fails wherever it is converted to text. */
const unreadable = Object.create(null) as unknown;

describe('A value in a message', () => {
	it.each([
		['is quoted', 'Anna', "'Anna'"],
		['is on one line', 'Anna \r\n\t Berger', "'Anna Berger'"],
		['is whole with 60 characters', 'x'.repeat(60), `'${'x'.repeat(60)}'`],
		['is shortened to 60 characters', 'x'.repeat(61), `'${'x'.repeat(60)}…'`],
		['is not cut within an emoji', `${'x'.repeat(59)}😀`, `'${'x'.repeat(59)}\ufffd…'`],
		['shows a control character as one that cannot be read', 'a\u0000b', "'a\ufffdb'"],
		['shows half an emoji as a character that cannot be read', 'a\ud83db', "'a\ufffdb'"],
		['is called an object where it cannot be converted', unreadable, "'an object'"],
	])('%s', (_, value, expected) => {
		expect(quote(value)).toBe(expected);
	});

	it.each([
		[undefined, 'empty'],
		[null, 'empty'],
		['', 'empty'],
		[0, "'0'"],
		[false, "'false'"],
		[[], 'a list or object'],
		[{}, 'a list or object'],
	])('that was given instead of another is named: %p', (value, expected) => {
		expect(given(value)).toBe(expected);
	});

	it.each([
		[new Error('the reason'), 'the reason'],
		['a text that was thrown', 'a text that was thrown'],
		[undefined, 'undefined'],
		[unreadable, 'an object'],
	])('that was thrown is told, whatever it is: %p', (thrown, expected) => {
		expect(errorMessage(thrown)).toBe(expected);
	});
});

test.each([
	[0, '0 requests'],
	[1, '1 request'],
	[2, '2 requests'],
])('%i is counted as a person would say it', (number, expected) => {
	expect(count(number, 'request')).toBe(expected);
});

test.each([
	[400, '0 s'],
	[59_499, '59 s'],
	[59_500, '1 min 0 s'],
	[130_000, '2 min 10 s'],
	[3_661_000, '61 min 1 s'],
])('A wait of %i ms is told in whole minutes and seconds', (ms, expected) => {
	expect(formatSpan(ms)).toBe(expected);
});

describe('Item numbers', () => {
	it('that follow each other are a range, and the others stand alone', () => {
		expect(ranges([0, 2, 3, 4, 6, 7])).toBe('0, 2–4, 6–7');
		expect(itemNumbers([0, 2, 3, 4, 6, 7])).toBe('0, 2–4, 6–7');
	});

	it('are all named in 20 ranges', () => {
		const even = Array.from({ length: 20 }, (_, index) => 2 * index);
		expect(itemNumbers(even)).toBe(even.join(', '));
	});

	it('beyond the twentieth range are counted, however many items a range has', () => {
		const alone = Array.from({ length: 19 }, (_, index) => 2 * index);
		const thousand = Array.from({ length: 1_000 }, (_, index) => 100 + index);
		expect(itemNumbers([...alone, ...thousand, 2_000, 2_001, 3_000])).toBe(
			`${alone.join(', ')}, 100–1099 and 3 more`,
		);
	});
});

test('Of a list, five entries are named and the others counted', () => {
	expect(listed(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c, d, e');
	expect(listed(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 more');
});

test('An audience is named with its platform, where it has one', () => {
	expect(nameAudience({ audience: 'segment 42', platform: 'android' })).toBe(
		'segment 42 on android',
	);
	expect(nameAudience({ audience: 'everyone' })).toBe('everyone');
});
