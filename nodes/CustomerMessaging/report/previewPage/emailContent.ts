import { imagePlaceholder } from './push';
import { escape, html, Html, shown } from '../../shared/html';
import { safeStyle } from './safeStyle';
import { type Tag, tokenize } from './tokens';

/** Longer content would make the page unreadable. */
const MAX_LENGTH = 100_000;
const MAX_LINKS = 50;
/** More would slow down whoever reads the page. */
const MAX_DEPTH = 100;

/** Tags that are shown. All others are left out, and what is in them is shown. */
const shownTags = new Set(
	'p div span br hr b strong i em u s sub sup small h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tr td th blockquote pre code center'.split(
		' ',
	),
);
const withoutEnd = new Set(['br', 'hr']);

/** Tags whose content is not HTML, or not shown. */
const hiddenTags = new Set(
	'script style title template textarea iframe xmp noembed noframes'.split(' '),
);

/** Tags whose absence a reader should know of, because email programs leave them out too. */
const reported = new Set('script iframe object embed form video audio svg'.split(' '));

export interface EmailContent {
	content: Html;
	/** Where the links lead, in the order of their numbers in the content. */
	links: string[];
	moreLinks: number;
}

/**
 * Rebuilds the HTML of an email from tags of a fixed list, without attributes except for a checked
 * style. However wrongly this reads the HTML, the result cannot run or load anything, because only
 * these tags and escaped text are ever written.
 */
export function emailContent(source: string): EmailContent {
	if (!/<[a-z!/]/i.test(source)) {
		const plain = html`<div class="content plain">${shown(source, MAX_LENGTH)}</div>`;
		return { content: plain, links: [], moreLinks: 0 };
	}
	const builder = new Builder();
	for (const token of tokenize(source.slice(0, MAX_LENGTH), hiddenTags)) {
		if (typeof token === 'string') builder.text(token);
		else if (token.isEnd) builder.close(token.name);
		else builder.open(token);
	}
	const { links } = builder;
	return {
		content: html`<div class="content">${builder.end()}${rest(source)}</div>`,
		links: links.slice(0, MAX_LINKS),
		moreLinks: Math.max(0, links.length - MAX_LINKS),
	};
}

class Builder {
	readonly links: string[] = [];
	private readonly written: string[] = [];
	/** The names of the open tags, and what closes each. */
	private readonly names: string[] = [];
	private readonly ends: string[] = [];

	text(text: string): void {
		// References such as &nbsp; stay; they can only become text.
		const kept = escape(text).replace(/&amp;(#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi, '&$1;');
		this.written.push(kept);
	}

	open({ name, attributes }: Tag): void {
		if (reported.has(name)) {
			this.written.push(html`<span class="left-out">${name} left out</span>`.text);
		}
		const style = safeStyle(attributes);
		if (name === 'img') {
			const what = attributes.alt ? `Image: ${attributes.alt}` : 'Image';
			this.written.push(imagePlaceholder(what, attributes.src ?? '').text);
		} else if (name === 'a') {
			const start = `<span class="link" style="${escape(style)}">`;
			this.start('a', start, this.linkEnd(attributes.href));
		} else if (withoutEnd.has(name)) {
			this.written.push(`<${name}>`);
		} else if (shownTags.has(name)) {
			const shown = name === 'center' ? 'div' : name;
			const all = name === 'center' ? `text-align: center; ${style}` : style;
			const start = all ? html` style="${all}"`.text : '';
			this.start(name, `<${shown}${start}>`, `</${shown}>`);
		}
	}

	/** Closes the innermost open tag of this name, and all tags in it. */
	close(name: string): void {
		const index = this.names.lastIndexOf(name);
		if (index >= 0) this.closeFrom(index);
	}

	end(): Html {
		this.closeFrom(0);
		return new Html(this.written.join(''));
	}

	private start(name: string, start: string, end: string): void {
		if (this.names.length >= MAX_DEPTH) return;
		this.written.push(start);
		this.names.push(name);
		this.ends.push(end);
	}

	private linkEnd(address: string | undefined): string {
		if (!address) return '</span>';
		this.links.push(address);
		return `</span><sup>${this.links.length}</sup>`;
	}

	private closeFrom(index: number): void {
		this.names.splice(index);
		this.written.push(...this.ends.splice(index).reverse());
	}
}

function rest({ length }: string): Html | undefined {
	return length > MAX_LENGTH
		? html`<p class="note">… and ${length - MAX_LENGTH} more characters</p>`
		: undefined;
}
