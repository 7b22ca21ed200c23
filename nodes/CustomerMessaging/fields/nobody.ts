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
