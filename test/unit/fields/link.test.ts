import { httpsLink, link, parseUrl } from '../../../nodes/CustomerMessaging/fields/link';

// Fifty thousand links.
jest.setTimeout(60_000);

const look = { reaches: 'nobody', modelMayFill: true } as const;
const urlField = link('URL', look);
const httpsField = httpsLink('Image URL', look);

const notALink = (shown: string) =>
	`URL '${shown}' is not a link. Write it as https://example.com/page, tel:+4915112345678, or as an app's own link such as myapp://page`;
const notHttps = (shown: string) =>
	`Image URL '${shown}' is not an HTTPS link. Write it as https://example.com/image.png`;

const messagesOf = ({ schema }: typeof urlField, value: unknown) =>
	schema.safeParse(value).error?.issues.map(({ message }) => message);

describe('A link to the web', () => {
	it.each([
		'https://example.com',
		'https://example.com/page?id=1#top',
		'HTTPS://EXAMPLE.com:8443/A',
		'https://münchen.example/straße',
		'https://[2001:db8::1]/',
		'https://example.com/@name',
		'https://example.com/👨‍👩‍👧.png',
		'https://example.com/نمی\u200cخواهم',
	])('may be %j', (value) => {
		expect(urlField.schema.parse(value)).toBe(value);
		expect(httpsField.schema.parse(value)).toBe(value);
	});

	it('loses the spaces at its ends', () => {
		expect(urlField.schema.parse(' https://example.com ')).toBe('https://example.com');
		expect(httpsField.schema.parse('\nhttps://example.com\t')).toBe('https://example.com');
	});

	it.each([
		['the address of another host in front of an @', 'https://bank.example@evil.example/'],
		['a user name and a password', 'https://user:secret@example.com'],
		['no host', 'https:///example.com'],
		['a question mark in place of the host', 'https://?a'],
		['no slashes', 'https:example.com'],
		['a port that is too large', 'https://example.com:65536'],
		['a backslash', 'https://exam\\ple.com'],
		['a space', 'https://example.com/a b'],
		['a line break that is not in ASCII', 'https://example.com/a\u2028b'],
		['a mark that reverses the direction of text', 'https://example.com/\u202ea'],
		['a joiner in its host', 'https://exam\u200dple.com/'],
		['a tag in its host', 'https://example\u{e0061}.com/'],
		['no scheme', 'example.com'],
		['a port in place of the scheme', 'localhost:3000'],
	])('is refused with %s', (_what, value) => {
		expect(urlField.schema.safeParse(value).success).toBe(false);
		expect(httpsField.schema.safeParse(value).success).toBe(false);
	});

	it.each([
		['shop.example.com/sale', 'https://shop.example.com/sale'],
		['https:shop.example.com/a?b=1', 'https://shop.example.com/a?b=1'],
		['http://shop.example.com/a.png', 'https://shop.example.com/a.png'],
	])('is suggested for %s', (value, meant) => {
		expect(messagesOf(httpsField, value)).toEqual([`${notHttps(value)}. Did you mean ${meant}?`]);
	});

	it.each(['see page 3', 'localhost:3000', 'sale', 'name@example.com', '1.5'])(
		'is not suggested for %s',
		(value) => {
			expect(messagesOf(urlField, value)).toEqual([notALink(value)]);
		},
	);

	it('need not be HTTPS, except where the service demands it', () => {
		expect(urlField.schema.parse('http://example.com')).toBe('http://example.com');
		expect(messagesOf(httpsField, 'http://example.com/a.png')).toEqual([
			`${notHttps('http://example.com/a.png')}. Did you mean https://example.com/a.png?`,
		]);
	});

	// Node 20's URL.canParse, once compiled, returns false for hosts with letters such as ü.
	it('is read alike in the first row and in the fifty thousandth', () => {
		const refused = Array.from({ length: 50_000 }, (_, row) => row).filter(
			() => !urlField.schema.safeParse('https://münchen.example/straße').success,
		);
		expect(refused.length).toBe(0);
	});
});

describe('A link for an app that every phone has', () => {
	it.each([
		'tel:+4915112345678',
		'tel:(030)123-45.67',
		'tel:112;ext=5',
		'tel:112,,5;a_b=+4.5-6',
		'sms:+4915112345678?body=Hello',
		'mailto:a@example.com',
		'geo:52.5,13.4',
		'facetime:a@example.com',
	])('may be %s, but not in place of an HTTPS link', (value) => {
		expect(urlField.schema.parse(value)).toBe(value);
		expect(messagesOf(httpsField, value)).toEqual([notHttps(value)]);
	});

	it.each([
		'tel:',
		'mailto:',
		'tel:*#06#',
		'tel:x112',
		'tel:()-.',
		'tel:112;a#b',
		'whatsapp:+4915112345678',
		'a tel:112',
	])('is refused as %j', (value) => {
		expect(messagesOf(urlField, value)).toEqual([notALink(value)]);
	});
});

describe("An app's own link", () => {
	it.each(['myapp://page', 'my-app.v2+x://orders/1', 'MyApp://a@b'])('may be %s', (value) => {
		expect(urlField.schema.parse(value)).toBe(value);
		expect(messagesOf(httpsField, value)).toEqual([notHttps(value)]);
	});

	it.each(['myapp://', 'myapp:page', 'myapp:/page', '1app://page', 'my_app://page', '-://a'])(
		'is refused as %s',
		(value) => {
			expect(messagesOf(urlField, value)).toEqual([notALink(value)]);
		},
	);
});

describe('A link that is refused', () => {
	it.each([undefined, '', ' '])('because it is %j asks to be filled in', (value) => {
		expect(messagesOf(urlField, value)).toEqual(['URL is empty. Fill it in']);
	});

	it('because it has two lines is named by its label', () => {
		expect(messagesOf(urlField, 'https://example.com/\nb')).toEqual([
			'URL contains a line break. Write it on one line',
		]);
	});
});

test('Only a complete address is parsed.', () => {
	expect(parseUrl('https://example.com/a')?.hostname).toBe('example.com');
	expect(parseUrl('example')).toBeUndefined();
});
