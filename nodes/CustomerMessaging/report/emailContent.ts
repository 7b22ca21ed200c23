import { escape, html, Html } from '../shared/html';

/** Text of a message, isolated so that characters that change the direction of text affect only it. */
export function shown(text: string, max = 2_000): Html {
	const rest = text.length - max;
	return rest > 0
		? html`<bdi>${text.slice(0, max)}</bdi>… <i class="note">and ${rest} more characters</i>`
		: html`<bdi>${text}</bdi>`;
}

/** Tags whose content is not HTML, or not shown. */
const hiddenTags = 'script|style|title|template|textarea|iframe|xmp|noembed|noframes';

/** The rest of a tag, up to the first `>` that is not in a quoted value. A `<` is only in such values. */
const restOfTag = String.raw`(?=[\s/>])((?:[^"'<>]|"[^"]*"|'[^']*')*)>`;

/** What is not text. All other HTML is. */
const markup = new RegExp(
	[
		// Comments, and instructions such as <!doctype html>.
		'<!(?=--).*?(?:-->|$)',
		'<[!?].*?(?:>|$)',
		// Hidden tags, with all that is in them.
		String.raw`<(${hiddenTags})${restOfTag}.*?(?:</\1(?=[\s/>]).*?(?:>|$)|$)`,
		String.raw`<(\/?)([a-z][^\s/<>]*)${restOfTag}`,
	].join('|'),
	'gis',
);

/** One attribute, with its value in double quotes, in single quotes, or in none. */
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

type Attributes = Readonly<Record<string, string | undefined>>;

function readAttributes(text: string): Attributes {
	const attributes = Array.from(text.matchAll(attribute), ([, key = '', ...values]) => {
		const value = values.find((one) => one !== undefined) ?? '';
		return [key.toLowerCase(), value.replace(/&amp;/g, '&')] as const;
	});
	return Object.fromEntries(attributes);
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
function safeStyle({ style = '', bgcolor, align }: Attributes): string {
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
	const open = (name: string, attributes: Attributes) => {
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
	const writeText = (text: string) => {
		// References such as &nbsp; stay; they can only become text.
		written.push(escape(text).replace(/&amp;(#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi, '&$1;'));
	};
	const all = source.slice(0, MAX_LENGTH);
	let end = 0;
	for (const match of all.matchAll(markup)) {
		const [whole, hidden, , isEnd, written = hidden, rest = ''] = match;
		writeText(all.slice(end, match.index));
		end = match.index + whole.length;
		const name = written?.toLowerCase();
		// The innermost open tag of this name ends, and all tags in it.
		const ended = isEnd ? opened.map((one) => one.name).lastIndexOf(name ?? '') : -1;
		if (ended >= 0) closeFrom(ended);
		if (name !== undefined && !isEnd) open(name, readAttributes(rest));
	}
	writeText(all.slice(end));
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
		><span class="note">Not loaded here</span>
	</div>`;
}
