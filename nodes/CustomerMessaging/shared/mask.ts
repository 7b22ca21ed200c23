/** A valid header: visible ASCII. Node.js takes 16 kB for all headers of a message. */
export const headerValue = /^[\x21-\x7e]{1,8000}$/;

/** Hides secrets in what a service, the network or a person repeats. */
export type Mask = ReturnType<typeof createMask>;

const masked = '…';

/** n8n copies and saves the node's output recursively. Deeper nesting would overflow the stack. */
export const maxDepth = 500;

/** A shorter secret would match unrelated text. */
const minSecretLength = 8;

/**
 * Creates the mask of one run. It knows each secret in the forms in which a server repeats a header by
 * accident: plain, escaped for JSON, a URL or HTML, and as base64 and base64url, also inside that of a longer text.
 */
export function createMask(secrets: readonly string[]) {
	const hidden = new Set(secrets.filter(({ length }) => length >= minSecretLength));
	const literally = (text: string) =>
		text.replace(/\W/g, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
	const forms = [...hidden].flatMap(formsOf).map(literally);
	const pattern = hidden.size > 0 ? new RegExp(forms.join('|'), 'gi') : undefined;
	const text = (value: string) =>
		pattern ? maskEscaped(value.replace(pattern, masked), pattern) : value;
	/**
	 * A JSON value with the secrets hidden wherever they occur: in texts, in field names, and as a number.
	 * The same reference if nothing changes.
	 */
	const valueAt = (given: unknown, depth: number): unknown => {
		if (typeof given === 'string') return text(given);
		if (typeof given === 'number') return hidden.has(String(given)) ? masked : given;
		if (typeof given !== 'object' || given === null) return given;
		if (depth > maxDepth) return '… (nested too deeply)';
		const before = Object.entries(given);
		const after = before.map(([name, entry]) => [text(name), valueAt(entry, depth + 1)] as const);
		const isClean = after.every(
			([name, entry], index) => name === before[index]?.[0] && Object.is(entry, before[index][1]),
		);
		if (isClean) return given;
		return Array.isArray(given) ? after.map(([, entry]) => entry) : Object.fromEntries(after);
	};
	return { text, value: (given: unknown) => valueAt(given, 1) };
}

/** Forms of a secret. Undoing escapes would change a secret that looks escaped itself. */
function formsOf(secret: string): string[] {
	const inUrl = encodeURIComponent(secret);
	const inBase64 = base64Forms(secret);
	const urlSafe = inBase64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
	return [secret, JSON.stringify(secret).slice(1, -1), inUrl, ...inBase64, ...urlSafe];
}

/** A character as JSON, a URL or HTML escapes it, also one that was escaped before. */
const escapes =
	/\\+u00([\da-f]{2})|%(?:25)*([\da-f]{2})|&#x0*([\da-f]{2});|&#0*(\d{2,3});|&(amp|lt|gt|quot|apos);|\\+(?=["\\/])/gi;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped([, json, url, html = json ?? url, decimal, entity]: RegExpExecArray): string {
	if (html !== undefined) return String.fromCharCode(parseInt(html, 16));
	if (decimal !== undefined) return String.fromCharCode(Number(decimal));
	return entities[entity?.toLowerCase() ?? ''] ?? '';
}

/** Masks matches of a pattern once escapes are undone. All else stays escaped, because it may be a page. */
function maskEscaped(text: string, pattern: RegExp): string {
	let plain = '';
	let end = 0;
	/** From this place in the plain text on, places in the escaped text are so many characters further. */
	const shifts: Array<{ from: number; by: number }> = [];
	for (const escape of text.matchAll(escapes)) {
		plain += text.slice(end, escape.index) + unescaped(escape);
		end = escape.index + escape[0].length;
		shifts.push({ from: plain.length, by: end - plain.length });
	}
	if (end === 0) return text;
	plain += text.slice(end);
	let passed = 0;
	const placeOf = (index: number) => {
		while ((shifts[passed]?.from ?? Infinity) <= index) passed++;
		return index + (shifts[passed - 1]?.by ?? 0);
	};
	let result = '';
	end = 0;
	for (const found of plain.matchAll(pattern)) {
		result += text.slice(end, placeOf(found.index)) + masked;
		end = placeOf(found.index + found[0].length);
	}
	return result + text.slice(end);
}

/**
 * The base64 of the secret, for each position at which it can begin in a group of three
 * bytes. The characters that also depend on neighboring bytes are left out.
 */
function base64Forms(secret: string): string[] {
	return [0, 1, 2].map((bytesBefore) => {
		const bytes = Buffer.from(' '.repeat(bytesBefore) + secret);
		const [first, last] = [Math.ceil((bytesBefore * 8) / 6), Math.floor((bytes.length * 8) / 6)];
		return bytes.toString('base64').slice(first, last);
	});
}
