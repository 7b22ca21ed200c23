// What stands for a value, or a character, that was lost on its way.

import { quote } from '../shared/formatting';
import { quoted, say, type Sentence } from '../shared/sentence';

/** What programs and spreadsheets write in place of a missing value. People called Null are not meant. */
const nobody =
	/^\s*(?:null|NULL|undefined|NaN|nan|n\/a|N\/A|#(?:N\/A|NV|(?:REF|VALUE|DIV\/0|NULL|NUM|ERROR|BEZUG|WERT|ZAHL)!|NAME\?))\s*$/;

/** As a whole ID, these are nobody's either. */
const nobodysWord = /^(?:none|false|true|-|0)$/i;

/** Whether a whole value means that there is none. */
export function isNobody(value: string): boolean {
	return nobody.test(value);
}

/** What JavaScript and Luxon write for an object, a function, and a date that cannot be read. */
const lost =
	/\[object Object\]|\[native code\]|(?<![\p{L}\p{N}])Invalid Date(?:Time)?(?![\p{L}\p{N}])/u;

/** What JavaScript writes for a date within a text, in English and in the zone of n8n's server. */
export const datesInEnglish =
	/(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) [A-Z][a-z]{2} \d\d -?\d{4,6} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \([^()]*\))?/g;

/** Works for a date as JavaScript has it, and for one that n8n has stored, which is text. */
const formatted = "{{ $json.date.toDateTime().toLocal().toFormat('yyyy-MM-dd HH:mm') }}";

export const standsForNone = (value: string) =>
	`is ${quote(value)}, which stands for a missing value`;

const leaves = (word: string) =>
	`contains '${word}', which an expression leaves where a value is missing or is not text. Correct the expression`;

/**
 * Finds what is left of an object or a date within text, also in lists and objects. Dates in them must be
 * text.
 *
 * @returns what it is and how to fix it, for use after a label; or undefined
 */
export function lostIn(value: unknown): string | undefined {
	if (typeof value === 'object' && value !== null)
		return Object.values(value).map(lostIn).find(Boolean);
	if (typeof value !== 'string') return undefined;
	const word = lost.exec(value)?.[0];
	if (word !== undefined) return leaves(word);
	const date = value.match(datesInEnglish)?.[0];
	return date === undefined
		? undefined
		: `contains ${quote(date)}, which is how a date comes into a text without a format. Give it one: ${formatted}`;
}

/** Says why an ID is nobody's, and how to fix it, for use after a label; undefined if it may be somebody's. */
export function nobodysId(id: string): Sentence | string | undefined {
	if (isNobody(id) || nobodysWord.test(id))
		return `${standsForNone(id)}, so that all items with it would be the same recipient. Leave them out with a Filter node, or take another column`;
	if (id.includes('{{'))
		return say`is ${quoted(id)}, which n8n did not evaluate. Switch the field to Expression`;
	return /^\d+(?:[.,]\d+)?e[+-]\d+$/i.test(id)
		? say`is ${quoted(id)}, which a spreadsheet has rounded, so that its last digits are lost. Format the column there as text, and export it again`
		: lostIn(id);
}

/** What reading puts in the place of a character that the encoding does not have. */
export const LOST = '\ufffd';

/** What is wrong with a text that contains it, and the way out, for use after a label. */
export const lostCharacter =
	"contains '\ufffd', which stands for a character that was lost because a file was read in the wrong encoding. Save the file as UTF-8 (in Excel: CSV UTF-8), or choose its Encoding under Options of Extract from File, such as Latin1";

/** What bytes from 80 to BF become if they are read as Windows-1252 or Latin1; quotation marks and dashes apart. */
const signs = '\\u0080-ª¬-º¼-¿ƒˆ˜€™ŠšŒœŽžŸ†‡‰•';
const marks = '«»‚„…‹›‘’“”–—';
const any = `[${signs}${marks}]`;

/**
 * UTF-8 that was read as Windows-1252 or Latin1: `Ã¶` for ö, `â€™` for ’. Behind a capital, `Ã”` may be a
 * letter and a quotation mark. Of other scripts, only two characters in a row are certain.
 */
const misread = new RegExp(
	[
		`[ÂÃÄÅ][${signs}]`,
		`(?<!\\p{Lu})[ÂÃÄÅ][${marks}]|[ÂÃÄÅ][${marks}](?=\\p{Ll})`,
		`(?:[Æ-Þ]${any}){2}`,
		`â[€‚„]${any}`,
		`(?:[à-ï]${any}{2}){2}`,
		`ðŸ${any}{2}`,
		'[\\u0080-\\u0084\\u0086-\\u009f]',
	].join('|'),
	'u',
);

/** Two characters in a row that most texts do not have, so that only few are searched for the rest. */
const unusual = /[\u00c2-\u00f0][^\0-\x7f\u00c0-\u00ff]|[\u0080-\u009f]/;

/** The word in which something was read in the wrong encoding, such as `JÃ¶rg`; undefined if none is. */
export function misreadWord(text: string): string | undefined {
	const found = unusual.test(text) ? misread.exec(text) : undefined;
	if (!found) return undefined;
	const [before = ''] = /[^\s"\\<>]{0,20}$/.exec(text.slice(0, found.index)) ?? [];
	const [rest = ''] = /^[^\s"\\<>]{0,20}/.exec(text.slice(found.index + found[0].length)) ?? [];
	return before + found[0] + rest;
}
