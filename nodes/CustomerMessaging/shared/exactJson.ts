/**
 * A whole number beyond 2^53, which a JavaScript number would round. In a request it is a JSON number
 * with exactly these digits. Everywhere else, as in outputs, it is text.
 */
export class LargeInteger {
	constructor(private readonly digits: string) {}

	toString(): string {
		return this.digits;
	}

	toJSON(): string {
		return this.digits;
	}
}

/** Marks digits on their way through JSON. Text in a body cannot contain it, because control characters are refused. */
const mark = '\u0001';
const markInJson = '\\u0001';
const markedDigits = /"\\u0001(-?\d+)"/g;

/** Converts a body to JSON text, with large integers as numbers. */
export function toJsonText(value: unknown): string {
	let isMarked = false;
	const text = JSON.stringify(
		value,
		function (this: Record<string, unknown>, name, entry: unknown) {
			// JSON.stringify has called toJSON() already, so the original is read from its container.
			if (typeof entry !== 'string' || !(this[name] instanceof LargeInteger)) return entry;
			isMarked = true;
			return mark + entry;
		},
	);
	return isMarked ? text.replace(markedDigits, '$1') : text;
}

/**
 * Parses JSON text, with large integers as {@link LargeInteger}.
 *
 * @throws SyntaxError if it is not JSON
 */
export function parseExactly(text: string): unknown {
	const parsed: unknown = JSON.parse(text);
	// Text that already contains the mark is refused later, so it need not be exact.
	if (!mayHoldLarge(text) || text.toLowerCase().includes(markInJson)) return parsed;
	return JSON.parse(quoteLargeIntegers(text, markInJson), (_name, value: unknown) =>
		typeof value === 'string' && value.startsWith(mark) ? new LargeInteger(value.slice(1)) : value,
	);
}

/**
 * Parses JSON text, with large integers as text, because n8n hands items on as JSON.
 *
 * @returns the text itself if it is not JSON
 */
export function parseReadably(text: string): unknown {
	try {
		return JSON.parse(mayHoldLarge(text) ? quoteLargeIntegers(text, '') : text);
	} catch {
		return text;
	}
}

/** Returns a value with its large integers as text. It is the same reference if there are none. */
export function withReadableIntegers(value: unknown): unknown {
	if (value instanceof LargeInteger) return value.toString();
	if (Array.isArray(value)) {
		const entries = value.map(withReadableIntegers);
		return entries.some((entry, index) => entry !== value[index]) ? entries : value;
	}
	if (Object.prototype.toString.call(value) !== '[object Object]') return value;
	const entries = Object.entries(value as object).map(
		([name, entry]) => [name, entry, withReadableIntegers(entry)] as const,
	);
	return entries.some(([, entry, readable]) => entry !== readable)
		? Object.fromEntries(entries.map(([name, , readable]) => [name, readable]))
		: value;
}

/** Every integer beyond 2^53 has 16 digits or more. */
function mayHoldLarge(json: string): boolean {
	return /\d{16}/.test(json);
}

const backslash = 0x5c;
const quotationMark = 0x22;
/** The beginning of the next text or number. */
const token = /["\d-]/g;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/iy;

/** Writes large integers of JSON as text that begins with `prefix`. */
function quoteLargeIntegers(json: string, prefix: string): string {
	const pieces: string[] = [];
	let copied = 0;
	token.lastIndex = 0;
	for (let found = token.exec(json); found; found = token.exec(json)) {
		const start = found.index;
		if (found[0] === '"') {
			token.lastIndex = endOfText(json, start);
			continue;
		}
		number.lastIndex = start;
		const digits = number.exec(json)?.[0] ?? found[0];
		const end = start + digits.length;
		if (/^-?\d{16,}$/.test(digits) && !Number.isSafeInteger(Number(digits))) {
			pieces.push(json.slice(copied, start), `"${prefix}${digits}"`);
			copied = end;
		}
		token.lastIndex = end;
	}
	return pieces.join('') + json.slice(copied);
}

/** The index after the text in quotation marks that begins at `start`. */
function endOfText(json: string, start: number): number {
	let at = start + 1;
	while (at < json.length && json.charCodeAt(at) !== quotationMark) {
		at += json.charCodeAt(at) === backslash ? 2 : 1;
	}
	return at + 1;
}
