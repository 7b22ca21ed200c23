/** Hides secrets in what a service, the network or a person repeats. */
export interface Mask {
	/** The text with every form of the secrets replaced by `…`. */
	text(value: string): string;
	/**
	 * A JSON value with the secrets hidden wherever they occur: in texts, in field names, and as a number.
	 * The same reference if nothing changes.
	 */
	value(value: unknown): unknown;
}

const masked = '…';

/** Replaces lists and objects that are nested deeper than {@link maxDepth}. */
const tooDeep = '… (nested too deeply)';

/** n8n copies and saves the node's output recursively. Deeper nesting would overflow the stack. */
export const maxDepth = 500;

/** A shorter secret would match unrelated text. */
const minSecretLength = 8;

/**
 * Creates the mask of one run. It knows each secret in the forms in which a server repeats a header by
 * accident: plain, encoded for a URL, escaped for HTML or JSON, and as base64 or base64url, also inside
 * the base64 of a longer text. A form that is encoded once more is not found.
 *
 * @param secrets visible ASCII characters without spaces; those with fewer than 8 are not hidden
 */
export function createMask(secrets: readonly string[]): Mask {
	const hidden = new Set(secrets.filter(({ length }) => length >= minSecretLength));
	const forms = [...hidden].flatMap((secret) => [...escapedForms(secret), ...base64Forms(secret)]);
	const pattern = hidden.size > 0 ? new RegExp([...new Set(forms)].join('|'), 'g') : undefined;
	const text = (value: string) => (pattern ? value.replace(pattern, masked) : value);
	const valueAt = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string') return text(value);
		if (typeof value === 'number') return hidden.has(String(value)) ? masked : value;
		if (typeof value !== 'object' || value === null) return value;
		if (depth > maxDepth) return tooDeep;
		const before = Object.entries(value);
		const after = before.map(([name, entry]) => [text(name), valueAt(entry, depth + 1)] as const);
		const isClean = after.every(
			([name, entry], index) => name === before[index]?.[0] && Object.is(entry, before[index][1]),
		);
		if (isClean) return value;
		return Array.isArray(value) ? after.map(([, entry]) => entry) : Object.fromEntries(after);
	};
	return { text, value: (value) => valueAt(value, 1) };
}

/**
 * Expressions for the secret with escapes. For each character, at most one alternative matches a text, so
 * that a search never tries the same text twice.
 */
function escapedForms(secret: string): string[] {
	return [escapeForHtml, escapeForUrl, escapeForJson, literally].map((write) =>
		[...secret].map((character) => (/\w/.test(character) ? character : write(character))).join(''),
	);
}

function escapeForHtml(character: string): string {
	const code = character.charCodeAt(0);
	const name = htmlNames[character];
	const escapes = [`&#0*${code};`, `&#[xX]0*${inHex(code)};`, ...(name ? [`&${name};`] : [])];
	return oneOf(...escapes, ...(character === '&' ? [] : [literally(character)]));
}

const htmlNames: Partial<Record<string, string>> = {
	'"': 'quot',
	'&': 'amp',
	"'": 'apos',
	'<': 'lt',
	'>': 'gt',
};

function escapeForUrl(character: string): string {
	const escape = `%${inHex(character.charCodeAt(0))}`;
	return character === '%' ? escape : oneOf(escape, literally(character));
}

function escapeForJson(character: string): string {
	const short = { '"': '\\\\"', '\\': '\\\\\\\\', '/': '\\\\?/' }[character];
	return oneOf(`\\\\u00${inHex(character.charCodeAt(0))}`, short ?? literally(character));
}

function literally(character: string): string {
	return `\\x${character.charCodeAt(0).toString(16)}`;
}

function oneOf(...alternatives: string[]): string {
	return `(?:${alternatives.join('|')})`;
}

/** Hexadecimal digits in capital or small letters. */
function inHex(code: number): string {
	return code.toString(16).replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * Expressions for the base64 of the secret, for each position at which it can begin in a group of three
 * bytes. The characters that also depend on neighboring bytes are left out.
 */
function base64Forms(secret: string): string[] {
	return [0, 1, 2].map((bytesBefore) => {
		const bytes = Buffer.from(' '.repeat(bytesBefore) + secret);
		const [first, last] = [Math.ceil((bytesBefore * 8) / 6), Math.floor((bytes.length * 8) / 6)];
		const base64 = bytes.toString('base64').slice(first, last);
		return base64.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
	});
}
