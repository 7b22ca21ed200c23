import type * as Library from './phoneLibrary';
import type { CountryCode, ParsedPhone, WrongLength } from './phoneLibrary';

export type { CountryCode };

/** Loads the library on first use, because most runs contain no phone number. */
function library(): typeof Library {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- a static import would load it at once, and a dynamic one cannot be used where fields are checked
	return require('./phoneLibrary') as typeof Library;
}

/** Invisible characters, spaces, brackets, slashes, dots and dashes of all kinds, which people write between digits. */
const separators = /[\p{Cf}\p{Pd}\s()[\]/.\u00b7\u2212\u2219\u30fb\u30fc]/gu;

/** What remains of a number without its separators. */
const digitsOnly = /^\+?\d{3,20}$/;

/** The plus and 15 digits. German numbers could be longer. */
const maxLength = 16;

/** A zero in brackets, which is left out where the country code is written: +44 (0)20 7946 0958. */
const zeroInBrackets = /\(\s?0\s?\)/;

/**
 * Converts a phone number as people write it to E.164.
 *
 * @param country the country whose national notation is understood; without one, a number must begin
 * with + or 00
 * @returns undefined if it is not a number of plausible length
 */
export function toE164(written: string, country?: CountryCode): string | undefined {
	// In Italy and the Ivory Coast, the zero in brackets is part of the number.
	for (const variant of new Set([written, written.replace(zeroInBrackets, '')])) {
		const phone = read(variant, country);
		if (phone?.isPossible && phone.number.length <= maxLength) return phone.number;
	}
	return undefined;
}

/** Whether a number can be read only with a default country. */
export function isNational(written: string): boolean {
	return /^(?!00)\d/.test(plain(written));
}

/** What is wrong with the length of a number with a country code, if that is why it is refused. */
export function wrongLength(written: string): WrongLength | undefined {
	const text = plain(written).replace(/^00/, '+');
	if (!text.startsWith('+') || !digitsOnly.test(text)) return undefined;
	return library().findWrongLength(text);
}

function plain(written: string): string {
	return written.replace(separators, '');
}

function read(written: string, country?: CountryCode): ParsedPhone | undefined {
	const text = plain(written);
	if (!digitsOnly.test(text)) return undefined;
	const { parse } = library();
	if (text.startsWith('+')) return parse(text);
	if (!text.startsWith('00')) return country && readNational(text, country);

	// Some countries dial another prefix than 00, such as 0011 in Australia.
	const international = parse(`+${text.slice(2)}`);
	if (international?.isValid || !country) return international;
	const national = parse(text, country);
	return national?.isValid || !international?.isPossible ? national : international;
}

/**
 * The digits of the shortest mobile numbers in national notation, without the prefix. Holds the
 * countries that write a prefix and also have shorter numbers. The library's small data lacks this.
 */
const countriesByDigits: Readonly<Record<number, string>> = {
	6: 'AX FI',
	7: 'AT MM SO',
	8: 'BG CU HR KI NZ RS SI UY',
	9: 'AE AL AU BE BY CC CX DZ EC GH HU ID IE IL JO KE KR LA MW MY NA NL PE PS PY RO RW SE SK SY TH TW VN YE ZW',
	10: 'BD BR CA DE EG GB GG IN IQ IR JP KP NP PH PK TR',
	11: 'CN',
};

export const shortestMobile = new Map(
	Object.entries(countriesByDigits).flatMap(([digits, countries]) =>
		countries.split(' ').map((country) => [country, Number(digits)] as const),
	),
);

/**
 * Whether a number has no prefix and is shorter than a mobile number of the country. It may lack its
 * area code, so that with the country code in front of it, it would be another person's number.
 */
export function isLocal(written: string, country: CountryCode): boolean {
	const digits = plain(written);
	if (!/^\d+$/.test(digits) || digits.length >= (shortestMobile.get(country) ?? 0)) return false;
	const { parse, getCallingCode } = library();
	const phone = parse(digits, country);
	return phone?.isPossible === true && phone.number === `+${getCallingCode(country)}${digits}`;
}

/** A number without a prefix may still begin with the country code, because spreadsheets drop the plus. */
function readNational(digits: string, country: CountryCode): ParsedPhone | undefined {
	const { parse, getCallingCode } = library();
	const national = isLocal(digits, country) ? undefined : parse(digits, country);
	if (!digits.startsWith(getCallingCode(country))) return national;
	const international = parse(`+${digits}`);
	if (!international?.isValid) return national;
	// In a country that writes a zero in front of national numbers, one without it is international.
	const writesZero = parse(`0${digits}`, country)?.number === national?.number;
	return writesZero || !national?.isValid ? international : national;
}
