import type * as Library from './phoneLibrary';
import type { CountryCode, PhoneNumber } from './phoneLibrary';

export type { CountryCode };

/** Loads the library on first use, because most runs contain no phone number. */
function parse(text: string, country?: CountryCode): PhoneNumber | undefined {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- a static import would load it at once, and a dynamic one cannot be used where fields are checked
	return (require('./phoneLibrary') as typeof Library).parse(text, country);
}

/** Spaces, brackets, slashes, dots and dashes of all kinds, which people write between digits. */
const separators = /[\t\p{Zs}\p{Pd}()[\]/.\u00b7\u2212\u2219\u30fb\u30fc]/gu;

/** What remains of a number without its separators. */
const digitsOnly = /^\+?\d{3,20}$/;

/** The plus and 15 digits. German numbers could be longer. */
const maxLength = 16;

/** The most characters of a number with all that may stand between its digits. More would take long to search. */
const maxWritten = 100;

/** A zero in brackets, which is left out where the country code is written: +44 (0)20 7946 0958. */
const zeroInBrackets = /\(\s?0\s?\)/;

/** A number that a spreadsheet shortened: 9.8765E+09. */
const rounded = /^[+-]?\d+(?:[.,]\d+)?e\+?\d+$/i;

/** What follows a whole number in a spreadsheet. Where dots stand between groups, two zeros may be one. */
const decimals = /(?<!\..*)[.,]00$|[.,]0$/;

/** Why a text is not sent as a phone number. */
export interface Refusal {
	/** `national`: it has no country code, and no country is given or it is not a number of the country. */
	reason: 'rounded' | 'several' | 'ambiguous' | 'national' | 'unknown';
	/** The numbers that could be meant, in E.164. */
	meant: string[];
}

/**
 * Reads a phone number as people and programs write it.
 *
 * A number with its country code need only have a possible length, because there are newer ranges than
 * the library knows. A national number must be valid, because with the country code in front, it would
 * otherwise be a number that nobody wrote.
 *
 * @param country the country whose national notation is understood; without one, a number must begin
 * with + or 00
 */
export function readPhone(written: string, country?: CountryCode): { number: string } | Refusal {
	const text = written.length > maxWritten ? '' : withPlainDigits(written);
	const refuse = (reason: Refusal['reason'], meant: string[] = []): Refusal => ({
		reason,
		meant,
	});
	if (rounded.test(text)) return refuse('rounded');
	if (decimals.test(text) && !isValid(text, country))
		return readPhone(text.replace(decimals, ''), country);
	if (holdsMore(text, country)) return refuse('several');
	const numbers = dialed(text, country);
	const [only, other] = numbers;
	if (other !== undefined) return refuse('ambiguous', numbers);
	if (only !== undefined) return { number: only };

	const digits = text.replace(separators, '');
	if (!digitsOnly.test(digits)) return refuse(/\d{3}/.test(digits) ? 'several' : 'unknown');
	if (/^(\+|00)/.test(digits)) return refuse('unknown');
	const withPlus = parse(`+${digits}`);
	return refuse('national', withPlus?.isValid() ? [withPlus.number] : []);
}

/**
 * Removes what spreadsheets, lead forms and links write around a number, and converts digits of all
 * scripts to those of ASCII.
 */
