/** Longer than any path of an API. */
const maxLength = 2_000;

/** A path that still changes after being decoded so often was not written by accident. */
const maxDecodings = 5;

/**
 * What is wrong with the path of a custom request, and what to do about it; undefined for a good path.
 *
 * A path must not lead to another host or climb. It must not reach a broadcast either, because Test
 * Runs and Max Broadcasts only guard the operations made for broadcasts. Servers differ in how they
 * read a path, so a path is refused if any of them might find a broadcast in it.
 */
export function pathProblem(path: string): string | undefined {
	if (path.length > maxLength || !/^[!-~]+$/.test(path)) return messages.notOnHost;
	const read = asLenientServersRead(path);
	if (read === undefined) return messages.unclear;
	if (mayBroadcast(read)) return messages.broadcast;
	return isPlain(path) ? undefined : messages.notOnHost;
}

const messages = {
	notOnHost:
		"Path must begin with one slash and stay on the credential's address, such as /api/v1/event/track",
	unclear:
		'Path has percent signs that servers read in different ways. Write each encoded character once, as in /api/v1/event/a%20b',
	broadcast:
		"Path leads to a broadcast, which would get past its guards. Use an operation of Push, Email or SMS instead, or n8n's HTTP Request node if this is the path of a report",
};

/**
 * The path as the most lenient servers read it: decoded until nothing is left to decode, in lower
 * case, with letters such as ſ and ｓ as their plain equivalents, and without accents and characters
 * that cannot be seen. Undefined where that is not certain.
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

/** The last part of the paths of broadcasts, and names that a server may give the same. */
const broadcasts = [
	'broadcast',
	'broadcasts',
	...['all', 'segment'].flatMap((target) => [`broadcast-${target}`, `broadcast_${target}`]),
];

/**
 * Whether a channel is directly followed by a broadcast, wherever in the path or in one value of the
 * query, which may name a path as well. A report at `/reports/broadcasts` or `/email/broadcast-report`
 * may be read; one at `/reports/email/broadcast` cannot be told from a broadcast under a prefix.
 */
function mayBroadcast(path: string): boolean {
	const [location = '', ...queries] = path.split('?');
	const withoutParameters = location.replace(/;[^/\\]*/g, '');
	const values = queries.flatMap((query) => query.split(/[&=;#]/));
	return [location, withoutParameters, ...values].some((part) => {
		// Slashes of every kind, dots, commas and the like: each may end a segment's name.
		const names = part.split(/[^\p{L}\p{N}_-]+/u);
		return names.some(
			(name, index) => mayBe(name, channels) && mayBe(names[index + 1] ?? '', broadcasts),
		);
	});
}

/** Whether a name may be read as one of `words` by a server that replaces or drops foreign letters. */
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

/** What a server may read otherwise than this node does: a slash or backslash in disguise. */
const disguised = /%(2f|5c)/i;

/** Whether a path consists of ordinary segments and one query at most, with nothing that climbs. */
function isPlain(path: string): boolean {
	// No rule below lets a backslash pass.
	const [segments = '', query = '', ...more] = path.split('?').map((part) => decode(part) ?? '\\');
	return (
		!disguised.test(path) &&
		/^(\/[\p{L}\p{N}\p{M}_.~!$&'()*+,=:-]*)+$/u.test(segments) &&
		!/\/\/|\/\.{1,2}(\/|$)/.test(segments) &&
		/^[\p{L}\p{N}\p{M} _.~!$&'()*+,=:;@/[\]-]*$/u.test(query) &&
		more.length === 0
	);
}

/** Undefined where a percent sign encodes nothing, or no character of UTF-8. */
function decode(part: string): string | undefined {
	try {
		return decodeURIComponent(part);
	} catch {
		return undefined;
	}
}
