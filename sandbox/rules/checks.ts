import { isObject } from '../terms';

/** Returns what is wrong with a value, or undefined. */
export type Check = (value: unknown) => string | undefined;

const twoTo63 = 2n ** 63n;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string');

/** Integers beyond 2^53 must be bigints, because numbers would be rounded. */
export const int64: Check = (value) =>
	isInteger(value) && value >= -twoTo63 && value < twoTo63 ? undefined : 'must be an integer';

function isInteger(value: unknown): value is number | bigint {
	return typeof value === 'bigint' || Number.isInteger(value);
}

export const flag: Check = (value) =>
	typeof value === 'boolean' ? undefined : 'must be a boolean';

export const number: Check = (value) =>
	typeof value === 'bigint' || typeof value === 'number' ? undefined : 'must be a number';

export const object: Check = (value) => (isObject(value) ? undefined : 'must be an object');

export const httpsLink: Check = (value) => {
	if (typeof value !== 'string') return 'must be a string';
	return /^https:\/\//i.test(value) && URL.canParse(value) ? undefined : 'must be an HTTPS URL';
};

// Spec §2.2 does not give the type of `time`. It only says that it is a number of seconds.
export const seconds: Check = (value) => {
	const isWhole = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
	const isDigits = typeof value === 'string' && /^\d+$/.test(value);
	return isWhole || isDigits ? undefined : 'must be a number of seconds';
};

// Spec §4.3 and §4.4 name a campaign id without giving its type.
export const textOrInt64: Check = (value) =>
	text(value) && int64(value) ? 'must be a string or an integer' : undefined;

/** A string of at most `max` characters as readers count them. A family emoji is one character. */
export function textUpTo(max: number): Check {
	const rule = `must be at most ${max} characters`;
	return (value) => {
		if (typeof value !== 'string') return 'must be a string';
		// No text has more graphemes than UTF-16 units, so most texts need no segmenting.
		if (value.length <= max) return undefined;
		let count = 0;
		for (const _ of graphemes.segment(value)) if (++count > max) return rule;
		return undefined;
	};
}
