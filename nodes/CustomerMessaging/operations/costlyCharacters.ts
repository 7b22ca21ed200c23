import { findTypographic, replaceTypographic } from '../fields/smsText';
import { smsParts } from './smsParts';

/** Typographic characters that make an SMS longer, and its parts with and without them. */
export interface Costly {
	/** Each character with its replacement, in the order of the text. */
	replacements: ReturnType<typeof findTypographic>;
	parts: number;
	partsWithout: number;
}

/** Finds the typographic characters that cost parts; undefined if replacing them would save none. */
export function findCostly(message: string): Costly | undefined {
	const replacements = findTypographic(message);
	if (replacements.length === 0) return undefined;
	const parts = smsParts(message)?.parts ?? 0;
	const partsWithout = smsParts(replaceTypographic(message))?.parts ?? 0;
	return partsWithout < parts ? { replacements, parts, partsWithout } : undefined;
}
