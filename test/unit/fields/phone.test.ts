import { getCountries } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

import {
	countries,
	readCountry,
	senderMobile,
} from '../../../nodes/CustomerMessaging/fields/mobile';
import { look } from './support/outcome';

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
	for (const { name } of countries) expect(name).toMatch(/^\p{Lu}[\p{L} .,’&()-]+$/u);
});
