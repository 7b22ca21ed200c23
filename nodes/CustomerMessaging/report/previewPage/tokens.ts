/** A start or end tag. */
export interface Tag {
	name: string;
	isEnd: boolean;
	attributes: {
		style?: string;
		href?: string;
		src?: string;
		alt?: string;
		bgcolor?: string;
		align?: string;
	};
}

/** One attribute, with its value in double quotes, in single quotes, or in none. */
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/** The rest of a tag, up to the first `>` that is not in a quoted value. A `<` is only in such values. */
const tagEnd = /(?:[^"'<>]|"[^"]*"|'[^']*')*>/y;

/**
 * Reads HTML as a list of tags and pieces of text.
 *
 * @param hidden names of tags that are left out with all that is in them
 */
export function* tokenize(source: string, hidden: ReadonlySet<string>): Generator<Tag | string> {
	for (let at = 0; at < source.length;) {
		const start = source.indexOf('<', at);
		if (start !== at) yield source.slice(at, start < 0 ? undefined : start);
		if (start < 0) return;
		const tag = readTag(source, start);
		if (!tag) {
			yield '<';
			at = start + 1;
			continue;
		}
		at = tag.end;
		const { name, isEnd, attributes } = tag;
		yield { name, isEnd, attributes };
		if (!isEnd && hidden.has(name)) at = findEnd(name, source, at);
	}
}

function readTag(source: string, start: number): (Tag & { end: number }) | undefined {
	const nothing = { name: '', isEnd: false, attributes: {} };
	// Comments, and instructions such as <!doctype html>, have nothing to show.
	if (source.startsWith('<!--', start)) return { ...nothing, end: after(source, '-->', start + 2) };
	if (/[!?]/.test(source.charAt(start + 1))) return { ...nothing, end: after(source, '>', start) };
	const begin = /^<(\/?)([a-z][^\s/>]*)/i.exec(source.slice(start, start + 80));
	if (!begin) return undefined;
	tagEnd.lastIndex = start + begin[0].length;
	const rest = tagEnd.exec(source)?.[0];
	if (rest === undefined) return undefined;
	return {
		name: (begin[2] ?? '').toLowerCase(),
		isEnd: begin[1] === '/',
		attributes: parseAttributes(rest),
		end: tagEnd.lastIndex,
	};
}

function parseAttributes(text: string): Tag['attributes'] {
	const found = Array.from(text.matchAll(attribute), ([, name = '', ...values]) => {
		const value = values.find((one) => one !== undefined) ?? '';
		return [name.toLowerCase(), value.replace(/&amp;/g, '&')] as const;
	});
	return Object.fromEntries(found);
}

function findEnd(name: string, source: string, from: number): number {
	const end = source.slice(from).search(new RegExp(`</${name}[\\s/>]`, 'i'));
	return end < 0 ? source.length : after(source, '>', from + end);
}

/** The position after the next `mark`, or the end. */
function after(source: string, mark: string, from: number): number {
	const found = source.indexOf(mark, from);
	return found < 0 ? source.length : found + mark.length;
}
