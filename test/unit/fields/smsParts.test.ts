import fc from 'fast-check';

import * as texts from '../../../nodes/CustomerMessaging/fields/text';
import { smsParts, smsTexts } from '../../../nodes/CustomerMessaging/fields/smsParts';

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
	const plain = texts.replaceTypographic(one);
	expect(smsParts(plain.repeat(160 / plain.length))).toEqual({ parts: 1, encoding: 'GSM-7' });
});

test('Only typographic characters are replaced', () => {
	const text = 'Привет 😀 naïve ñ €5 [x] `y´';
	expect(texts.replaceTypographic(text)).toBe(text);
	expect(texts.replaceTypographic(`“${text}” – 10…`)).toBe(`"${text}" - 10...`);
});
