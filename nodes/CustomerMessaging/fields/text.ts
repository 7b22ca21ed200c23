import { z } from 'zod/v3';

import { quoted, say, type Sentence } from '../shared/formatting';
import { converted, convertedFrom, sentenceOf } from './convert';
import { type Field, type FieldConfig, fieldForm, type FieldOptions, isBlank } from './field';
import { explainUnusableId, explainUnusableName, LOST, lostCharacter } from './lost';

/** Created on first use, because creating it takes longer than loading everything else. */
let segmenter: Intl.Segmenter | undefined;

/** Length of text to segment at once. The time for each character grows with this length. */
const windowLength = 500;

/** The characters of a text as a person counts them: an emoji or a letter with its accents is one. */
function* charactersOf(value: string): Generator<string> {
	segmenter ??= new Intl.Segmenter('en');
	for (let start = 0, length = windowLength; start < value.length;) {
		const [begin, end] = [start, start + length];
		for (const { segment } of segmenter.segment(value.slice(begin, end))) {
			// The last character may continue after the window, or be cut in half by it.
			if (start + segment.length >= end - 1 && end < value.length) break;
			yield segment;
			start += segment.length;
			// After a long character, return to short windows.
			if (length > windowLength) break;
		}
		length = start === begin ? length * 2 : windowLength;
	}
}

/** Counting a million takes about a second. */
const MAX_COUNTED = 100_000;

/** Counts characters as a person does; undefined if there are more than `max`. */
export function characterCount(value: string, max = MAX_COUNTED): number | undefined {
	let count = 0;
	for (const characters = charactersOf(value); !characters.next().done; count++)
		if (count === max) return undefined;
	return count;
}

/** Checks whether `value` is longer than `max` characters as a person counts them. */
export function isLongerThan(value: string, max: number): boolean {
	return value.length > max && characterCount(value, max) === undefined;
}

const lineBreak = /[\n\r\u0085\u2028\u2029]/;

/**
 * ASCII control characters other than tabs and line breaks, such as NUL, which many databases cannot store, and
 * the replacement character.
 */
const unsendable = /[^\P{Cc}\t\n\r\u0080-\u009f]|\ufffd/u;

/** Zero-width spaces, marks of direction, soft hyphens, fillers and the like. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes invisible characters, and spaces at both ends. */
export function withoutInvisible(value: string): string {
	return value.replace(invisible, '').trim();
}

/** Converts digits of all scripts to 0 to 9. The digits of each script are ten consecutive code points. */
export function asciiDigits(value: string): string {
	return value.replace(/(?!\d)\p{Nd}/gu, (digit) => {
		const point = digit.codePointAt(0) ?? 0;
		let zero = point;
		while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
		return String((point - zero) % 10);
	});
}

/** Describes a part of the text that cannot be sent, and the fix; undefined if there is none. */
export function unsendableText(value: string, { oneLine = false } = {}): string | undefined {
	// Half of a surrogate pair remains if an emoji is cut in two.
	if (!value.isWellFormed())
		return 'contains half a character, for instance of an emoji that was cut in two. Cut the text elsewhere';
	if (unsendable.test(value))
		return value.includes(LOST) ? lostCharacter : 'contains an invisible character. Remove it';
	if (oneLine && lineBreak.test(value)) return 'contains a line break. Write it on one line';
	return undefined;
}

/** Cuts a text to a number of characters as a person counts them, and marks the cut with an ellipsis. */
export function firstCharacters(value: string, max: number): string {
	if (!isLongerThan(value, max)) return value;
	let [kept, count] = ['', 0];
	for (const character of charactersOf(value)) {
		if (++count === max) break;
		kept += character;
	}
	return `${kept.trimEnd()}…`;
}

/** Text as the user types it. Numbers from expressions become text; other types are refused. */
export function text(displayName: string, config: FieldConfig): Field<string> {
	return {
		...fieldForm(displayName, 'string', '', config),
		rule: 'Text',
		isText: true,
		schema: sendableText(displayName),
	};
}

