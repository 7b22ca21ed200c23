import { quote } from '../shared/formatting';
import { withoutCode } from '../shared/html';

// What nobody means: what programs, databases and spreadsheets write where a value is missing.

/** What spreadsheets write for a value that they cannot find or calculate, in many languages, with its mark. */
const cellErrors = [
	'REF|BEZUG|¡REF|RIF|VERW|ADR|REFERENS|REFERENCE|VIITTAUS|BAŞV|ODKAZ|HIV|ССЫЛКА',
	'VALUE|WERT|VALEUR|¡VALOR|VALORE|VALOR|WAARDE|ARG|VÄRDEFEL|VÆRDI|VERDI|ARVO|DEĞER|HODNOTA|ÉRTÉK|ЗНАЧ',
	'NAME|NOM|¿NOMBRE|NOME|NAAM|NAZWA|NAMN|NAVN|NIMI|AD|NÁZEV|NÉV|ИМЯ',
	'DIV/0|¡DIV/0|DEEL/0|DZIEL/0|DIVISION/0|JAKO/0|SAYI/0|DĚLENÍ_NULOU|ZÉRÓOSZTÓ|ДЕЛ/0',
	'NUM|ZAHL|NOMBRE|¡NUM|NÚM|GETAL|LICZBA|OGILTIGT|LUKU|SAYI|ČÍSLO|SZÁM|ЧИСЛО|SAKNAS|PUUTTUU',
	'NULL|NUL|¡NULO|NULO|NULLO|LEEG|ZERO|SKÄRNING|TYHJÄ|BOŞ|ПУСТО|ERROR|SPILL|ÜBERLAUF|PROPAGATION',
	'¡DESBORDAMIENTO|CALC|KALK|CALCUL|FIELD|FELD|BLOCKED|UNKNOWN|CONNECT|BUSY|N/D',
].join('|');
const cellErrorsWithoutMark =
	'N/A|NA|N/D|N/B|NV|I/T|NIET_BESCHIKBAAR|YOK|HIÁNYZIK|NENÍ_K_DISPOZICI|Н/Д|GETTING_DATA|#{2,}';

/** In whatever letters, these are no word and no name. */
const anyCase = new RegExp(
	[
		String.raw`^\s*(?:#(?:(?:${cellErrors})[!?]|${cellErrorsWithoutMark})|Err:\d{3}`,
		String.raw`undefined|n\/a|n\.a\.|\\N|[([<{](?:null|nil|none|na|n\/a|nan|blank|empty|leer)[)\]>}])\s*$`,
	].join('|'),
	'i',
);

/** In these letters only: there are people called Null, Nan and Nil. Lists in capitals may hold NAN and NIL. */
const asPrograms = /^\s*(?:null|NULL|NaN|nan|NaT|nil)\s*$/;

/** Python's. As an attribute it may be an answer, such as that to a question about allergies. */
const asPython = /^\s*None\s*$/;

/** As a whole ID, these are nobody's either. Elsewhere, 0 is a number and NA is Namibia. */
const asId = /^(?:[0\-–—−]+|null|nil|none|nan|nat|na|\d+(?:[.,]\d+)?e[+-]\d+)$/i;

/** What is left of a value that was there, so it is never taken as empty. */
const isLost = /^\s*(?:\[object Object\]|Invalid Date(?:Time)?)\s*$/;

