import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	parsePhoneNumberFromString,
	validatePhoneNumberLength,
} from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';

/**
 * What this node uses of libphonenumber-js. The build bundles the library into this file, because the
 * package has no runtime dependencies. Load it with {@link ./phone.ts}, which does so on first use.
 */

export type { CountryCode };

/** A number as the library understands it. */
export interface ParsedPhone {
	/** In E.164, such as `+4915112345678`. */
	number: string;
	/** Whether the length suits the country. */
	isPossible: boolean;
	/** Whether the digits also suit the country's numbering plan, as far as the library knows it. */
	isValid: boolean;
}

/** What is wrong with the length of a number, and the country whose rules say so. */
export interface WrongLength {
	length: 'short' | 'long';
	callingCode: string;
	/** Absent where several countries share the calling code. */
	country?: CountryCode;
}

/** Says why a number that begins with `+` and a calling code cannot be dialed, if its length is to blame. */
export function findWrongLength(text: string): WrongLength | undefined {
	const reason = validatePhoneNumberLength(text, metadata);
	if (reason !== 'TOO_SHORT' && reason !== 'TOO_LONG') return undefined;
	const digits = text.replace(/^\+/, '');
	const sharing = getCountries(metadata)
		.map((country) => ({ country, callingCode: getCallingCode(country) }))
		.filter(({ callingCode }) => digits.startsWith(callingCode));
	const [first] = sharing;
	if (!first) return undefined;
	return {
		length: reason === 'TOO_SHORT' ? 'short' : 'long',
		callingCode: first.callingCode,
		...(sharing.length === 1 ? { country: first.country } : {}),
	};
}

/** Parses a number that begins with `+`, or one in the national notation of a country. */
export function parse(text: string, country?: CountryCode): ParsedPhone | undefined {
	const phone = parsePhoneNumberFromString(
		text,
		{ defaultCountry: country, extract: false },
		metadata,
	);
	return (
		phone && { number: phone.number, isPossible: phone.isPossible(), isValid: phone.isValid() }
	);
}

/** The calling code of a country, such as `49`. */
export function getCallingCode(country: CountryCode): string {
	return getCountryCallingCode(country, metadata);
}
