import { SegmentedMessage } from 'sms-segments-calculator';

/** Longer text is not an SMS, and the library's running time grows with the square of the length. */
const maxLength = 5_000;

/**
 * Calculates into how many parts the network splits an SMS: 160 characters in GSM-7 or 70 in UCS-2 for
 * a single part, and slightly fewer for each of several. The build bundles the library into this
 * file, because the package has no runtime dependencies.
 */
export function smsParts(message: string): { parts: number; encoding: string } | undefined {
	if (message.length > maxLength) return undefined;
	const { segmentsCount, encodingName } = new SegmentedMessage(message);
	return { parts: segmentsCount, encoding: encodingName };
}

/** Splits an SMS as the network does. See {@link smsParts}. */
export function smsTexts(message: string): { parts: string[]; encoding: string } | undefined {
	if (message.length > maxLength) return undefined;
	const { segments, encodingName } = new SegmentedMessage(message);
	const parts = segments.map((segment) => Array.from(segment, textOfCharacter).join(''));
	return { parts, encoding: encodingName };
}

/** Each part of several begins with a header, which has no text. */
function textOfCharacter(character: unknown): string {
	const isText = typeof character === 'object' && character !== null && 'raw' in character;
	return isText && typeof character.raw === 'string' ? character.raw : '';
}

/** What programs for texts insert by themselves, and what is in the alphabet of an SMS, GSM-7. */
const typewritten: ReadonlyArray<[typographic: string, plain: string]> = [
	['‐‑‒–—―−', '-'],
	['‘’‚‛′', "'"],
	['“”„‟″«»', '"'],
	['…', '...'],
	['\u00a0\u2002\u2003\u2009\u202f', ' '],
];

const plainOf = new Map(
	typewritten.flatMap(([characters, plain]) => [...characters].map((one) => [one, plain])),
);

/** Typographic characters that make an SMS longer, and its parts with and without them. */
export interface Costly {
	/** Each character with its replacement, in the order of the text. */
	replacements: Array<readonly [typographic: string, plain: string]>;
	parts: number;
	partsWithout: number;
}

/** Finds the typographic characters that cost parts; undefined if replacing them would save none. */
export function findCostly(message: string): Costly | undefined {
	const replacements = [...new Set(message)].flatMap((one) => {
		const plain = plainOf.get(one);
		return plain === undefined ? [] : [[one, plain] as const];
	});
	if (replacements.length === 0) return undefined;
	const plainText = [...message].map((one) => plainOf.get(one) ?? one).join('');
	const parts = smsParts(message)?.parts ?? 0;
	const partsWithout = smsParts(plainText)?.parts ?? 0;
	return partsWithout < parts ? { replacements, parts, partsWithout } : undefined;
}
