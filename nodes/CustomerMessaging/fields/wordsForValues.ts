// Numbers and yes or no, as people and spreadsheets of other languages write them.

/** `4.410,23` and `49,90`. */
const decimalComma = /^\s*[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+\s*$/;
/** `1.234.567`. */
const dotsInThousands = /^\s*[+-]?\d{1,3}(?:\.\d{3}){2,}\s*$/;
/** `4,410.23` and `1,234,567`. */
const commasInThousands = /^\s*[+-]?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})\s*$/;
/** `4,410` may be either, so it is not converted. */
const ambiguous = /^\s*[+-]?[1-9]\d{0,2},\d{3}\s*$/;

/** The part of an expression that `49,90` does not need and `4.410,23` does. It does no harm to either. */
export const WITHOUT_DOTS = ".replaceAll('.', '')";

/** The expression that makes a number of what a column holds; undefined if the value is not known. */
export function numberFrom(value: unknown, code = '$json.column'): string | undefined {
	if (typeof value !== 'string' || ambiguous.test(value)) return undefined;
	const text = `${code}?.toString()`;
	if (commasInThousands.test(value)) return `{{ ${text}.replaceAll(',', '') }}`;
	if (!decimalComma.test(value) && !dotsInThousands.test(value)) return undefined;
	const whole = value.includes('.') ? text + WITHOUT_DOTS : text;
	return `{{ ${whole}.replace(',', '.') }}`;
}

/** Pairs of words for yes and no. */
const pairs = ['yes no', 'ja nein', 'y n', 'oui non', 'sí no', 'wahr falsch', 'on off', '1 0'];

/** The expression that makes true or false of what a column holds; undefined if the word is not known. */
export function booleanFrom(value: unknown, code = '$json.column'): string | undefined {
	const word = String(value).trim().toLowerCase();
	const pair = pairs.map((both) => both.split(' ')).find((both) => both.includes(word));
	if (!pair) return undefined;
	// Another word gives nothing, which is not sent.
	const [yes, no] = pair;
	return `{{ ({ '${yes}': true, '${no}': false })[${code}?.toString().toLowerCase()] }}`;
}

/** Whether a text is a number, in any of these notations. A code with leading zeros is none. */
export function isNumberAsText(value: unknown): value is string {
	if (typeof value !== 'string' || value.length > 15 || /^\s*[+-]?0\d/.test(value)) return false;
	return (
		/^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ||
		ambiguous.test(value) ||
		numberFrom(value) !== undefined
	);
}
