import fc from 'fast-check';

import { smsParts, smsTexts } from '../../../nodes/CustomerMessaging/fields/smsParts';
import * as fields from '../../../nodes/CustomerMessaging/fields/text';
import { usedMs } from '../../engine/support/clock';
import { look, outcomeOf } from './support/outcome';

// Thousands of random texts, counted in two ways.
jest.setTimeout(60_000);

test('The length of a text does not affect how its characters are counted', () => {
	const pieces = ['\u0301', '\u200d', '\ud83d', '\udc4d', '\r\n', 'क्षि', '👨‍👩‍👧', '🏻', '🇩🇪', '🇮'];
	const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
	const before = fc.integer({ min: 480, max: 510 }).map((length) => 'a'.repeat(length));
	const after = fc.array(fc.constantFrom('a', ...pieces), { maxLength: 12 });
	const check = (start: string, rest: string[]) => {
		const value = start + rest.join('');
		expect(fields.characterCount(value)).toBe([...segmenter.segment(value)].length);
	};
	fc.assert(fc.property(before, after, check), { numRuns: 500 });
});

const longAndShort = 'e'.repeat(999) + '\u0301'.repeat(1_001);
test.each([
	['accents, then letters', '\u0301'.repeat(128_000) + 'e'.repeat(128_000), 128_001],
	['halves of emoji', '\ud83d'.repeat(256_000), 256_000],
	['long characters and short ones', longAndShort.repeat(128), 127_872],
])('A text of 256,000 %s is counted at once, and no further than a limit', (_, value, count) => {
	const startedMs = usedMs();
	expect(fields.characterCount(value, 256_000)).toBe(count);
	for (const most of [70, 10_000]) expect(fields.isLongerThan(value, most)).toBe(true);
	expect(fields.characterCount(value)).toBeUndefined();
	expect(fields.firstCharacters(value, 130)).toMatch(/^[^]{129,}…$/);
	expect(usedMs() - startedMs).toBeLessThan(4_000);
});

const rounded =
	'is a number with so many digits that n8n has rounded it already. Take a column that holds it as text, or have the source give it as text';
const noResult =
	'is a calculation without a result, for instance because a value is missing. Correct the expression';
const half =
	'contains half a character, for instance of an emoji that was cut in two. Cut the text elsewhere';
const control = 'contains an invisible character. Remove it';
const broken = 'contains a line break. Write it on one line';
const noId = 'must be text or a whole number (1 or more), but it is';

const all = {
	text: fields.text('Title', look),
	line: fields.line('Title', look),
	key: fields.key('Title', look),
	identifier: fields.identifier('Title', look),
};

test.each<[keyof typeof all, unknown, string]>([
	['text', undefined, 'is empty. Fill it in'],
	['text', '\u00a0 \n', 'is empty. Fill it in'],
	['text', true, 'must be text, but it is of type boolean'],
	['text', NaN, noResult],
	['identifier', '', 'is empty. Fill it in'],
	['identifier', 2 ** 53, rounded],
	['identifier', 0, `${noId} '0'`],
	['identifier', 1.5, `${noId} '1.5'`],
	['text', 'a\ud83d', half],
	['text', 'a\u0000b', control],
	...['a\nb', 'a\r\nb', 'a\u0085b', 'a\u2028b', 'a\u2029b'].map(
		(value): ['line', string, string] => ['line', value, broken],
	),
	['key', 'a\nb', broken],
	['identifier', 'a\nb', broken],
])('A field for a %s cannot be %j: it %s', (kind, value, message) => {
	expect(outcomeOf(all[kind], value)).toBe(`Title ${message}`);
});

test('A text keeps its spaces and lines, and a line and a key lose those at their ends', () => {
	for (const value of [' a ', 'a\nb', 'a\r\nb', 'a\u0085b', 'a\u2028b', 'a\u2029b'])
		expect(outcomeOf(all.text, value)).toBe(value);
	for (const field of [all.line, all.key])
		for (const value of [' a b ', '\na b\r\n']) expect(outcomeOf(field, value)).toBe('a b');
});

// The euro sign and brackets take two places, and line breaks of Windows are no GSM-7 to the library.
const characters = [...'aZ09 @£$¥èéùìòÇØøÅåΔΩÆæßÉ_¤¡Ä§¿à?!"#%&\'()*+,-./:;<=>\n\r€[]^{}|~\\`ç–ж😀'];

test('The parts of an SMS are counted as the library splits the text, also where that is quicker', () => {
	const check = (message: string) => {
		const { parts = [], encoding } = smsTexts(message) ?? {};
		expect([message, smsParts(message)]).toEqual([message, { parts: parts.length, encoding }]);
	};
	for (const one of characters) check(one.repeat(160 / one.length));
	fc.assert(
		fc.property(
			fc.integer({ min: 100, max: 320 }),
			fc.constantFrom(...characters),
			(length, last) => check('a'.repeat(length) + last),
		),
	);
});

const typographic = [...'‐‑‒–—―−‘’‚‛′“”„‟″«»…\u00a0\u2002\u2003\u2009\u202f'];
test.each(typographic)('The character %j is replaced by what takes one place', (one) => {
	const plain = fields.replaceTypographic(one);
	expect(smsParts(plain.repeat(160 / plain.length))).toEqual({ parts: 1, encoding: 'GSM-7' });
});

test('Only typographic characters are replaced', () => {
	const text = 'Привет 😀 naïve ñ €5 [x] `y´';
	expect(fields.replaceTypographic(text)).toBe(text);
	expect(fields.replaceTypographic(`“${text}” – 10…`)).toBe(`"${text}" - 10...`);
});
