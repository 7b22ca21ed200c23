import { escape, html, Html } from '../shared/html';

/** Text of a message, isolated so that characters that change the direction of text affect only it. */
export function shown(text: string, max = 2_000): Html {
	const rest = text.length - max;
	return rest > 0
		? html`<bdi>${text.slice(0, max)}</bdi>… <i class="note">and ${rest} more characters</i>`
		: html`<bdi>${text}</bdi>`;
}

/** A start or end tag. What has nothing to show, such as a comment, has no name. */
interface Tag {
	name: string;
	isEnd: boolean;
	attributes: Readonly<Record<string, string | undefined>>;
	/** The position after it. */
	end: number;
}

/** One attribute, with its value in double quotes, in single quotes, or in none. */
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/** The rest of a tag, up to the first `>` that is not in a quoted value. A `<` is only in such values. */
const tagEnd = /(?:[^"'<>]|"[^"]*"|'[^']*')*>/y;

/** Reads HTML as a list of tags and pieces of text. Hidden tags are left out with all that is in them. */
function* tokenize(source: string): Generator<Tag | string> {
	for (let at = 0; at < source.length;) {
		const start = source.indexOf('<', at);
		if (start !== at) yield source.slice(at, start < 0 ? undefined : start);
		if (start < 0) return;
		const tag = readTag(source, start);
		yield tag ?? '<';
		at = tag?.end ?? start + 1;
		if (!tag || tag.isEnd || !hiddenTags.has(tag.name)) continue;
		const end = source.slice(at).search(new RegExp(`</${tag.name}[\\s/>]`, 'i'));
		at = end < 0 ? source.length : after(source, '>', at + end);
	}
}

function readTag(source: string, start: number): Tag | undefined {
	// Comments, and instructions such as <!doctype html>.
	const [, hidden, isEnd, name = ''] =
		/^<(?:(!--|[!?])|(\/?)([a-z][^\s/>]*))/i.exec(source.slice(start, start + 80)) ?? [];
	if (hidden !== undefined) {
		const end = hidden === '!--' ? after(source, '-->', start + 2) : after(source, '>', start);
		return { name: '', isEnd: false, attributes: {}, end };
	}
	tagEnd.lastIndex = start + name.length + 1 + (isEnd ?? '').length;
	const rest = name && tagEnd.exec(source)?.[0];
	if (!rest) return undefined;
	const attributes = Array.from(rest.matchAll(attribute), ([, key = '', ...values]) => {
		const value = values.find((one) => one !== undefined) ?? '';
		return [key.toLowerCase(), value.replace(/&amp;/g, '&')] as const;
	});
	return {
		name: name.toLowerCase(),
		isEnd: isEnd === '/',
		attributes: Object.fromEntries(attributes),
		end: tagEnd.lastIndex,
	};
}

/** The position after the next `mark`, or the end. */
function after(source: string, mark: string, from: number): number {
	const found = source.indexOf(mark, from);
	return found < 0 ? source.length : found + mark.length;
}

const words = (text: string) => new Set(text.split(' '));

/** Properties that change how an element looks, but cannot move it over another. */
const properties = words(
	'color background-color background text-align text-decoration text-transform font-size font-weight font-style line-height letter-spacing margin padding padding-top padding-right padding-bottom padding-left border-radius display max-width',
);

/** Names, hexadecimal colors and lengths, and colors such as `rgb(1, 2, 3)`. Nothing that has an address. */
const value =
	/^(?:#[\da-f]{3,8}|[a-z-]{1,30}|\d{1,4}(?:\.\d{1,3})?(?:px|em|rem|pt|%)?|rgba?\([\d., %]{1,40}\))$/i;

/** The harmless part of the style that an element asks for. */
function safeStyle({ style = '', bgcolor, align }: Tag['attributes']): string {
	const asked = [
		`background-color:${bgcolor ?? ''}`,
		`text-align:${align ?? ''}`,
		...style.slice(0, 2_000).split(';'),
	];
	const safe = asked.flatMap((declaration) => {
		const [, name = '', written = ''] = /^([^:]*):(.*)$/s.exec(declaration) ?? [];
		const property = name.trim().toLowerCase();
		const values = written.replace(/,\s/g, ',').trim().split(/\s+/);
		const isSafe = properties.has(property) && values.every((one) => value.test(one));
		return isSafe && values.length <= 4 ? [`${property}: ${values.join(' ')}`] : [];
	});
	return safe.join('; ');
}

/** Longer content would make the page unreadable. */
const MAX_LENGTH = 100_000;
/** More would slow down whoever reads the page. */
const MAX_DEPTH = 100;

/** Tags that are shown. All others are left out, and what is in them is shown. */
const shownTags = words(
	'p div span br hr b strong i em u s sub sup small h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tr td th blockquote pre code center',
);
const withoutEnd = new Set(['br', 'hr']);

/** Tags whose content is not HTML, or not shown. */
const hiddenTags = words('script style title template textarea iframe xmp noembed noframes');

/** Tags whose absence a reader should know of, because email programs leave them out too. */
const reported = words('script iframe object embed form video audio svg');

/**
 * Rebuilds the HTML of an email from tags of a fixed list and escaped text, with no attribute but a checked
 * style. However wrongly it reads the HTML, the result can therefore neither run nor load anything.
 *
 * @returns the content, and where its links lead, in the order of their numbers in it
 */
export function emailContent(source: string): { content: Html; links: string[] } {
	const links: string[] = [];
	const written: string[] = [];
	/** The open tags, and what closes each. */
	const opened: Array<{ name: string; end: string }> = [];
	const closeFrom = (index: number) => {
		const closed = opened.splice(index).reverse();
		written.push(...closed.map(({ end }) => end));
	};
	const start = (name: string, begin: string, end: string) => {
		if (opened.length >= MAX_DEPTH) return;
		written.push(begin);
		opened.push({ name, end });
	};
	const open = ({ name, attributes }: Tag) => {
		const { alt, src = '', href } = attributes;
		if (reported.has(name)) written.push(html`<span class="left-out">${name} left out</span>`.text);
		const style = safeStyle(attributes);
		if (name === 'img') {
			written.push(imagePlaceholder(alt ? `Image: ${alt}` : 'Image', src).text);
		} else if (name === 'a') {
			if (href) links.push(href);
			const number = href ? `<sup>${links.length}</sup>` : '';
			start('a', `<span class="link" style="${escape(style)}">`, `</span>${number}`);
		} else if (withoutEnd.has(name)) {
			written.push(`<${name}>`);
		} else if (shownTags.has(name)) {
			const tag = name === 'center' ? 'div' : name;
			const all = name === 'center' ? `text-align: center; ${style}` : style;
			start(name, `<${tag}${all && html` style="${all}"`.text}>`, `</${tag}>`);
		}
	};
	for (const token of tokenize(source.slice(0, MAX_LENGTH))) {
		if (typeof token === 'string')
			// References such as &nbsp; stay; they can only become text.
			written.push(
				escape(token).replace(/&amp;(#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi, '&$1;'),
			);
		else if (!token.isEnd) open(token);
		else {
			// The innermost open tag of this name ends, and all tags in it.
			const index = opened.map(({ name }) => name).lastIndexOf(token.name);
			if (index >= 0) closeFrom(index);
		}
	}
	closeFrom(0);
	const left = source.length - MAX_LENGTH;
	const rest = left > 0 && html`<p class="note">… and ${left} more characters</p>`;
	const content = html`<div class="content">${new Html(written.join(''))}${rest}</div>`;
	return { content, links };
}

/** Takes the place of an image, because a preview loads nothing. */
export function imagePlaceholder(what: string, address: string): Html {
	return html`<div class="image">
		<b>${shown(what, 200)}</b><span>${shown(address, 200)}</span
		><span class="note">Not loaded in this preview</span>
	</div>`;
}
