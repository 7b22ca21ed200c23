import { email, emailList } from '../../../nodes/CustomerMessaging/fields/email';

const look = { modelMayFill: true };
const sent = (value: string) => email('Email', look).schema.safeParse(value).data;

describe('An email address', () => {
	it.each([
		// An internationalized domain travels in Punycode; the rest stays as it is.
		['info@münchen.example', 'info@xn--mnchen-3ya.example'],
		['Info@MÜNCHEN.example', 'Info@xn--mnchen-3ya.example'],
		['info@straße.example', 'info@xn--strae-oqa.example'],
		['info@例え.テスト', 'info@xn--r8jz45g.xn--zckzah'],
		['info@xn--e1afmkfd.xn--p1ai', 'info@xn--e1afmkfd.xn--p1ai'],
		['A.B@Example.COM', 'A.B@Example.COM'],
		["o'neil&sons/info=a#1!+x@example.com", "o'neil&sons/info=a#1!+x@example.com"],
		[`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
	])('%s is sent as %s', (written, address) => {
		expect(sent(written)).toBe(address);
	});

	it.each([
		`${'a'.repeat(65)}@example.com`,
		'.a@example.com',
		'a.@example.com',
		'a..b@example.com',
		'a@1.2.3.4',
		'a@0x7f.1',
		'a@example',
		'a@example.123',
		'a@example.com.',
		'a@-example.com',
		'a@example-.com',
		'a@xn--a.example',
		'a@example.com:25',
		'a@example.com/path',
		'a@exam\u200bple.com',
		'a@exam\u00adple.com',
		'a@℀.com',
		'a@例え。テスト@x',
		'{{email}}@example.com',
		'@{email}@',
		'jürgen@example.com',
	])('%s is refused', (written) => {
		expect(sent(written)).toBeUndefined();
	});

	it('is shown as it was entered when it is refused', () => {
		const { error } = email('Email', look).schema.safeParse('x y@münchen.example');
		expect(error?.issues.map(({ message }) => message)).toEqual([
			"Email 'x y@münchen.example' is not an email address. Write it as name@example.com",
		]);
	});

	it('is converted in lists too', () => {
		const list = emailList('CC Email', look).schema.safeParse('a@bücher.example, b@example.com');
		expect(list.data).toBe('a@xn--bcher-kva.example,b@example.com');
	});
});
