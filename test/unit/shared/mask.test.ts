import fc from 'fast-check';

import { placeOfMistake } from '../../../nodes/CustomerMessaging/shared/formatting';
import { createMask, maxDepth } from '../../../nodes/CustomerMessaging/shared/mask';

const number = '20250117';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** How servers write a whole text, in addition to base64: as it is, for a URL in small letters, and for JSON in PHP. */
const forms = [
	(text: string) => text,
	(text: string) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
	(text: string) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
];

it('No form of any secret is left in a text that holds several', () => {
	const visible = fc.string({
		unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
		minLength: 8,
		maxLength: 40,
	});
	const part = fc.oneof(fc.constantFrom(...forms, base64), fc.string());
	fc.assert(
		fc.property(visible, visible, fc.array(part, { maxLength: 4 }), (one, other, parts) => {
			const write = (secret: string) =>
				parts.map((part) => (typeof part === 'string' ? part : part(secret))).join(' ');
			const result = createMask([one, other]).text(`${write(one)} ${write(other)}`);
			for (const form of forms)
				for (const secret of [one, other]) expect(result).not.toContain(form(secret));
		}),
	);
});

const mask = createMask([number]);

it('A secret is masked beside other digits, in base64, and in capital and small letters', () => {
	expect(mask.text(`id 99${number}99`)).toBe('id 99…99');
	expect(mask.text(base64(`b:${number}`))).toBe('Yjo…w==');
	expect(createMask(['Key-of-Acme']).text('key-of-acme KEY-OF-ACME')).toBe('… …');
});

it('All is left alone where the secret is shorter than eight characters, or where there is none', () => {
	for (const mask of [createMask(['2025011']), createMask([])]) {
		expect(mask.text('2025011')).toBe('2025011');
		expect(mask.value(2025011)).toBe(2025011);
	}
});

describe('A value', () => {
	it('is masked as a number only where its digits are the secret', () => {
		expect(mask.value([20250117, 1202501170, -20250117])).toEqual(['…', 1202501170, -20250117]);
		expect(createMask(['00012345']).value([12345, '00012345'])).toEqual([12345, '…']);
		expect(createMask(['12345678.5']).value([12345678.5, 12345678])).toEqual(['…', 12345678]);
	});

	it('keeps names that mean something to JavaScript as plain data', () => {
		const json = (key: string) =>
			`{"__proto__":{"key":"${key}"},"constructor":{"prototype":"${key}"}}`;
		const result = mask.value(JSON.parse(json(number))) as object;
		expect(JSON.stringify(result)).toBe(json('…'));
		expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
	});

	it('is cut for n8n where it is nested more deeply than allowed', () => {
		const around = (text: string, times: number) =>
			'[{"a":'.repeat(times) + text + '}]'.repeat(times);
		const masked = (json: string) => JSON.stringify(mask.value(JSON.parse(json)));
		expect(masked(around('1', maxDepth / 2))).toBe(around('1', maxDepth / 2));
		for (const inside of [`"${number}"`, '1'])
			expect(masked(around(inside, 10_000))).toBe(around('"… (nested too deeply)"', maxDepth / 2));
	});

	it('loses every secret, keeps all else, and is not changed itself', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (inside) => {
				const clean = JSON.stringify(inside);
				expect(mask.value(inside)).toBe(inside);
				expect(mask.value({ inside, key: number })).toEqual({ inside, key: '…' });
				expect(JSON.stringify(inside)).toBe(clean);
			}),
		);
	});
});

test('The log learns where a mistake happened, and not what it says', () => {
	const mistake = new TypeError("Anna's\n    at anna.ts:1:1");
	expect(placeOfMistake(mistake)).toMatch(/^TypeError in mask\.test\.ts:\d+:\d+$/);
	expect(placeOfMistake('Anna')).toBe('unknown');
	mistake.stack = undefined;
	expect(placeOfMistake(mistake)).toBe('TypeError');
});
