// The build bundles the library into this file, because the package has no runtime dependencies.
import { parse, stringify } from 'lossless-json';

/** A whole number beyond 2^53, which JavaScript would round. It is a JSON number in a request, and text everywhere else. */
export class LargeInteger {
	constructor(private readonly digits: string) {}

	toString(): string {
		return this.digits;
	}

	toJSON(): string {
		return this.digits;
	}
}

/** Converts a body to JSON text, with large integers as numbers. */
export function toJsonText(body: unknown): string {
	const test = (value: unknown) => value instanceof LargeInteger;
	return stringify(body, undefined, undefined, [{ test, stringify: String }]) ?? '';
}

/** Parses JSON text, with large integers as {@link LargeInteger}. Throws a SyntaxError if it is not JSON. */
export const parseExactly = (text: string) => parseWith((digits) => new LargeInteger(digits), text);

/** Parses JSON text, with large integers as text, because n8n hands items on as JSON. Returns any other text as it is. */
export function parseReadably(text: string): unknown {
	try {
		return parseWith(String, text);
	} catch {
		return text;
	}
}

function parseWith(toValue: (digits: string) => unknown, text: string): unknown {
	// Every integer beyond 2^53 has 16 digits or more. Without one, the faster parser of JavaScript will do.
	if (!/\d{16}/.test(text)) return JSON.parse(text);
	const parseNumber = (written: string) =>
		/^-?\d{16,}$/.test(written) && !Number.isSafeInteger(Number(written))
			? toValue(written)
			: Number(written);
	return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
}

/** Returns a JSON value with its large integers as text. */
export const withReadableIntegers = (value: unknown): unknown =>
	value === undefined ? undefined : JSON.parse(JSON.stringify(value));
