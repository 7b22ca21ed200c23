/** Longer than any API path. */
const maxLength = 2_000;

/** A path that needs more decoding than this was obfuscated on purpose. */
const maxDecodings = 5;

/**
 * Checks a path that the user enters, such as that of a custom request. A path must not lead to another host or contain `..`. It must
 * not reach a broadcast either, because When Run by Hand and Max Broadcasts guard only the operations for
 * broadcasts. Servers interpret paths differently, so a path is refused if any server might take it
 * for a broadcast.
 *
 * @returns what is wrong and how to fix it, or undefined for a valid path
 */
export function pathProblem(path: string, label = 'Path'): string | undefined {
	const rule = brokenRule(path);
	return rule && `${label} ${messages[rule]}`;
}

/**
 * Checks a path that the operation for a broadcast is to use. It must be recognizable as that of a
 * broadcast, so that a custom request to it is refused.
 *
 * @returns what is wrong and how to fix it, or undefined for a valid path
 */
export function broadcastPathProblem(path: string, label: string): string | undefined {
	const rule = brokenRule(path);
	if (rule === 'broadcast') return isPlain(path) ? undefined : `${label} ${messages.notOnHost}`;
	return `${label} ${messages[rule ?? 'noBroadcast']}`;
}

function brokenRule(path: string): keyof typeof messages | undefined {
	if (path.length > maxLength || !/^[!-~]+$/.test(path)) return 'notOnHost';
	const read = asLenientServersRead(path);
	if (read === undefined) return 'unclear';
	if (mayBroadcast(read)) return 'broadcast';
	return isPlain(path) ? undefined : 'notOnHost';
}

const messages = {
	notOnHost:
		"must begin with one slash and stay on the credential's address, such as /api/v1/event/track",
	unclear:
		'contains percent signs that servers interpret differently. Write each encoded character once, as in /api/v1/event/a%20b',
	noBroadcast: 'does not look like the path of a broadcast, such as /api/v1/web/broadcast/all',
	broadcast:
		"leads to a broadcast, which would get past its guards. Use an operation of Push, Email or SMS instead, or n8n's HTTP Request node if this is the path of a report",
};

/**
 * The path as the most lenient servers interpret it: fully decoded, in lower case, with letters such
 * as ſ and ｓ replaced by their plain equivalents, and without accents and invisible characters.
 * Undefined if the result is not certain.
 */
function asLenientServersRead(path: string): string | undefined {
	let text = path;
	for (let turn = 0; turn <= maxDecodings; turn++) {
		const decoded = decode(text);
		if (decoded === undefined) return undefined;
		const folded = decoded
			.normalize('NFKD')
			.replace(/[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
			.toUpperCase()
			.toLowerCase();
		if (folded === text) return text;
		text = folded;
	}
	return undefined;
}

const channels = ['web', 'android', 'ios', 'email', 'sms'];

/** The last segments of broadcast paths, and names that a server may treat as equivalent. */
const broadcasts = [
	'broadcast',
	'broadcasts',
	...['all', 'segment'].flatMap((target) => [`broadcast-${target}`, `broadcast_${target}`]),
];

/**
 * Whether a channel is directly followed by a broadcast, anywhere in the path or in a value of the
 * query, which may also contain a path. Reports at `/reports/broadcasts` or `/email/broadcast-report`
 * are allowed. `/reports/email/broadcast` is not, because it could be a broadcast under a prefix.
 */
function mayBroadcast(path: string): boolean {
	const [location = '', ...queries] = path.split('?');
	const withoutParameters = location.replace(/;[^/\\]*/g, '');
	const values = queries.flatMap((query) => query.split(/[&=;#]/));
	return [location, withoutParameters, ...values].some((part) => {
		// Slashes of every kind, dots, commas and similar characters may end the name of a segment.
		const names = part.split(/[^\p{L}\p{N}_-]+/u);
		return names.some(
			(name, index) => mayBe(name, channels) && mayBe(names[index + 1] ?? '', broadcasts),
		);
	});
}

/** Whether a server that replaces or drops non-ASCII letters might read a name as one of `words`. */
function mayBe(name: string, words: readonly string[]): boolean {
	const letters = [...name];
	const isForeign = (letter: string) => letter > '\x7f';
	const dropped = letters.filter((letter) => !isForeign(letter)).join('');
	return words.some(
		(word) =>
			dropped === word ||
			(letters.length === word.length &&
				letters.every((letter, index) => letter === word[index] || isForeign(letter))),
	);
}

/** An encoded slash or backslash, which a server may interpret differently from this node. */
const disguised = /%(2f|5c)/i;

/** Whether a path consists of ordinary segments and at most one query, without `.` or `..` segments. */
function isPlain(path: string): boolean {
	// A part that cannot be decoded becomes a backslash, which the rules below refuse.
	const [segments = '', query = '', ...more] = path.split('?').map((part) => decode(part) ?? '\\');
	return (
		!disguised.test(path) &&
		/^(\/[\p{L}\p{N}\p{M}_.~!$&'()*+,=:-]*)+$/u.test(segments) &&
		!/\/\/|\/\.{1,2}(\/|$)/.test(segments) &&
		/^[\p{L}\p{N}\p{M} _.~!$&'()*+,=:;@/[\]-]*$/u.test(query) &&
		more.length === 0
	);
}

/** Decodes percent-encoding. Undefined if it is malformed or not UTF-8. */
function decode(part: string): string | undefined {
	try {
		return decodeURIComponent(part);
	} catch {
		return undefined;
	}
}
