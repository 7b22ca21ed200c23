// Words and characters that stand for a missing value or a lost character.

import { quote, quoted, say, type Sentence } from '../shared/formatting';

/** Words that programs and spreadsheets write for a missing value. `Null` is not one, because it is also a name. */
const nobody =
	/^\s*(?:null|NULL|undefined|NaN|nan|n\/a|N\/A|#(?:N\/A|NV|(?:REF|VALUE|DIV\/0|NULL|NUM|ERROR|BEZUG|WERT|ZAHL)!|NAME\?))\s*$/;

/** More words that cannot be a whole ID. */
const notAnId = /^(?:none|false|true|-|0)$/i;

/** Checks whether the whole value is a word for a missing one. */
export function isNobody(value: string): boolean {
	return nobody.test(value);
}

/** Text that JavaScript and Luxon write for an object, a function or an invalid date. */
const lost =
	/\[object Object\]|\[native code\]|(?<![\p{L}\p{N}])Invalid Date(?:Time)?(?![\p{L}\p{N}])/u;

/** Dates as JavaScript writes them within a text: in English and in the zone of n8n's server. */
export const datesInEnglish =
	/(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) [A-Z][a-z]{2} \d\d -?\d{4,6} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \([^()]*\))?/g;

/** Works for JavaScript's dates, and for dates that n8n has stored as text. */
const formatted = "{{ $json.date.toDateTime().toLocal().toFormat('yyyy-MM-dd HH:mm') }}";

export const standsForNone = (value: string) =>
	`is ${quote(value)}, which stands for a missing value`;

/**
 * Finds text that an object or a date has become by mistake, also within lists and objects. Dates in
 * these must already be text.
 *
 * @returns a description and the fix, worded to follow a label; or undefined
 */
export function lostIn(value: unknown): string | undefined {
	if (typeof value === 'object' && value !== null)
		return Object.values(value).map(lostIn).find(Boolean);
	if (typeof value !== 'string') return undefined;
	const word = lost.exec(value)?.[0];
	if (word !== undefined)
		return `contains '${word}', which an expression leaves where a value is missing or is not text. Correct the expression`;
	const date = value.match(datesInEnglish)?.[0];
	return date === undefined
		? undefined
		: `contains ${quote(date)}, which is how a date comes into a text without a format. Give it one: ${formatted}`;
}

/** Returns why an ID cannot be a person's, and the fix, worded to follow a label; undefined if it can. */
export function explainUnusableId(id: string): Sentence | string | undefined {
	if (isNobody(id) || notAnId.test(id))
		return `${standsForNone(id)}, so that all items with it would be the same recipient. Leave them out with a Filter node, or take another column`;
	if (id.includes('{{'))
		return say`is ${quoted(id)}, which n8n did not evaluate. Switch the field to Expression`;
	return /^\d+(?:[.,]\d+)?e[+-]\d+$/i.test(id)
		? say`is ${quoted(id)}, which a spreadsheet has rounded, so that its last digits are lost. Format the column there as text, and export it again`
		: lostIn(id);
}

/** The same for a name that the account defines, such as an event's. */
export function explainUnusableName(name: string): string | undefined {
	return isNobody(name) ? `${standsForNone(name)}. Correct the expression` : lostIn(name);
}

/** The replacement character: it stands for a character that could not be decoded. */
export const LOST = '\ufffd';

/** The problem of a text with this character, and the fix, worded to follow a label. */
export const lostCharacter =
	"contains '\ufffd', which stands for a character that was lost because a file was read in the wrong encoding. Save the file as UTF-8 (in Excel: CSV UTF-8), or choose its Encoding under Options of Extract from File, such as Latin1";

/** Bytes from 80 to BF as read in Windows-1252 or Latin1, except quotation marks and dashes. */
const signs = '\\u0080-ª¬-º¼-¿ƒˆ˜€™ŠšŒœŽžŸ†‡‰•';
const marks = '«»‚„…‹›‘’“”–—';
const signOrMark = `[${signs}${marks}]`;

/**
 * UTF-8 that was read as Windows-1252 or Latin1: `Ã¶` for ö, `â€™` for ’. After a capital letter, `Ã”` may be a
 * letter and a quotation mark. In other scripts, only two such characters in a row are certain.
 */
const misread = new RegExp(
	[
		`[ÂÃÄÅ][${signs}]`,
		`(?<!\\p{Lu})[ÂÃÄÅ][${marks}]|[ÂÃÄÅ][${marks}](?=\\p{Ll})`,
		`(?:[Æ-Þ]${signOrMark}){2}`,
		`â[€‚„]${signOrMark}`,
		`(?:[à-ï]${signOrMark}{2}){2}`,
		`ðŸ${signOrMark}{2}`,
		'[\\u0080-\\u0084\\u0086-\\u009f]',
	].join('|'),
	'u',
);

/** Pairs of characters that most texts do not contain. This test is fast, and avoids the full search. */
const unusual = /[\u00c2-\u00f0][^\0-\x7f\u00c0-\u00ff]|[\u0080-\u009f]/;

/** A hint about the first word that was read in the wrong encoding, such as `JÃ¶rg`; undefined if there is none. */
export function findMisread(text: string): Sentence | undefined {
	const found = unusual.test(text) ? misread.exec(text) : undefined;
	if (!found) return undefined;
	const [before = ''] = /[^\s"\\<>]{0,20}$/.exec(text.slice(0, found.index)) ?? [];
	const [rest = ''] = /^[^\s"\\<>]{0,20}/.exec(text.slice(found.index + found[0].length)) ?? [];
	return say`${quoted(before + found[0] + rest)} looks as if it was read in the wrong encoding. Choose UTF-8 as the Encoding in the node that reads the file. Or save the file as UTF-8, in Excel as CSV UTF-8`;
}
