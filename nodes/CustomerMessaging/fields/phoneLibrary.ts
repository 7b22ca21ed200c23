import {
	type CountryCode,
	parsePhoneNumberFromString,
	type PhoneNumber,
} from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

/**
 * The part of libphonenumber-js that this node uses, with its complete data. The build bundles the library
 * into this file, because the package has no runtime dependencies. `mobile.ts` loads it on first use.
 */

/** Parses a number that begins with `+`, or one in the national notation of a country. */
export function parse(text: string, country?: CountryCode): PhoneNumber | undefined {
	return parsePhoneNumberFromString(text, { defaultCountry: country, extract: false }, metadata);
}
