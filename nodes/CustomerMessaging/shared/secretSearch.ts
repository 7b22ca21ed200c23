import { escapeKinds, readEscape, unescapeOnce } from './escapes';

/** Part of a text, from index `start` up to but not including index `end`. */
export interface Span {
	start: number;
	end: number;
}

/** Finds every occurrence of the secret in a text, in any form that {@link createSecretFinder} lists. */
export type SecretFinder = (text: string) => Span[];

/**
 * Prepares the search for a secret of visible ASCII characters in the forms in which servers repeat it:
 *
 * - plain, where any character may be percent-encoded, an HTML entity, or an escape of JSON or
 *   JavaScript;
 * - as base64 or base64url, also within the base64 of a longer text, and with the same escapes;
 * - any of these, with the whole form escaped a second time.
 *
 * A search reads the text once, plus once for each kind of escape in it. At each character it makes
 * one comparison per open reading: about one for a random secret, and never more than the number of
 * characters in all forms together.
 */
export function createSecretFinder(secret: string): SecretFinder {
	const forms = compile([[secret, secret], ...base64Forms(secret)]);
	return (text) => {
		const found = search(text, forms);
		for (const kind of escapeKinds) {
			const { plain, positions } = unescapeOnce(text, kind);
			if (positions === undefined) continue;
			for (const { start, end } of search(plain, forms)) {
				found.push({ start: positions[start] ?? 0, end: positions[end] ?? text.length });
			}
		}
		return found;
	};
}

/**
 * All forms in one string, each followed by {@link formEnd}. One index therefore identifies both the
 * form being read and how far it has been read. `alternative` has the same length. Where the two
 * differ, as in `+` and `-` of base64 and base64url, either character matches.
 */
interface Forms {
	characters: string;
	alternative: string;
	/** For each character code, the indexes after the first character of the forms that begin with it. */
	afterFirst: Map<number, number[]>;
}

const formEnd = 0;

function compile(forms: Array<[characters: string, alternative: string]>): Forms {
	let characters = '';
	let alternative = '';
	const afterFirst = new Map<number, number[]>();
	for (const [form, other] of forms) {
		for (const code of new Set([form.charCodeAt(0), other.charCodeAt(0)])) {
			afterFirst.set(code, [...(afterFirst.get(code) ?? []), characters.length + 1]);
		}
		characters += form + String.fromCharCode(formEnd);
		alternative += other + String.fromCharCode(formEnd);
	}
	return { characters, alternative, afterFirst };
}

/**
 * The base64 of the secret for each position at which it can begin in a group of three bytes. The
 * characters that also depend on neighbouring bytes are cut off. Some protocols encode the secret for
 * URLs or JSON first, so those encodings are included.
 */
function base64Forms(secret: string): Array<[base64: string, base64url: string]> {
	const encodedFirst = new Set([
		secret,
		encodeURIComponent(secret),
		JSON.stringify(secret).slice(1, -1),
	]);
	return [...encodedFirst].flatMap((text) =>
		[0, 1, 2].map((bytesBefore): [string, string] => {
			const bytes = Buffer.from(' '.repeat(bytesBefore) + text);
			const [first, last] = [Math.ceil((bytesBefore * 8) / 6), Math.floor((bytes.length * 8) / 6)];
			return [
				bytes.toString('base64').slice(first, last),
				bytes.toString('base64url').slice(first, last),
			];
		}),
	);
}

/** For each index in {@link Forms} that a reading of the text has reached, where that reading began. */
type Readings = Map<number, number>;

/**
 * Finds all spans that contain a form; they do not overlap. Where an escape begins, the text can be
 * read as it is or unescaped. All readings are followed in parallel, because trying one after another
 * could take exponential time.
 */
function search(text: string, forms: Forms): Span[] {
	const { characters, alternative, afterFirst } = forms;
	const spans: Span[] = [];
	let readingsAt = new Map<number, Readings>();
	let at = 0;

	/** Extends every reading that has reached `at` by one character. Returns whether one completed a form. */
	function read(code: number, end: number): boolean {
		for (const form of afterFirst.get(code) ?? []) advance(form, at, end);
		for (const [form, start] of readingsAt.get(at) ?? []) {
			if (characters.charCodeAt(form) !== code && alternative.charCodeAt(form) !== code) continue;
			if (characters.charCodeAt(form + 1) === formEnd) {
				spans.push({ start, end });
				return true;
			}
			advance(form + 1, start, end);
		}
		return false;
	}

	/** Of two readings that have reached the same index, keeps the earlier one: it covers more text. */
	function advance(form: number, start: number, end: number): void {
		const readings = readingsAt.get(end);
		if (readings === undefined) readingsAt.set(end, new Map([[form, start]]));
		else if (start < (readings.get(form) ?? Infinity)) readings.set(form, start);
	}

	while (at < text.length) {
		const code = text.charCodeAt(at);
		const escape = readEscape(text, at);
		const end = at + 1;
		if (escape && read(escape.code, escape.end)) {
			readingsAt = new Map();
			at = escape.end;
			continue;
		}
		if (read(code, end)) readingsAt = new Map();
		else readingsAt.delete(at);
		at = end;
	}
	return spans;
}
