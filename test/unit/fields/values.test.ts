import { getCountries } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';

import { email, emailList } from '../../../nodes/CustomerMessaging/fields/emailAddress';
import { httpsLink, link } from '../../../nodes/CustomerMessaging/fields/link';
import {
	countries,
	readCountry,
	senderMobile,
} from '../../../nodes/CustomerMessaging/fields/mobile';
import { integer, minutes, number } from '../../../nodes/CustomerMessaging/fields/values';
import { look, outcomeOf } from './support/outcome';

// Fifty thousand links.
jest.setTimeout(60_000);

const fields = {
	wholeNumber: integer('Batch Size', look, 100),
	minutes: minutes('Frequency Capping', look, 10_000),
	number: number('LTV', look),
	email: email('Reply To', look),
	emails: emailList('CC Email', look),
	link: link('URL', look),
	image: httpsLink('Image URL', look),
	sender: senderMobile('Sender Mobile', look),
};
type Kind = keyof typeof fields;

/** What becomes of some values of a field. Without an outcome, they are sent as they are. */
const each = (kind: Kind, values: unknown[], outcome = (shown: string): unknown => shown) =>
	values.map((value): [Kind, unknown, unknown] => [kind, value, outcome(String(value))]);

const noDecimal = 'LTV must be a number with a decimal point, such as 49.90, but it is';
const tooLarge = 'LTV is a number too large to be sent exactly. Enter a smaller one';
const noMinutes = 'Frequency Capping must be a number of minutes from 0 to 10000';
const notOne = (label: string) => (value: string) =>
	`${label} '${value}' is not an email address. Write it as name@example.com`;
const notALink = (value: string) =>
	`URL '${value}' is not a link. Write it as https://example.com/page, tel:+4915112345678, or as an app's own link such as myapp://page`;
const notHttps = (value: string) =>
	`Image URL '${value}' is not an HTTPS link. Write it as https://example.com/image.png`;
const addresses = (count: number) =>
	Array.from({ length: count }, (_, index) => `a${index}@example.com`);
const tooMany =
	'CC Email contains 101 addresses, and each recipient sees all of them. Enter at most 100';
const http = 'http://shop.example.com/a.png';
const ofApps = [
	...['tel:(030)123-45.67', 'tel:112,,5;a_b=+4.5-6', 'sms:+4915112345678?body=Hello'],
	...['mailto:a@example.com?body=Hi', 'geo:52.5,13.4', 'facetime:a@example.com'],
	'my-app.v2+x://orders/1',
];

test.each<[Kind, unknown, unknown]>([
	['wholeNumber', 100, 100],
	['wholeNumber', '100', 100],
	...each('wholeNumber', [101, '101'], (value) => {
		return `Batch Size '${value}' is larger than 100. Enter a smaller one`;
	}),
	['wholeNumber', '100.5', "Batch Size must be a whole number, 1 or more, but it is '100.5'"],
	['minutes', 0, 0],
	['minutes', ' 1.25 ', 1.25],
	...each('minutes', [-1, 10_001, '1e3', 'x1', '1.', '', '1,5', NaN, true, null], () => noMinutes),
	['number', -1, -1],
	['number', ' +49.90 ', 49.9],
	...each('number', ['49,900', 'x1', '1e3', true], (value) => `${noDecimal} '${value}'`),
	['number', '', `${noDecimal} empty`],
	['number', [1], `${noDecimal} a list or object`],
	...each('number', [2 ** 53, '9007199254740993', NaN, Infinity], () => tooLarge),
	...each(
		'email',
		['x y@münchen.example', 'Acme <news@acme.example>', '<a <news@acme.example>'],
		notOne('Reply To'),
	),
	['emails', 'a@bücher.example, b@example.com', 'a@xn--bcher-kva.example,b@example.com'],
	['emails', 'mailto:a@example.com,\u200bb@example.com', 'a@example.com,b@example.com'],
	['emails', addresses(100).join(', '), addresses(100).join(',')],
	['emails', addresses(101).join(', '), tooMany],
	['emails', 'a,b,c,d,e,f', [...'abcde'].map(notOne('CC Email')).join('; ')],
	...each('link', [http, ...ofApps]),
	...each('image', [http, ...ofApps], notHttps),
	...each('link', ['shop.example.com/sale', 'https://shop.example.com/my page'], notALink),
	...each('link', ['tel:', 'tel:()-.', 'tel:112;a#b', 'a tel:112', 'localhost:3000'], notALink),
	...each('link', ['whatsapp:+4915112345678', 'myapp://', 'myapp:/page', 'geo:'], notALink),
	...each('link', ['', ' '], () => 'URL is empty. Fill it in'),
	['link', 'https://example.com/\nb', 'URL contains a line break. Write it on one line'],
])('What %s makes of %j: %s', (kind, value, outcome) => {
	expect(outcomeOf(fields[kind], value)).toEqual(outcome);
});

test('An email address may have 254 characters, as it is sent and as it is written', () => {
	const sent = (value: string) => fields.email.schema.safeParse(value).data;
	const label = 'a'.repeat(60);
	const longest = `anna@${label}.${label}.${label}.${'b'.repeat(58)}.example`;
	expect(longest.length).toBe(254);
	expect(sent(longest)).toBe(longest);
	expect(sent(`n${longest}`)).toBeUndefined();

	// Each of these letters is written as two characters and sent as about one.
	const written = `a@${`${'a\u0308'.repeat(30)}.`.repeat(4)}example`;
	expect(written.length).toBe(253);
	expect(sent(written)).toMatch(/^a@(xn--[a-z0-9-]+\.){4}example$/);
	expect(sent(`bb${written}`)).toBeUndefined();
});

// Node 20's URL.canParse, once compiled, returns false for hosts with letters such as ü.
test('A link is read alike in the first row and in the fifty thousandth', () => {
	const { schema } = fields.link;
	for (let row = 0; row < 50_000; row++)
		if (!schema.safeParse('https://münchen.example/straße').success) throw new Error(`Row ${row}`);
});

test('A long number and a rounded one cannot be the sender of an SMS', () => {
	for (const value of ['123456789', '9.8765E+09'])
		expect(fields.sender.schema.safeParse(value).success).toBe(false);
});

test('A country is read by its code, in any case, and by UK', () => {
	const written = [' de ', '\u200bGb', 'uk', 'DEU'];
	expect(written.map(readCountry)).toEqual(['DE', 'GB', 'GB', undefined]);
});

test('The form offers all countries that the library knows', () => {
	expect(countries.map(({ value }) => value).sort()).toEqual([...getCountries(metadata)].sort());
	for (const { name } of countries) expect(name).toMatch(/^\p{Lu}[\p{L} .,’&()-]+$/u);
});
