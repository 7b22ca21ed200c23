/** A valid header: visible ASCII. Node.js takes 16 kB for all headers of a message. */
export const headerValue = /^[\x21-\x7e]{1,8000}$/;

/** Hides secrets in what a service, the network or a person repeats. */
export type Mask = ReturnType<typeof createMask>;

const masked = '…';

/** n8n copies and saves the node's output recursively. Deeper nesting would overflow the stack. */
export const maxDepth = 500;

/** A shorter secret would match unrelated text. */
const minSecretLength = 8;

/** Creates the mask of one run. It knows each secret in the forms in which a server repeats a header by accident. */
export function createMask(secrets: readonly string[]) {
	const hidden = new Set(secrets.filter(({ length }) => length >= minSecretLength));
	const forms = [...hidden].flatMap(formsOf).map((form) => form.replace(/\W/g, '\\$&'));
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

/** A secret as it is, in JSON, in a URL, and in base64, also inside that of a longer text. */
function formsOf(secret: string): string[] {
	const inBase64 = (['base64', 'base64url'] as const).flatMap((encoding) =>
		// It can begin at each position in a group of three bytes. What also depends on bytes beside it is left out.
		[0, 1, 2].map((bytesBefore) => {
			const bytes = Buffer.from(' '.repeat(bytesBefore) + secret);
			const [first, last] = [Math.ceil((bytesBefore * 8) / 6), Math.floor((bytes.length * 8) / 6)];
			return bytes.toString(encoding).slice(first, last);
		}),
	);
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inJsonOfPhp = inJson.replaceAll('/', '\\/');
	return [secret, inJson, inJsonOfPhp, encodeURIComponent(secret), ...inBase64];
}

/** A character as JSON, a URL or HTML escapes it, also one that was escaped before. */
const escapes =
	/\\+u00([\da-f]{2})|%(?:25)*([\da-f]{2})|&#x0*([\da-f]{2});|&#0*(\d{2,3});|&(amp|lt|gt|quot|apos);|\\+(["\\/])/gi;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
	return text.replace(escapes, (_, ...groups: Array<string | undefined>) => {
		const [json, url, hex = json ?? url, decimal, entity = '', plain] = groups;
		const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
		return plain ?? entities[entity.toLowerCase()] ?? String.fromCharCode(code);
	});
}

/** Masks what matches once escapes are undone. All else stays escaped, because it may be a page. */
function maskEscaped(text: string, pattern: RegExp): string {
	const plain = unescaped(text);
	if (plain === text || plain.search(pattern) < 0) return text;
	/** The text in pieces: each stands for one character of the plain text. */
	const pieces = plain.split('');
	let shift = 0;
	for (const { index, 0: escape } of text.matchAll(escapes)) {
		pieces[index - shift] = escape;
		shift += escape.length - 1;
	}
	for (const { index, 0: secret } of plain.matchAll(pattern)) {
		pieces.fill('', index, index + secret.length);
		pieces[index] = masked;
	}
	return pieces.join('');
}
