import { getCountries } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

import * as phones from '../../../nodes/CustomerMessaging/fields/mobile';
import { type CountryCode, parse } from '../../../nodes/CustomerMessaging/fields/phoneLibrary';
import { look, outcomeOf } from './support/outcome';

const { countries, mobile, readCountry, readPhone, senderMobile } = phones;

describe('A phone number', () => {
	it.each<[string, CountryCode | undefined, string]>([
		// A prefix from abroad other than 00, read as the country does.
		['011 44 20 7946 0958', 'US', '+442079460958'],
		['0011 49 170 1234567', 'AU', '+491701234567'],
		// 00 means the plus, also in countries that dial something else.
		['0049 170 1234567', 'US', '+491701234567'],
		// The country code of the default country without its plus.
		['4915112345678', 'DE', '+4915112345678'],
		// A national number that only begins like a country code.
		['15122345678', 'DE', '+4915122345678'],
		// Landlines that begin with the country's own code: short numbers whose plus is missing.
		...['4917139200', '49 171 392 00', '49444178908', '493012345678'].map(
			(written): [string, CountryCode, string] => [written, 'DE', 'landline'],
		),
		['431234567', 'AT', 'landline'],
		['331234567', 'FR', 'landline'],
		['485012345', 'PL', 'landline'],
		['390612345678', 'IT', 'landline'],
		['442079460958', 'GB', 'landline'],
		// A mobile number of another country whose plus is missing.
		['447400123456', 'DE', 'landline'],
		// With its zero, and where it may be a mobile number, it is complete.
		['04917139200', 'DE', '+494917139200'],
		['45123456', 'DK', '+4545123456'],
		// A last digit alone is no group of digits.
		['76.16.98.0', 'LU', 'unknown'],
		['0171 3920001/2', 'DE', 'unknown'],
		['0171 3920001 (2)', 'DE', 'unknown'],
		// Too short to be complete.
		['12345', 'DE', 'national'],
		// Spreadsheets drop the zero of a mobile number.
		['1701234567', 'DE', '+491701234567'],
		['22 33 44', 'LU', '+352223344'],
		// Not valid as far as the library knows, but possible: from abroad, and as the country dials.
		['00951567494404', 'AU', '+951567494404'],
		['009991234567', 'DE', 'unknown'],
		// The zero in brackets is part of the number in some countries only.
		['+39 (0)6 1234 5678', undefined, '+390612345678'],
		['+45 (0)12 34 56 78', undefined, 'unknown'],
		['+45 (00) 12 34 56 78', undefined, 'unknown'],
		['+352 (0)621 123 456', undefined, 'unknown'],
		['+1 212 555 0100', 'DE', '+12125550100'],
		['0151 12345678', undefined, 'national'],
		['+491511234567890', undefined, '+491511234567890'],
		['+4915112345678901', undefined, 'unknown'],
		// Digits of scripts whose ranges follow one another in Unicode.
		['+𝟒𝟗 𝟙𝟩𝟢 𝟣𝟮𝟯𝟰𝟻𝟼𝟽', undefined, '+491701234567'],
		['+49 170 1234567²', undefined, 'unknown'],
		['', 'DE', 'unknown'],
	])('%s with the default country %s is read as %s', (written, country, outcome) => {
		const read = readPhone(written, country);
		expect('number' in read ? read.number : read.refusal).toBe(outcome);
	});

	it('is not searched for within other text', () => {
		expect(parse('+4915112345678')?.number).toBe('+4915112345678');
		expect(parse('Call +4915112345678')).toBeUndefined();
	});

	it('is refused in a credential without the advice to set an option of the node', () => {
		expect(outcomeOf(mobile('Mobile', look), '0170 1234567')).toBe(
			"Mobile '0170 1234567' has no country code. Write it as +4915112345678",
		);
	});
});

test.each([
	['123456789', undefined],
	[72345, '72345'],
	['31 23 45 67', '+4531234567'],
	['Acme', 'Acme'],
	['Acme Company', undefined],
	['{{name}}', undefined],
	['9.8765E+09', undefined],
])('With Denmark as the default country, the sender %p of an SMS is %p', (value, sent) => {
	const { schemaWith } = senderMobile('Sender Mobile', look);
	expect(schemaWith?.({ defaultCountry: 'DK' }).safeParse(value).data).toBe(sent);
});

test.each([
	[' de ', 'DE'],
	['\u200bGb', 'GB'],
	['uk', 'GB'],
	...['XX', 'Germany', 'DEU', '49', ''].map((text): [string, undefined] => [text, undefined]),
])('The country %j is read as %s', (text, code) => {
	expect(readCountry(text)).toBe(code);
});

test('The form offers all countries that the library knows', () => {
	expect(countries.map(({ value }) => value).sort()).toEqual([...getCountries(metadata)].sort());
	for (const { name } of countries) expect(name).toMatch(/^\p{Lu}[\p{L} .,'&()-]+$/u);
});
