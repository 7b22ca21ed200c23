/** Part of a text, from `start` up to but not including `end`. */
export interface Span {
	start: number;
	end: number;
}

/** Finds every place where a text holds the secret, in any form that {@link findForms} describes. */
export type FormFinder = (text: string) => Span[];

/**
 * Prepares the search for a secret of visible ASCII in the forms in which servers repeat it:
 *
 * - plain, with any of its characters written as a percent-encoding, an HTML entity or an escape of
 *   JSON or JavaScript;
 * - as base64 or base64url, also inside the base64 of a longer text, and with those escapes;
 * - any of these, escaped as a whole once more.
 *
 * A search reads the text once, or four times where it holds all kinds of escapes. At each character
 * it compares as many characters of the secret as it has readings open: about one for a random
 * secret, and never more than the secret's forms have characters.
 */
export function findForms(secret: string): FormFinder {
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
 * All forms in one string, each closed by {@link formEnd}, so that an index in it says which form is
 * being read and how far. `alternative` has the same length: where the two differ, as in `+` and `-`
 * of base64 and base64url, either character is right.
 */
interface Forms {
	characters: string;
	alternative: string;
	/** For a character's code, the indexes after it in the forms that begin with it. */
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
 * What base64 makes of the secret wherever it begins within a group of three bytes, without the
 * characters that also depend on its neighbours. Some protocols encode for URLs or JSON first.
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

/** Places in the forms that some reading of the text has reached, and where that reading began. */
type Readings = Map<number, number>;

/**
 * Finds all spans that hold a form, none of which overlap. A character may be read as it is or, where
 * an escape begins, as what that stands for. All readings are followed at once: trying one after
 * another could take exponential time.
 */
function search(text: string, forms: Forms): Span[] {
	const { characters, alternative, afterFirst } = forms;
	const spans: Span[] = [];
	let readingsAt = new Map<number, Readings>();
	let at = 0;

	/** Continues every reading that has reached `at` with one character; true if one completes a form. */
	function read(code: number, end: number): boolean {
		for (const form of afterFirst.get(code) ?? []) keep(form, at, end);
		for (const [form, start] of readingsAt.get(at) ?? []) {
			if (characters.charCodeAt(form) !== code && alternative.charCodeAt(form) !== code) continue;
			if (characters.charCodeAt(form + 1) === formEnd) {
				spans.push({ start, end });
				return true;
			}
			keep(form + 1, start, end);
		}
		return false;
	}

	/** Of two readings that are equally far, the one that began first covers more text. */
	function keep(form: number, start: number, end: number): void {
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

const escapeKinds = ['%', '&', '\\'] as const;
type EscapeKind = (typeof escapeKinds)[number];

interface Escape {
	/** The code of the character that it stands for. */
	code: number;
	/** Where the text goes on after it. */
	end: number;
}

const patterns: Record<EscapeKind, RegExp> = {
	'%': /%(?<hex>[\da-f]{2})/iy,
	'&': /&(?:#x(?<hex>[\da-f]+)|#(?<decimal>\d+)|(?<name>[a-z]{2,16}));?/iy,
	'\\': /\\(?:u(?<hex>[\da-f]{4})|x(?<short>[\da-f]{2})|(?<self>["'\\/]))/iy,
};

/** The escape that begins at a place in a text, if it stands for a visible ASCII character. */
function readEscape(text: string, at: number): Escape | undefined {
	const kind = text.charAt(at);
	if (kind !== '%' && kind !== '&' && kind !== '\\') return undefined;
	const pattern = patterns[kind];
	pattern.lastIndex = at;
	const { hex, short, decimal, name, self } = pattern.exec(text)?.groups ?? {};
	const end = pattern.lastIndex;
	const written = self ?? (name && namedCharacters.get(name));
	const code = written?.charCodeAt(0) ?? (decimal ? Number(decimal) : parseInt(hex ?? short ?? '', 16));
	return code > 0x20 && code < 0x7f ? { code, end } : undefined;
}

/** HTML's names of visible ASCII characters. */
const namedCharacters = new Map(
	Object.entries({
		'!': 'excl',
		'"': 'quot QUOT',
		'#': 'num',
		$: 'dollar',
		'%': 'percnt',
		'&': 'amp AMP',
		"'": 'apos',
		'(': 'lpar',
		')': 'rpar',
		'*': 'ast midast',
		'+': 'plus',
		',': 'comma',
		'.': 'period',
		'/': 'sol',
		':': 'colon',
		';': 'semi',
		'<': 'lt LT',
		'=': 'equals',
		'>': 'gt GT',
		'?': 'quest',
		'@': 'commat',
		'[': 'lbrack lsqb',
		'\\': 'bsol',
		']': 'rbrack rsqb',
		'^': 'Hat',
		_: 'lowbar UnderBar',
		'`': 'grave DiacriticalGrave',
		'{': 'lbrace lcub',
		'|': 'verbar vert VerticalLine',
		'}': 'rbrace rcub',
	}).flatMap(([character, names]) => names.split(' ').map((name) => [name, character] as const)),
);

/** The text without one layer of escapes, and for each place in it the place in the original. */
function unescapeOnce(text: string, kind: EscapeKind): { plain: string; positions?: number[] } {
	const pieces: string[] = [];
	const positions: number[] = [];
	let hasEscape = false;
	let at = text.indexOf(kind) === -1 ? text.length : 0;
	while (at < text.length) {
		const escape = text.charAt(at) === kind ? readEscape(text, at) : undefined;
		hasEscape ||= escape !== undefined;
		positions.push(at);
		pieces.push(escape ? String.fromCharCode(escape.code) : text.charAt(at));
		at = escape?.end ?? at + 1;
	}
	return hasEscape ? { plain: pieces.join(''), positions } : { plain: text };
}
