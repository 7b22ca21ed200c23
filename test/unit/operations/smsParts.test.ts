import fc from 'fast-check';

import {
	findTypographic,
	replaceTypographic,
	smsText,
} from '../../../nodes/CustomerMessaging/fields/smsText';
import { smsParts, smsTexts } from '../../../nodes/CustomerMessaging/operations/smsParts';

const typographic = '‐‑‒–—―−‘’‚‛′“”„‟″«»…\u00a0\u2002\u2003\u2009\u202f';

describe('The parts of an SMS', () => {
	// The euro sign and brackets take two places, and line breaks of Windows are no GSM-7 to the library.
	const characters = [
		...'aZ09 @£$¥èéùìòÇØøÅåΔΩÆæßÉ_¤¡Ä§¿à?!"#%&\'()*+,-./:;<=>\n\r€[]^{}|~\\`ç–ж😀',
	];

	it('are counted as the library splits the text, also where that is quicker', () => {
		const text = fc.tuple(fc.integer({ min: 100, max: 320 }), fc.constantFrom(...characters));
		fc.assert(
			fc.property(text, ([length, last]) => {
				const message = 'a'.repeat(length) + last;
				const { parts = [], encoding } = smsTexts(message) ?? {};
				expect(smsParts(message)).toEqual({ parts: parts.length, encoding });
			}),
		);
	});

	it.each(characters)('with %j are those of the library', (character) => {
		const message = character.repeat(160 / character.length);
		const { parts = [], encoding } = smsTexts(message) ?? {};
		expect(smsParts(message)).toEqual({ parts: parts.length, encoding });
	});
});

describe('Typographic characters', () => {
	it.each([...typographic])('such as %j are replaced by what takes one place', (one) => {
		const plain = replaceTypographic(one);
		expect(findTypographic(one)).toEqual([one]);
		expect(smsParts(plain.repeat(160 / plain.length))).toEqual({ parts: 1, encoding: 'GSM-7' });
	});

	it('are all that is replaced', () => {
		const text = 'Привет 😀 naïve ñ €5 [x] `y´';
		expect(replaceTypographic(text)).toBe(text);
		expect(replaceTypographic(`“${text}” – 10…`)).toBe(`"${text}" - 10...`);
	});
});

describe('The text of an SMS', () => {
	const field = smsText('Message', { reaches: 'nobody', modelMayFill: true });

	it('is replaced only if that is chosen', () => {
		expect(field.schemaWith?.({}).parse('10–12')).toBe('10–12');
		expect(field.schemaWith?.({ replaceTypographicCharacters: true }).parse('10–12')).toBe('10-12');
	});

	it('is checked as other texts are', () => {
		const read = (skipTextCheck: boolean) =>
			field
				.schemaWith?.({ replaceTypographicCharacters: true, skipTextCheck })
				.safeParse('Hi undefined');
		expect(read(false)?.success).toBe(false);
		expect(read(true)?.success).toBe(true);
	});
});