/** Text on one line, such as a subject. A line break, even at the beginning, could start another header. */
export function line(displayName: string, config: FieldConfig): Field<string> {
	return {
		...text(displayName, config),
		rule: 'Text on one line; leading and trailing spaces are removed',
		schema: trimmedText(displayName),
	};
}

/** An identifier whose type the reference does not specify (spec §4.3, §4.4): text or a number, sent as is. */
export function identifier(displayName: string, config: FieldConfig): Field<string | number> {
	return {
		...fieldForm(displayName, 'string', '', config),
		rule: 'Text, or a whole number (1 or more)',
		isId: true,
		schema: explained(displayName, textOrId(displayName), explainUnusableId),
	};
}

/**
 * Text on one line, such as a user's ID. Invisible characters are removed, because they are copied along
 * with an ID and would change it.
 */
export function key(displayName: string, config: FieldConfig): Field<string> {
	const isName = config.reaches === 'nobody';
	const explain = isName ? explainUnusableName : explainUnusableId;
	return {
		...fieldForm(displayName, 'string', '', config),
		rule: 'Text on one line; spaces at both ends and invisible characters are removed',
		...(isName ? {} : { isId: true }),
		schema: explained(displayName, idText(displayName), explain),
	};
}

/** Refuses a value for which `explain` returns the rest of a sentence after the label. */
function explained<Value extends string | number>(
	displayName: string,
	schema: z.ZodType<Value, z.ZodTypeDef, unknown>,
	explain: (value: string) => Sentence | string | undefined,
) {
	return convertedFrom(schema, (value, context) => {
		const unusable = explain(String(value));
		if (unusable) context.addIssue(say`${displayName} ${unusable}`);
		return value;
	});
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
		const isFilled = typeof found === 'string' && !isBlank(found);
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
		for (const issue of read.error?.issues ?? []) context.addIssue(sentenceOf(issue));
		if (typeof value !== 'number') return read.data ?? z.NEVER;
		if (read.success)
			context.addIssue(
				say`${label} must be text or a whole number (1 or more), but it is ${quoted(value)}`,
			);
		return z.NEVER;
	});
}

/** Checks for a number that JavaScript represents exactly. Integers beyond 2^53 may have been rounded. */
export function isExact(value: unknown): value is number {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** The problem of a number beyond 2^53, and the fix, worded to follow 'is'. */
export const rounded =
	'a number with so many digits that n8n has rounded it already. Take a column that holds it as text, or have the source give it as text';

function notText(label: string, value: unknown): string {
	if (typeof value === 'number' && !Number.isFinite(value))
		return `${label} is a calculation without a result, for instance because a value is missing. Correct the expression`;
	if (typeof value === 'number') return `${label} is ${rounded}`;
	if (value === undefined || value === null || typeof value === 'string')
		return `${label} is empty. Fill it in`;
	return `${label} must be text, but it is ${Array.isArray(value) ? 'a list' : `of type ${typeof value}`}`;
}

/** Characters that text editors insert automatically, and their replacements in GSM-7, the alphabet of SMS. */
const typewritten: ReadonlyArray<[typographic: string, plain: string]> = [
	['‐‑‒–—―−', '-'],
	['‘’‚‛′', "'"],
	['“”„‟″«»', '"'],
	['…', '...'],
	['\u00a0\u2002\u2003\u2009\u202f', ' '],
];

const plainOf = new Map(
	typewritten.flatMap(([characters, plain]) => [...characters].map((one) => [one, plain])),
);

export function replaceTypographic(message: string): string {
	return [...message].map((one) => plainOf.get(one) ?? one).join('');
}

/** The text of an SMS, to which the option Replace Typographic Characters applies. */
export function smsText(displayName: string, config: FieldConfig): Field<string> {
	const field = text(displayName, config);
	const replaced = convertedFrom(field.schema, replaceTypographic);
	const schemaWith = ({ replaceTypographicCharacters }: FieldOptions) =>
		replaceTypographicCharacters ? replaced : field.schema;
	return { ...field, schemaWith };
}
