import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../fields/field';
import type { N8n } from '../n8n/context';
import { type Checked, declaredFields, type Operation, type Row } from '../operations/operation';
import { CHOICE } from '../run/asMeant';
import { nearestColumn } from '../run/nearestColumn';
import { parseTemplate } from '../run/parameters';
import { plainCode } from '../run/plainPaths';
import { quote } from '../shared/formatting';
import { withoutCode } from '../shared/html';
import type { Problem } from '../shared/result';
import { orSkip } from './placeholder';

// What people would read as it is: the placeholders of other tools, and HTML in a plain text.

/** What looks wrong in a row that may be sent. Rows with the same key share a hint. */
export interface Oddity {
	itemIndex: number;
	key: string;
	/** The text, and what is said of it. */
	text: string;
	says: string;
	/** Whether it may be a placeholder of the service itself, such as `[unsubscribe]`. */
	mayBeService?: boolean;
}

/** Most texts hold nothing that begins like any of it. */
const mayHoldTag = /\*\||\{%|<%|<\?|%%|##/;
const mayHoldDoubtful = /[{[%$][^\s\d"';<>&()]|\{ |<</;

/** What surely is a placeholder: `*|FNAME|*`, `{% if vip %}`, `<%= name %>`, `<?= $name ?>`, `%%NAME%%`, `##NAME##`. */
const tag = new RegExp(
	[
		String.raw`\*\|[^|*\n]{1,80}\|\*|\{%[-+]?\s{0,9}\p{L}[^{}%\n]{0,200}%\}`,
		String.raw`\ue000[^\ue000-\ue003]{1,200}\ue001|\ue002(?:php|=)[^\ue000-\ue003]{1,200}\ue003`,
		String.raw`%%[\p{L}_=[][^%\n]{0,100}%%|##[\p{L}_][\p{L}\d_.:-]{0,60}##`,
	].join('|'),
	'u',
);

/**
 * What may be one: `{first_name}`, `{name|friend}`, `${name}`, `{!Contact.Name}`, `[Vorname]`, `[Name,fallback=]`,
 * `%NAME%`, `<<name>>`, `$First Name$`, and a column of n8n without its braces.
 */
const doubtful = new RegExp(
	[
		String.raw`\$\{[^\s{}$][^{}$\n]{0,60}\}|(?<![@{])\{ ?[$!@]?\p{L}[\p{L}\d _.-]{0,40}(?:[|:,=](?! )[^{}\n]{0,60})?\}(?![@}])`,
		String.raw`(?<![\]\p{L}\d_]|<!(?:--)?)\[%?\p{L}[\p{L}\d _.-]{0,30}(?:[|:,=](?! )[^[\]\n]{0,60})?%?\](?![[(])`,
		String.raw`(?<![%\p{L}\d])%(?![\dA-Fa-f]{2}%)\p{L}[\p{L}\d_.:]{1,40}%(?!%)|<<\p{L}[\p{L}\d _]{0,40}>>`,
		String.raw`(?<![\p{L}\d$])\$\p{L}(?:[\p{L}\d _]{0,30}\p{L})?\$(?![\p{L}\d])`,
		String.raw`(?<![\p{L}\d_])\$json(?:\.[\p{L}_][\p{L}\d_]*|\[["'][^\]\n]{1,60}\])`,
	].join('|'),
	'u',
);

/** The same in a plain text: `#name#`, `@NAME@`. In HTML, colors and links begin so. */
const doubtfulInText =
	/(?<![\p{L}\d#&])#\p{L}[\p{L}\d_:.]{1,40}#(?![\p{L}\d#])|(?<![\p{L}\d@}])@\p{Lu}[\p{Lu}\d_]{1,30}@(?!\p{L})/u;

const address = /https?:\/\/[^\s"'<>]*/gi;

/**
 * What people see of a text, from which styles, scripts and comments were removed. The tags of templates are no
 * tags of HTML, so they stand for themselves meanwhile.
 */
function visibleIn(text: string, isHtml: boolean): string {
	const marked = text.replace(/<%|%>|<\?|\?>/g, (mark) =>
		String.fromCharCode(0xe000 + ['<%', '%>', '<?', '?>'].indexOf(mark)),
	);
	return (isHtml ? marked.replace(/<[^<>]*>/g, ' ') : marked).replace(address, '');
}

const unmarked = (text: string) =>
	text.replace(
		/[\ue000-\ue003]/g,
		(mark) => ['<%', '%>', '<?', '?>'][mark.charCodeAt(0) - 0xe000] ?? '',
	);

/** A tag of a template that chooses or repeats what it encloses. */
const control = /^(?:\{%|<%(?![=-])|<\?php|\*\|(?:IF|ELSE|END)\b|%%\[)/;

/** A character as HTML writes it. */
const character =
	/&(?:#\d{2,6}|#x[\da-f]{2,5}|amp|lt|gt|quot|apos|nbsp|copy|reg|trade|hellip|[nm]dash|[lr][sd]quo|[sb]dquo|sbquo|[lr]aquo|bull|middot|euro|pound|cent|deg|times|szlig|[a-z](?:acute|grave|uml|circ|tilde|cedil|ring));/i;

/** The names of characters that are no letters with a mark. */
const named: Readonly<Record<string, string>> = {
	...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®' },
	...{ trade: '™', hellip: '…', ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“' },
	...{ rdquo: '”', sbquo: '‚', bdquo: '„', laquo: '«', raquo: '»', bull: '•', middot: '·' },
	...{ euro: '€', pound: '£', cent: '¢', deg: '°', times: '×', szlig: 'ß' },
};

/** The marks that HTML names after a letter, as combining characters. */
const marks: Readonly<Record<string, string>> = {
	...{ acute: '\u0301', grave: '\u0300', uml: '\u0308', circ: '\u0302', tilde: '\u0303' },
	...{ cedil: '\u0327', ring: '\u030a' },
};

/** A tag of HTML. */
const markup =
	/<\/?(?:p|br|b|i|u|em|strong|a|div|span|ul|ol|li|h[1-6]|img|table|tbody|tr|td|font|center|blockquote|html|body|head|style|script)(?:\s[^<>]{0,500})?\s?\/?>/i;

interface Seen {
	field: string;
	label: string;
	isLink: boolean;
	raw: unknown;
	isAdditional: boolean;
	/** The text between the placeholders of an expression. */
	fixed: string[];
	/** What is found in it, by whether it is HTML. */
	ofFixed: Map<boolean, FoundIn>;
	last?: { written: string; isHtml: boolean; found: FoundIn };
}

interface FoundIn {
	tag?: string;
	doubtful?: string;
	/** In HTML: a character or a tag, and the text around it. */
	html?: { piece: string; around: string };
}

/** Returns a function that refuses a row whose texts hold what only another tool fills in, and notes what may be wrong. */
export function foreignTexts(
	operation: Pick<Operation, 'form' | 'fields' | 'isMessage'>,
	n8n: Pick<N8n, 'raw' | 'isTool'>,
	skipTextCheck: boolean,
	note: (oddity: Oddity) => void,
) {
	if (operation.isMessage !== true) return (checked: Checked) => checked;
	const stored = n8n.raw('additionalFields');
	const others = isRecord(stored) ? stored : {};
	const seen = Object.entries(declaredFields(operation)).flatMap(([field, declared]): Seen[] => {
		const { gapExample, isLink = false, reaches, form } = declared;
		// People do not read the name of a campaign, or a tag.
		if (gapExample === undefined || reaches !== 'nobody' || field === 'campaign_name') return [];
		const isAdditional = !operation.form.some(({ name }) => name === field);
		const raw = isAdditional ? others[field] : n8n.raw(field);
		const fixed = (parseTemplate(raw) ?? []).filter((part) => typeof part === 'string');
		const label = form.displayName;
		return [{ field, label, isLink, raw, isAdditional, fixed, ofFixed: new Map() }];
	});
	return (checked: Checked, { parameters, json, index: itemIndex }: Row): Checked => {
		if ('problems' in checked) return checked;
		const isForOne = checked.deliveries.every(({ audience }) => audience === undefined);
		const { additionalFields } = parameters;
		const optional = isRecord(additionalFields) ? additionalFields : {};
		const columns = n8n.isTool ? {} : json;
		const problems: Problem[] = [];
		for (const one of seen) {
			const written = (one.isAdditional ? optional : parameters)[one.field];
			if (typeof written !== 'string') continue;
			const found = findIn(
				one,
				written,
				one.field === 'content' && parameters.emailType !== 'text',
			);
			if (found.tag !== undefined && isForOne && !skipTextCheck) {
				const message = `${one.label}: ${quote(found.tag)} is a placeholder of another tool, which n8n does not fill in. ${howToWrite(found.tag, one, columns)}, ${orSkip}`;
				problems.push({ field: one.field, message });
			} else if (found.tag !== undefined) {
				const says = isForOne
					? asItIs
					: 'looks like a placeholder of another tool. In a broadcast, only the service can fill in what differs between people, in its own syntax, so people may read this as it is. Look at a test message first';
				note({ itemIndex, key: found.tag, text: quote(found.tag), says });
			}
			if (found.doubtful !== undefined) {
				const text = quote(found.doubtful);
				note({ itemIndex, key: text, text, says: asItIs, mayBeService: true });
			}
			if (found.html)
				note({ itemIndex, key: `${one.field} HTML`, ...describeHtml(found.html, one) });
		}
		return problems.length > 0 ? { problems } : checked;
	};
}

const asItIs =
	'looks like a placeholder of another tool. n8n does not fill it in, so people may read it as it is. Write a column of the item as {{ $json.column }}';

/** In a shorter text, it takes no time to search all of it. */
const LONG = 1_000;

function findIn(one: Seen, written: string, isHtml: boolean): FoundIn {
	// What is no expression is the same in all rows.
	if (one.last?.written === written && one.last.isHtml === isHtml) return one.last.found;
	const found = one.isLink ? findInLink(written) : findInTemplate(one, written, isHtml);
	one.last = { written, isHtml, found };
	return found;
}

/** Searches what is the same in all rows only once. */
function findInTemplate(one: Seen, written: string, isHtml: boolean): FoundIn {
	const values = written.length > LONG ? valuesIn(one, written) : undefined;
	if (values === undefined || isFound(findInText(values, isHtml)))
		return findInText(written, isHtml);
	const known = one.ofFixed.get(isHtml) ?? findInText(one.fixed.join(' '), isHtml);
	one.ofFixed.set(isHtml, known);
	return known;
}

const isFound = (found: FoundIn) => Object.values(found).some((one) => one !== undefined);

/** What the placeholders of a template gave; undefined if the text is not made of it. */
function valuesIn({ fixed }: Seen, written: string): string | undefined {
	if (fixed.length === 0) return undefined;
	let [values, from] = ['', 0];
	for (const text of fixed) {
		const at = written.indexOf(text, from);
		if (at === -1) return undefined;
		values += `${written.slice(from, at)} `;
		from = at + text.length;
	}
	return values + written.slice(from);
}

function findInLink(written: string): FoundIn {
	const piece = /&(?:amp|#38);/i.exec(written)?.[0];
	return piece === undefined ? {} : { html: { piece, around: piece } };
}

function findInText(written: string, isHtml: boolean): FoundIn {
	const read = isHtml ? withoutCode(written) : written;
	const hasTag = mayHoldTag.test(read);
	const hasDoubtful =
		(mayHoldDoubtful.test(read) && doubtful.test(read)) || (!isHtml && doubtfulInText.test(read));
	const visible = hasTag || hasDoubtful ? visibleIn(read, isHtml) : '';
	const [surely] = (hasTag && tag.exec(visible)) || [];
	const [maybe] =
		(hasDoubtful && (doubtful.exec(visible) ?? (!isHtml && doubtfulInText.exec(visible)))) || [];
	const html = isHtml ? undefined : (character.exec(written) ?? markup.exec(written));
	return {
		tag: surely === undefined ? undefined : unmarked(surely),
		doubtful: maybe,
		html: html
			? { piece: html[0], around: written.slice(Math.max(0, html.index - 20)) }
			: undefined,
	};
}

/** What to write in place of another tool's placeholder. */
function howToWrite(found: string, { raw }: Seen, columns: IDataObject): string {
	const name = found.replace(/^[^\p{L}]*|[^\p{L}\d]*$/gu, '');
	const column = nearestColumn(name, columns) ?? '$json.column';
	const written = control.test(found) ? CHOICE : column;
	const parts = parseTemplate(raw);
	if (!parts) return `Switch the field to Expression and write {{ ${written} }} in its place`;
	const [only, ...others] = parts;
	const isElsewhere = typeof only === 'object' && others.length === 0 && !only.code.includes(found);
	if (!isElsewhere || /['\\]/.test(found)) return `Write {{ ${written} }} in its place`;
	const code = only.code.trim();
	const whole = plainCode.test(code) ? code : `(${code})`;
	return `Replace it where the text comes from, or here: {{ ${whole}.replaceAll('${found}', ${written}) }}`;
}

/** Says what people would see of HTML, and what to write. */
function describeHtml(
	{ piece, around }: NonNullable<FoundIn['html']>,
	{ label, raw, isLink }: Seen,
) {
	const parts = parseTemplate(raw);
	const isTyped = !parts || parts.some((part) => typeof part === 'string' && part.includes(piece));
	const [only, ...others] = parts ?? [];
	const isPlain =
		typeof only === 'object' && others.length === 0 && plainCode.test(only.code.trim());
	const code = isPlain ? only.code.trim() : '$json.column';
	const meant = decoded(piece);
	const better =
		meant === undefined
			? `${code}.removeTags()`
			: `${code}.replaceAll('${piece}', ${meant === "'" ? `"'"` : `'${meant}'`})`;
	const typed = meant === undefined ? 'Remove it' : `Write ${quote(meant)} there`;
	const problem = isLink
		? "is HTML for '&', so the page would not find what follows it"
		: 'is HTML in a plain text, so people would read it as it is';
	return {
		text: `${quote(around)} in ${label}`,
		says: `${problem}. ${isTyped ? typed : `Write {{ ${better} }}`}`,
	};
}

/** The character that HTML means; undefined for a tag. */
function decoded(piece: string): string | undefined {
	const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(piece) ?? [];
	const point = hex === undefined ? Number(decimal) : parseInt(hex, 16);
	if (point >= 32 && point <= 0x10ffff) return String.fromCodePoint(point);
	const name = piece.replace(/[&;]/g, '');
	const mark = marks[name.slice(1).toLowerCase()];
	return mark === undefined
		? named[name.toLowerCase()]
		: `${name.charAt(0)}${mark}`.normalize('NFC');
}