export function withPlainDigits(written: string): string {
	if (/^\+?\d+$/.test(written)) return written;
	const visible = written.replace(/\p{Cf}/gu, '');
	// Where the digits are full-width characters, so is what stands around them.
	const isFullWidth = /[\uff10-\uff19]/.test(visible);
	const plain = (character: string) => (isFullWidth ? character.normalize('NFKC') : character);
	return visible
		.replace(/[\uff01-\uff5e]/g, plain)
		.replace(/(?!\d)\p{Nd}/gu, plainDigit)
		.trim()
		.replace(/^['\u2018\u2019]?\s*(?:(?:tel|p):)?/i, '')
		.trim()
		.replace(/^([^.,]+)[.,]0$/, '$1');
}

/** In Unicode, the ten digits of a script follow one another, and those of several may do so too. */
function plainDigit(digit: string): string {
	const code = digit.codePointAt(0) ?? 0;
	let zero = code;
	while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
	return String((code - zero) % 10);
}

/** The numbers that may be meant: none, one, or two. */
function dialed(text: string, country?: CountryCode): string[] {
	const found = new Set(dial(text, country));
	if (!zeroInBrackets.test(text)) return [...found];
	// In Italy and the Ivory Coast, the zero in brackets is part of the number.
	for (const number of dial(text.replace(zeroInBrackets, ''), country)) found.add(number);
	const valid = [...found].filter((number) => parse(number)?.isValid());
	return valid.length > 0 ? valid.slice(0, 1) : [...found];
}

/** The same for one way to read the brackets. What the library calls valid has a type, and is possible. */
function dial(text: string, country?: CountryCode): string[] {
	const digits = text.replace(separators, '');
	if (!digitsOnly.test(digits)) return [];
	if (digits.startsWith('+')) return listPossible(parse(digits));
	const national = country && !isFiller(digits) ? parse(digits, country) : undefined;
	const type = national?.getType();
	if (digits.startsWith('00')) {
		const abroad = parse(`+${digits.slice(2)}`);
		// Some countries dial another prefix than 00, such as 0011 in Australia.
		return national && type && !abroad?.isValid() ? [national.number] : listPossible(abroad);
	}
	if (!national) return [];
	const found = type && national.number.length <= maxLength ? [national.number] : [];
	// No country code begins with a zero.
	if (isMobile(type) || digits.startsWith('0')) return found;
	// Spreadsheets drop the plus, and many landlines could begin with any country code.
	const withPlus = parse(`+${digits}`);
	if (!withPlus?.isValid() || withPlus.number === national.number) return found;
	const isOwn = withPlus.countryCallingCode === national.countryCallingCode;
	if (found.length === 0) return isOwn ? [withPlus.number] : [];
	// Only in countries that write a zero in front is something missing.
	if (parse(`0${digits}`, country)?.number !== national.number) return found;
	return isOwn && isMobile(withPlus.getType())
		? [withPlus.number]
		: [national.number, withPlus.number];
}

/** Whether the digits fill a field in place of a number: 000 000 0000 or 123-123-1234, valid in some countries. */
function isFiller(digits: string): boolean {
	const significant = digits.replace(/^0+(?=.)/, '');
	return /^(\d)\1*$/.test(significant) || countingUp.test(significant);
}

/** Digits that count up from 1 more than once. Counting up once is how France begins in Paris: 01 23 45 67 89. */
const countingUp = /^(?:123(?:4(?:5(?:6(?:7(?:8(?:90?)?)?)?)?)?)?){2,}$/;

function listPossible(phone?: PhoneNumber): string[] {
	return phone?.isPossible() && phone.number.length <= maxLength ? [phone.number] : [];
}

function isMobile(type: ReturnType<PhoneNumber['getType']>): boolean {
	return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE';
}

function isValid(text: string, country?: CountryCode): boolean {
	return dial(text, country).some((number) => parse(number)?.isValid());
}

/** Whether a text goes on after a valid number: 0171 3920001/02, or two numbers next to each other. */
function holdsMore(text: string, country?: CountryCode): boolean {
	const mayBeTwo = countDigits(text) >= 14;
	return Array.from(text.matchAll(/[^\d+]/g)).some(({ index }) => {
		const [before, after] = [text.slice(0, index), text.slice(index)];
		if (mayEnd(before, after)) return isValid(before, country);
		return mayBeTwo && isValid(before, country) && isValid(after, country);
	});
}

/** Whether what follows may be an addition, such as a decimal, the last digits of another number, or a remark. */
function mayEnd(before: string, after: string): boolean {
	if (/^[([]/.test(after)) return true;
	if (after.startsWith('/')) return countDigits(after) <= 2 || countDigits(before) >= 8;
	return /^[.,]0$/.test(after) || (/^[.,]\d\d?$/.test(after) && !before.includes('.'));
}

function countDigits(text: string): number {
	return text.replace(/\D/g, '').length;
}
