import { getCountries } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

import {
	countries,
	readCountry,
	senderMobile,
} from '../../../nodes/CustomerMessaging/fields/mobile';
import { look } from './support/outcome';

test.each(['123456789', '9.8765E+09'])('The sender of an SMS cannot be %s', (value) => {
	expect(senderMobile('Sender Mobile', look).schema.safeParse(value).success).toBe(false);
});

test.each([
	[' de ', 'DE'],
	['\u200bGb', 'GB'],
	['uk', 'GB'],
	['DEU', undefined],
])('The country %j is read as %s', (text, code) => {
	expect(readCountry(text)).toBe(code);
});

test('The form offers all countries that the library knows', () => {
	expect(countries.map(({ value }) => value).sort()).toEqual([...getCountries(metadata)].sort());
	for (const { name } of countries) expect(name).toMatch(/^\p{Lu}[\p{L} .,’&()-]+$/u);
});
