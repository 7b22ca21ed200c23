import { httpsLink, link } from '../../../nodes/CustomerMessaging/fields/link';
import { look, outcomeOf } from './support/outcome';

// Fifty thousand links.
jest.setTimeout(60_000);

const urlField = link('URL', look);
const httpsField = httpsLink('Image URL', look);

const notALink = (shown: string) =>
	`URL '${shown}' is not a link. Write it as https://example.com/page, tel:+4915112345678, or as an app's own link such as myapp://page`;
const notHttps = (shown: string) =>
	`Image URL '${shown}' is not an HTTPS link. Write it as https://example.com/image.png`;

describe('A link to the web', () => {
	it('needs its scheme, and for an image the safe one', () => {
		for (const value of ['shop.example.com/sale', 'https://shop.example.com/my page'])
			expect(outcomeOf(urlField, value)).toBe(notALink(value));
		const unsafe = 'http://shop.example.com/a.png';
		expect(outcomeOf(urlField, unsafe)).toBe(unsafe);
		expect(outcomeOf(httpsField, unsafe)).toBe(notHttps(unsafe));
	});

	// Node 20's URL.canParse, once compiled, returns false for hosts with letters such as ü.
	it('is read alike in the first row and in the fifty thousandth', () => {
		const refused = Array.from({ length: 50_000 }, (_, row) => row).filter(
			() => !urlField.schema.safeParse('https://münchen.example/straße').success,
		);
		expect(refused.length).toBe(0);
	});
});

test.each([
	...['tel:(030)123-45.67', 'tel:112,,5;a_b=+4.5-6', 'sms:+4915112345678?body=Hello'],
	...['geo:52.5,13.4', 'facetime:a@example.com', 'my-app.v2+x://orders/1', 'MyApp://a@b'],
	'mailto:a@example.com?body=Hi',
])('An app may be opened by %s, but not in place of an HTTPS link', (value) => {
	expect(outcomeOf(urlField, value)).toBe(value);
	expect(outcomeOf(httpsField, value)).toBe(notHttps(value));
});

test.each([
	...['tel:', 'tel:()-.', 'tel:112;a#b', 'a tel:112', 'localhost:3000', 'name@example.com'],
	...['whatsapp:+4915112345678', 'myapp://', 'myapp:/page', '1app://page'],
])('No link is %j', (value) => {
	expect(outcomeOf(urlField, value)).toBe(notALink(value));
});

test.each([
	...[undefined, '', ' '].map((value) => [value, 'URL is empty. Fill it in']),
	['https://example.com/\nb', 'URL contains a line break. Write it on one line'],
])('No link is %j: %s', (value, message) => {
	expect(outcomeOf(urlField, value)).toBe(message);
});
