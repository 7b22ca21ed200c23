import type * as Library from './phoneLibrary';
import type { CountryCode, PhoneNumber } from './phoneLibrary';
import { asciiDigits } from './text';

export type { CountryCode };

/** Loads the library on first use, because most runs contain no phone number. */
function parse(text: string, country?: CountryCode): PhoneNumber | undefined {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- a static import would load it at once, and a dynamic one cannot be used where fields are checked
	return (require('./phoneLibrary') as typeof Library).parse(text, country);
}

/** Spaces, dashes, brackets, and dots and slashes between groups. A last digit alone belongs to another number. */
const separators = /[\t\p{Zs}\p{Pd}\u2212\u30fb\u30fc]|[()[\]/.\u00b7\u2219](?!\s?\d\W*$)/gu;

/** The plus and 15 digits. German numbers could be longer. */
const maxLength = 16;

/** The most characters of a number with all that may stand between its digits. More would take long to search. */
const maxWritten = 100;

/** `national`: it has no country code, and no country is given or it is not a number of the country. */
export type Refusal = 'national' | 'landline' | 'unknown';

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
export function readPhone(
	written: string,
	country?: CountryCode,
): { number: string } | { refusal: Refusal } {
	const text = written.length > maxWritten ? '' : withPlainDigits(written);
	const digits = text.replace(separators, '');
	if (!/^\+?\d{3,20}$/.test(digits)) return { refusal: 'unknown' };
	const isInternational = /^(?:\+|00)/.test(digits);
	const withPlus = isInternational ? parse(digits.replace(/^00/, '+')) : undefined;
	// The zero of +44 (0)20 is left out. Where none is written at home, only valid numbers are certain.
	const isCertain = /\(\s?0\s?\)/.test(text) ? withPlus?.isValid() : withPlus?.isPossible();
	if (withPlus && isCertain && withPlus.number.length <= maxLength)
		return { number: withPlus.number };

	// Some countries dial another prefix than 00, such as 0011 in Australia.
	const national = country && !digits.startsWith('+') ? parse(digits, country) : undefined;
	if (!national?.isValid() || national.number.length > maxLength)
		return { refusal: isInternational ? 'unknown' : 'national' };
	// Spreadsheets drop the plus, and many landlines could begin with a country code.
	const isLandline = national.getType() === 'FIXED_LINE' && !digits.startsWith('0');
	const complete = isLandline ? parse(`+${digits}`) : undefined;
	const isOwn = digits.startsWith(national.countryCallingCode);
	const isMobile = complete?.getType() === 'MOBILE';
	if (!isLandline || (!isOwn && !isMobile)) return { number: national.number };
	return isOwn && isMobile ? { number: complete.number } : { refusal: 'landline' };
}

/**
 * Removes what spreadsheets, lead forms and links write around a number, and converts digits of all
 * scripts to those of ASCII.
 */
export function withPlainDigits(written: string): string {
	return asciiDigits(written)
		.replace(/[\uff01-\uff5e]/g, (sign) => sign.normalize('NFKC'))
		.trim()
		.replace(/^['\u2018\u2019]?\s*(?:(?:tel|p):)?\s*/i, '')
		.replace(/^([^.,]+)[.,]00?$/, '$1');
}
