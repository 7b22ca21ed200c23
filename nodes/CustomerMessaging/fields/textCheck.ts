import { quote } from '../shared/formatting';

/** What JavaScript writes for a missing value. Part of another word, as in `un-undefined`, does not count. */
const missingValue = /(?<![\p{L}\p{N}_-])(?:undefined|NaN)(?![\p{L}\p{N}_-])/u;

/** What JavaScript writes for an object. */
const objectAsText = '[object Object]';

/** What Luxon and JavaScript write for a date that is missing or cannot be read. */
const invalidDate = /(?<![\p{L}\p{N}])Invalid Date(?:Time)?(?![\p{L}\p{N}])/u;

/**
 * Finds what an expression leaves in a text if it had no value or was never evaluated. Links, styles,
 * scripts and comments are ignored, because customers do not read them. The service's own merge fields, such
 * as `@{name}@`, are allowed.
 *
 * @returns what it is and how to fix it, for use after a label; or undefined
 */
export function leftoverIn(text: string): string | undefined {
	// Most texts contain none of them, also where customers would not read it.
	if (!/undefined|NaN|\[object Object\]|Invalid Date|\{\{/.test(text)) return undefined;
	const visible = withoutCode(text).replace(/https?:\/\/[^\s"'<>]*/gi, '');
	const date = invalidDateIn(visible);
	if (date) return `${date}, or turn on 'Skip Text Check' if customers are to read it`;
	const word = missingValue.exec(visible)?.[0] ?? (visible.includes(objectAsText) && objectAsText);
	if (word)
		return `contains '${word}', which an expression leaves where a value is missing or is not text. Correct the expression, or turn on 'Skip Text Check' if customers are to read it`;
	const braces = unevaluatedIn(visible);
	if (braces)
		return `contains ${quote(braces)}, which n8n did not evaluate. Switch the field to Expression, or turn on 'Skip Text Check' if customers are to read it`;
	return undefined;
}

/** Finds what is left of a date that is none, also in lists and objects. Dates in them must be text. */
export function invalidDateIn(value: unknown): string | undefined {
	if (typeof value === 'object' && value !== null)
		return Object.values(value).map(invalidDateIn).find(Boolean);
	const word = typeof value === 'string' ? invalidDate.exec(value)?.[0] : undefined;
	return word === undefined
		? undefined
		: `contains '${word}', which an expression leaves where a date is missing or cannot be read. Correct the expression`;
}

/**
 * What a missing value leaves in a key. Unlike in a text for people, it also counts next to a dash or an
 * underscore, as in `order-undefined`. Only `undefined` is too long to occur in a code by chance.
 */
const leftoverOfKey = /undefined|\[object Object\]|(?<![\p{L}\p{N}])(?:NaN|null)(?![\p{L}\p{N}])/u;

/** What JavaScript makes of a number that is too large to be written out. */
const roundedNumber = /\d(?:\.\d+)?e\+\d{2,3}(?!\d)/;

/** Finds what would make different keys equal: what expressions leave where a value is missing, and rounded numbers. */
export function leftoverInKey(key: string): string | undefined {
	const found = leftoverOfKey.exec(key) ?? invalidDate.exec(key) ?? roundedNumber.exec(key);
	return found?.[0] ?? unevaluatedIn(key);
}

function unevaluatedIn(text: string): string | undefined {
	const start = text.indexOf('{{');
	const end = text.indexOf('}}', start + 2);
	return start === -1 || end === -1 ? undefined : text.slice(start, end + 2);
}

const ends = { style: /<\/style/gi, script: /<\/script/gi, '!--': /-->/g } as const;

/** Removes styles, scripts and comments from HTML. */
function withoutCode(html: string): string {
	const opening = /<(style|script|!--)/gi;
	let text = '';
	let from = 0;
	for (let found = opening.exec(html); found; found = opening.exec(html)) {
		const closing = ends[String(found[1]).toLowerCase() as keyof typeof ends];
		closing.lastIndex = opening.lastIndex;
		if (!closing.test(html)) break;
		text += html.slice(from, found.index) + ' ';
		from = opening.lastIndex = closing.lastIndex;
	}
	return text + html.slice(from);
}
