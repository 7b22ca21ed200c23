import { z } from 'zod/v3';

import { quote } from '../shared/formatting';
import { converted, convertedFrom } from './convert';
import { type Field, type FieldConfig, fieldForm } from './field';

let segmenter: Intl.Segmenter | undefined;

/** Creates the segmenter on first use, because creating it takes longer than loading everything else. */
function splitGraphemes(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter('en');
	return segmenter.segment(text);
}

/** Length of text to segment at once. The runtime's effort grows with the square of the length. */
const windowLength = 500;

/** Counts characters as a person does: an emoji or a letter with its accents is one. */
export function characterCount(value: string): number {
	let count = 0;
	for (let start = 0, length = windowLength; ;) {
		let end = start + length;
		// A window must not separate the two halves of a code point.
		while (/[\ud800-\udbff]/.test(value.charAt(end - 1))) end++;
		const found = Array.from(splitGraphemes(value.slice(start, end)), ({ index }) => index);
		if (end >= value.length) return count + found.length;

		// The last character may continue after the window, so the next window begins with it.
		const last = found.at(-1) ?? 0;
		count += found.length - 1;
		start += last;
		length = last === 0 ? length * 2 : windowLength;
	}
}

/** Whether `value` is longer than `max` characters as a person counts them. */
export function isLongerThan(value: string, max: number): boolean {
	return value.length > max && characterCount(value) > max;
}

/** Line breaks of every kind. */
const lineBreak = /[\n\r\u0085\u2028\u2029]/;

/** ASCII control characters other than tabs and line breaks, such as NUL, which many databases cannot store. */
const control = /[^\P{Cc}\t\n\r\u0080-\u009f]/u;

/** Zero-width spaces, marks of direction, soft hyphens, fillers and the like. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes what nobody sees, and spaces at both ends. */
export function withoutInvisible(value: string): string {
	return value.replace(invisible, '').trim();
}

/** Writes digits of all scripts as 0 to 9. Those of each are ten code points in a row, from its zero on. */
export function asciiDigits(value: string): string {
	return value.replace(/(?!\d)\p{Nd}/gu, (digit) => {
		const point = digit.codePointAt(0) ?? 0;
		let zero = point;
		while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
		return String((point - zero) % 10);
	});
}

/** Whether a text contains anything other than spaces and invisible characters. */
export function isVisible(value: string): boolean {
	return /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(value);
}

/** Describes what in a text cannot be sent, and how to fix it; undefined if all of it can. */
export function unsendableText(value: string, { oneLine = false } = {}): string | undefined {
	// Half of a surrogate pair remains if an emoji is cut in two.
	if (!value.isWellFormed())
		return 'contains half a character, for instance of an emoji that was cut in two. Cut the text elsewhere';
	if (control.test(value)) return 'contains an invisible character. Remove it';
	if (oneLine && lineBreak.test(value)) return 'contains a line break. Write it on one line';
	return undefined;
}

