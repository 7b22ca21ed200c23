/** The characters with which an escape begins: in URLs, in HTML, and in JSON or JavaScript. */
export const escapeKinds = ['%', '&', '\\'] as const;
export type EscapeKind = (typeof escapeKinds)[number];

export interface Escape {
	/** The code of the escaped character. */
	code: number;
	/** The index of the first character after the escape. */
	end: number;
}

const patterns: Record<EscapeKind, RegExp> = {
	'%': /%(?<hex>[\da-f]{2})/iy,
	'&': /&(?:#x(?<hex>[\da-f]+)|#(?<decimal>\d+)|(?<name>[a-z]{2,16}));?/iy,
	'\\': /\\(?:u(?<hex>[\da-f]{4})|x(?<short>[\da-f]{2})|(?<self>["'\\/]))/iy,
};

/** Returns the escape that begins at index `at`, or undefined unless it encodes a visible ASCII character. */
export function readEscape(text: string, at: number): Escape | undefined {
	const kind = text.charAt(at);
	if (kind !== '%' && kind !== '&' && kind !== '\\') return undefined;
	const pattern = patterns[kind];
	pattern.lastIndex = at;
	const { hex, short, decimal, name, self } = pattern.exec(text)?.groups ?? {};
	const end = pattern.lastIndex;
	const written = self ?? (name && namedCharacters.get(name));
	const code =
		written?.charCodeAt(0) ?? (decimal ? Number(decimal) : parseInt(hex ?? short ?? '', 16));
	return code > 0x20 && code < 0x7f ? { code, end } : undefined;
}

/** The names that HTML has for visible ASCII characters. */
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

/**
 * Removes one layer of escapes of one kind from a text.
 *
 * @returns the unescaped text, and for each of its characters the index in the original. Without
 * `positions`, the text contained no such escape and is unchanged.
 */
export function unescapeOnce(
	text: string,
	kind: EscapeKind,
): { plain: string; positions?: number[] } {
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
