import { getCountries } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

import { countries, readCountry } from '../../../nodes/CustomerMessaging/fields/country';
import { mobile, senderMobile } from '../../../nodes/CustomerMessaging/fields/mobile';
import { type CountryCode, readPhone } from '../../../nodes/CustomerMessaging/fields/phone';
import { parse } from '../../../nodes/CustomerMessaging/fields/phoneLibrary';
import { look, outcomeOf } from './support/outcome';

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
		// Landlines without a prefix that are numbers with a plus too.
		['49444178908', 'DE', 'ambiguous +4949444178908 +49444178908'],
		// Where no zero is written in front, it is complete.
		['486493302', 'PL', '+48486493302'],
		// Dots between groups, and a zero that may be one.
		['76.16.98.0', 'LU', 'several'],
		['+91.98765.43210.0', undefined, '+919876543210'],
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
		['+45 (0)12 34 56 78', undefined, '+4512345678'],
		['+45 (00) 12 34 56 78', undefined, 'unknown'],
		['+352 (0)621 123 456', undefined, '+352621123456'],
		['+1 212 555 0100', 'DE', '+12125550100'],
		['0151 12345678', undefined, 'national'],
		['+491511234567890', undefined, '+491511234567890'],
		['+4915112345678901', undefined, 'unknown'],
		// Digits of scripts whose ranges follow one another in Unicode.
		['+𝟒𝟗 𝟙𝟩𝟢 𝟣𝟮𝟯𝟰𝟻𝟼𝟽', undefined, '+491701234567'],
		['+49 170 1234567²', undefined, 'several'],
		['', 'DE', 'unknown'],
	])('%s with the default country %s is read as %s', (written, country, outcome) => {
		const read = readPhone(written, country);
		expect('number' in read ? read.number : [read.reason, ...read.meant].join(' ')).toBe(outcome);
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
