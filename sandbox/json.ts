import { parse, stringify } from 'lossless-json';

/** More than any real message has. Code that walks through deeper values would overflow the stack. */
const maxDepth = 200;

/** More than any real message has. The sandbox answers nothing else while it parses them. */
const maxValues = 250_000;

export type ReadJson = { value: unknown } | { problem: string };

/** A body as JavaScript reads it: large integers are rounded, and of keys that are repeated the last one counts. */
export function readJson(text: string): ReadJson {
	const { depth, values } = measure(text);
	if (depth > maxDepth) {
		return { problem: `must have at most ${maxDepth} levels of lists and objects` };
	}
	if (values > maxValues) {
		return { problem: `must have at most ${maxValues.toLocaleString('en')} values` };
	}
	try {
		return { value: JSON.parse(text) };
	} catch {
		return { problem: 'must be JSON' };
	}
}

/** Undefined if the text is not JSON, or nested too deep. */
export function jsonOrUndefined(text: string): unknown {
	const read = readJson(text);
	return 'value' in read ? read.value : undefined;
}

/** As `readJson`, with each integer that JavaScript would round as a bigint. */
export function readExactJson(text: string): ReadJson {
	const read = readJson(text);
	// The exact parser is many times slower, and few bodies need it.
	return 'value' in read && hasLongNumber(text) ? { value: parseExactly(text) } : read;
}

/** JSON with bigints as numbers. */
export function toJson(value: unknown, indent?: number): string {
	return stringify(value, undefined, indent) ?? '';
}

/** A value for display: texts as they are, everything else as JSON. */
export function toText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (value === undefined || value === null) return '';
	return toJson(value);
}

/** No meaningful integer is longer. */
const maxDigits = 40;

function parseExactly(text: string): unknown {
	return parse(text, undefined, {
		parseNumber: (digits) => {
			const number = Number(digits);
			const isLong = /^-?\d+$/.test(digits) && !Number.isSafeInteger(number);
			return isLong && digits.length <= maxDigits ? BigInt(digits) : number;
		},
		onDuplicateKey: ({ newValue }) => newValue,
	});
}

/** With a line for each value, and each digit as it was written. Text that is no JSON stays as it is, and so do repeated keys. */
export function indented(text: string): string {
	if (jsonOrUndefined(text) === undefined) return text;
	try {
		return toJson(parse(text), 2);
	} catch {
		return text;
	}
}

function hasLongNumber(text: string): boolean {
	return /\d{16}/.test(text);
}

/** How deep a JSON text is nested, and about how many values it has. It stops counting beyond a maximum. */
function measure(text: string): { depth: number; values: number } {
	let [depth, deepest, values] = [0, 0, 1];
	for (let index = 0; index < text.length; index++) {
		switch (text[index]) {
			case '"':
				index = endOfString(text, index);
				break;
			case '[':
			case '{':
				values++;
				deepest = Math.max(deepest, ++depth);
				break;
			case ',':
				values++;
				break;
			case ']':
			case '}':
				depth--;
		}
		if (deepest > maxDepth || values > maxValues) break;
	}
	return { depth: deepest, values };
}

/** The index of the quote that ends a string, or of the end of the text. */
function endOfString(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (text[end - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return end;
	}
	return text.length;
}