/** How all of them begin, except some IDs. Most values do not, and are done with it. */
const mayBeNobody = /^\s*(?:[#\\([<{]|[nN][uUaAiIoO/.]|[uU][nN]|[eE]rr|Invalid)[^]{0,25}$/;

/** Whether a whole value means that there is none. For most words it makes no difference what it is to be. */
export function isNobody(value: string, use: 'id' | 'text' | 'name' | 'attribute'): boolean {
	if (use !== 'id' && !mayBeNobody.test(value)) return false;
	if (anyCase.test(value) || asPrograms.test(value)) return true;
	if (use === 'attribute') return false;
	if (use === 'id') return asId.test(value) || isLost.test(value);
	return asPython.test(value) || (use === 'text' && isLost.test(value));
}

/** What JavaScript writes for a missing value. Part of another word, as in `un-undefined`, does not count. */
const missingValue = /(?<![\p{L}\p{N}_-])(?:undefined|NaN)(?![\p{L}\p{N}_-])/u;

/** What JavaScript writes for an object. */
const objectAsText = '[object Object]';

/** How what JavaScript writes for one of its functions ends. */
export const functionAsText = '[native code]';

/** What Luxon and JavaScript write for a date that is missing or cannot be read. */
const invalidDate = /(?<![\p{L}\p{N}])Invalid Date(?:Time)?(?![\p{L}\p{N}])/u;

/** What JavaScript writes for a date within a text, in English and in the zone of n8n's server. */
export const datesInEnglish =
	/(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) [A-Z][a-z]{2} \d\d -?\d{4,6} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \([^()]*\))?/g;

/** Works for a date as JavaScript has it, and for one that n8n has stored, which is text. */
const formatted = "{{ $json.date.toDateTime().toLocal().toFormat('yyyy-MM-dd HH:mm') }}";

/**
 * Finds what an expression leaves in a text if it had no value or was never evaluated. Links, styles,
 * scripts and comments are ignored, because customers do not read them. The service's own merge fields, such
 * as `@{name}@`, are allowed.
 *
 * @returns what it is and how to fix it, for use after a label; or undefined
 */
export function leftoverIn(text: string): string | undefined {
	const unlessMeant = "or turn on 'Skip Text Check' if customers are to read it";
	// Most texts contain none of them, also where customers would not read it.
	if (!/undefined|NaN|\[object Object\]|\[native code\]|Invalid Date|\d GMT[+-]\d|\{\{/.test(text))
		return isNobody(text, 'text')
			? `is ${quote(text)}, which stands for a missing value. Correct the expression, ${unlessMeant}`
			: undefined;
	const visible = withoutCode(text).replace(/https?:\/\/[^\s"'<>]*/gi, '');
	const lost = lostIn(visible);
	if (lost) return `${lost}, ${unlessMeant}`;
	const word = missingValue.exec(visible)?.[0];
	if (word) return `${leaves(word)}. Correct the expression, ${unlessMeant}`;
	const braces = unevaluatedIn(visible);
	if (braces)
		return `contains ${quote(braces)}, which n8n did not evaluate. Switch the field to Expression, ${unlessMeant}`;
	return undefined;
}

const leaves = (word: string) =>
	`contains '${word}', which an expression leaves where a value is missing or is not text`;

/** One search for these is quicker than the patterns. The shortest has 12 characters. */
const mayBeLost = /Invalid Date|\[(?:object Object|native code)\]| GMT/;

/**
 * Finds what is left of an object or a date within text, also in lists and objects. Dates in them must be
 * text.
 *
 * @returns as {@link leftoverIn}
 */
export function lostIn(value: unknown): string | undefined {
	if (typeof value === 'object' && value !== null)
		return Object.values(value).map(lostIn).find(Boolean);
	// Most values are short, and hold none of it.
	if (typeof value !== 'string' || value.length < 12 || !mayBeLost.test(value)) return undefined;
	const none = invalidDate.exec(value)?.[0];
	if (none !== undefined)
		return `contains '${none}', which an expression leaves where a date is missing or cannot be read. Correct the expression`;
	if (value.includes(objectAsText)) return `${leaves(objectAsText)}. Correct the expression`;
	if (value.includes(functionAsText))
		return `contains '${functionAsText}', which is how a function comes into a text that is not called. Add () after its name`;
	const date = value.match(datesInEnglish)?.[0];
	return date === undefined
		? undefined
		: `contains ${quote(date)}, which is how a date comes into a text without a format. Give it one: ${formatted}`;
}

/**
 * What a missing value leaves in a key. Unlike in a text for people, it also counts next to a dash or an
 * underscore, as in `order-undefined`. Only `undefined` is too long to occur in a code by chance.
 */
const leftoverOfKey = /undefined|(?<![\p{L}\p{N}])NaN(?![\p{L}\p{N}])/u;

/** What JavaScript makes of a number that is too large to be written out. */
const roundedNumber = /\d(?:\.\d+)?e\+\d{2,3}(?!\d)/i;

/** Finds what would make different keys equal: what expressions leave where a value is missing, and rounded numbers. */
export function leftoverInKey(key: string): string | undefined {
	if (isNobody(key, 'text')) return key;
	const found = leftoverOfKey.exec(key) ?? roundedNumber.exec(key);
	return found?.[0] ?? unevaluatedIn(key);
}

function unevaluatedIn(text: string): string | undefined {
	const start = text.indexOf('{{');
	const end = text.indexOf('}}', start + 2);
	return start === -1 || end === -1 ? undefined : text.slice(start, end + 2);
}

/** Says why an ID is nobody's, and how to fix it, for use after a label; undefined if it may be somebody's. */
export function nobodysId(id: string): string | undefined {
	if (/^(?:undefined|NaN)$/.test(id) || isLost.test(id) || id.includes('{{'))
		return `is ${quote(id)}, which an expression leaves where a value is missing or was not evaluated. Correct the expression`;
	const date = id.search(datesInEnglish) >= 0 ? lostIn(id) : undefined;
	if (date !== undefined) return date;
	const [, whole] = /^(\d+)[.,]0+$/.exec(id) ?? [];
	if (whole !== undefined)
		return `is ${quote(id)}, a whole number that was written with decimals. If the ID is ${whole}, remove them: {{ String($json.column).replace(/[.,]0+$/, '') }}`;
	if (/^\d.*e[+-]\d+$/i.test(id) && isNobody(id, 'id'))
		return `is ${quote(id)}, which a spreadsheet has rounded, so that its last digits are lost. Format the column there as text, or as a number without decimals, and export it again`;
	return isNobody(id, 'id')
		? `is ${quote(id)}, which stands for a missing value, so that all items with it would be the same recipient. Leave them out with a Filter node, or take another column`
		: undefined;
}