/** The first characters of a text as a person counts them. What is left out is marked by an ellipsis. */
export function firstCharacters(value: string, max: number): string {
	if (!isLongerThan(value, max)) return value;
	const kept: string[] = [];
	for (const { segment } of splitGraphemes(value.slice(0, max * windowLength))) {
		if (kept.length === max - 1) break;
		kept.push(segment);
	}
	return `${kept.join('').trimEnd()}…`;
}

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
export function withoutCode(html: string): string {
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

/** Text as the user types it. Numbers from expressions become text; other types are refused. */
export function text(displayName: string, config: FieldConfig): Field<string> {
	return checkedText(displayName, config, 'Text', sendableText(displayName));
}

/** Text on one line, such as a subject. A line break could start another header, even at its beginning. */
export function line(displayName: string, config: FieldConfig): Field<string> {
	const rule = 'Text on one line; leading and trailing spaces are removed';
	return checkedText(displayName, config, rule, trimmedText(displayName));
}

/** Text for people to read, which must not show that an expression had no value. */
function checkedText(
	displayName: string,
	config: FieldConfig,
	rule: string,
	schema: z.ZodType<string, z.ZodTypeDef, unknown>,
): Field<string> {
	const checked = convertedFrom(schema, (value, context) => {
		const leftover = leftoverIn(value);
		if (leftover) context.addIssue(`${displayName} ${leftover}`);
		return value;
	});
	return {
		...fieldForm(displayName, 'string', '', config),
		rule,
		gapExample: 'friend',
		schema: checked,
		schemaWith: ({ skipTextCheck }) => (skipTextCheck ? schema : checked),
	};
}

/** Refuses what an expression leaves where a value is missing: it would be somebody's ID by chance only. */
function notLeftover<Value extends string | number>(
	displayName: string,
	schema: z.ZodType<Value, z.ZodTypeDef, unknown>,
) {
	return convertedFrom(schema, (value, context) => {
		const written = String(value);
		if (leftover.test(written) || written.includes('{{'))
			context.addIssue(
				`${displayName} is ${quote(written)}, which an expression leaves where a value is missing or was not evaluated. Correct the expression`,
			);
		return value;
	});
}

const leftover = /^(?:undefined|NaN|\[object Object\]|Invalid Date(?:Time)?)$/;

/** An identifier whose type the reference does not specify (spec §4.3, §4.4): text or a number, sent as is. */
export function identifier(displayName: string, config: FieldConfig): Field<string | number> {
	return {
		...fieldForm(displayName, 'string', '', config),
		rule: 'Text, or a whole number (1 or more)',
		schema: notLeftover(displayName, textOrId(displayName)),
	};
}

/**
 * Text on one line, such as a user's ID. Invisible characters are removed, because they come along when
 * people copy an ID, and would make it another one.
 */
export function key(displayName: string, config: FieldConfig): Field<string> {
	return {
		...fieldForm(displayName, 'string', '', config),
		rule: 'Text on one line; spaces at both ends and invisible characters are removed',
		schema:
			config.reaches === 'recipient'
				? notLeftover(displayName, idText(displayName))
				: idText(displayName),
	};
}

/** Returns a schema for text on one line that is not empty, without leading and trailing spaces. */
export function trimmedText(label: string) {
	return convertedFrom(sendableText(label, { oneLine: true }), (value) => value.trim());
}

function idText(label: string) {
	return convertedFrom(trimmedText(label), withoutInvisible);
}

function sendableText(label: string, kind?: { oneLine: boolean }) {
	return converted((value, context) => {
		const found = isExact(value) ? String(value) : value;
		const isFilled = typeof found === 'string' && isVisible(found);
		const unsendable = isFilled ? unsendableText(found.trim(), kind) : undefined;
		if (isFilled && !unsendable) return found;
		context.addIssue(unsendable ? `${label} ${unsendable}` : notText(label, value));
		return z.NEVER;
	});
}

/** Returns a schema for text, or a whole number from 1 on. */
export function textOrId(label: string) {
	const textSchema = idText(label);
	return converted((value, context) => {
		if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
		const read = textSchema.safeParse(value);
		for (const { message } of read.error?.issues ?? []) context.addIssue(message);
		if (typeof value !== 'number') return read.data ?? z.NEVER;
		if (read.success)
			context.addIssue(
				`${label} must be text or a whole number (1 or more), but it is ${quote(value)}`,
			);
		return z.NEVER;
	});
}

/** Whether a value is a number that JavaScript represents exactly. Integers beyond 2^53 may have been rounded. */
export function isExact(value: unknown): value is number {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function notText(label: string, value: unknown): string {
	if (typeof value === 'number' && !Number.isFinite(value)) {
		return `${label} is a calculation without a result, for instance because a value is missing. Correct the expression`;
	}
	if (typeof value === 'number') {
		return `${label} is a number too large to be sent exactly. Pass it as text`;
	}
	if (value === undefined || value === null || typeof value === 'string') {
		return `${label} is empty. Fill it in`;
	}
	return `${label} must be text, but it is ${Array.isArray(value) ? 'a list' : `of type ${typeof value}`}`;
}
