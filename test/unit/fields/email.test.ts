import { email, emailList } from '../../../nodes/CustomerMessaging/fields/email';

const look = { reaches: 'nobody', modelMayFill: true } as const;
const sent = (value: string) => email('Email', look).schema.safeParse(value).data;

describe('An email address', () => {
	it.each([
		// An internationalized domain travels in Punycode; the rest stays as it is.
		['info@münchen.example', 'info@xn--mnchen-3ya.example'],
		['Info@MÜNCHEN.example', 'Info@xn--mnchen-3ya.example'],
		['a@XN--MNCHEN-3YA.example', 'a@XN--MNCHEN-3YA.example'],
		["o'neil&sons/info=a#1!+x@example.com", "o'neil&sons/info=a#1!+x@example.com"],
		[`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
		// Letters of other scripts may precede the @, and stay as they are.
		['Jürgen.Müller+shop@example.com', 'Jürgen.Müller+shop@example.com'],
		['ทำ@ไทย.example', 'ทำ@xn--o3cw4h.example'],
		// A letter and its mark become one letter.
		['mu\u0308ller@example.com', 'müller@example.com'],
		[`${'ü'.repeat(32)}@example.com`, `${'ü'.repeat(32)}@example.com`],
	])('%s is sent as %s', (written, address) => {
		expect(sent(written)).toBe(address);
	});

	it.each([
		'example.com',
		'@example.com',
		`${'a'.repeat(65)}@example.com`,
		'a.@example.com',
		'a..b@example.com',
		'a@1.2.3.4',
		'a@example',
		'a@example.com.',
		'a@example-.com',
		// Newer versions of Node.js take each of these for a domain.
		'a@xn--a.example',
		'a@xn--99999.example',
		'a@xn--0.münchen.example',
		`a@xn--${'9'.repeat(58)}.example`,
		'a@example.com:25',
		'a@example.com/path',
		'a@exam\u200bple.com',
		'a@℀.com',
		'{{email}}@example.com',
		'@{email}@',
		'ｊｕｒｇｅｎ@example.com',
		'jürgen＠example.com',
		'jür gen@example.com',
		'jür\u200bgen@example.com',
		'jürgen@@example.com',
		'😀@example.com',
		`${'ü'.repeat(33)}@example.com`,
	])('%s is refused', (written) => {
		expect(sent(written)).toBeUndefined();
	});

	it('may have 254 characters, as it is sent', () => {
		const label = 'a'.repeat(60);
		const domain = (last: string) => `${label}.${label}.${label}.${last}`;
		const longest = `anna@${domain('b'.repeat(58))}.example`;
		expect(longest.length).toBe(254);
		expect(sent(longest)).toBe(longest);
		expect(sent(`n${longest}`)).toBeUndefined();

		// Punycode makes this address longer.
		const umlaut = `anna@${domain(`${'b'.repeat(51)}ü`)}.example`;
		expect(umlaut.length).toBe(248);
		expect(sent(umlaut)).toBeUndefined();
		expect(sent(umlaut.replace('anna', 'a'))).toMatch(/^a@.*\.example$/);
	});

	it('is refused if it is longer as written, even if it would be sent shorter', () => {
		// Each of these letters is written as two characters and sent as about one.
		const label = 'a\u0308'.repeat(30);
		const written = `a@${`${label}.`.repeat(4)}example`;
		expect(written.length).toBe(253);
		expect(sent(written)).toMatch(/^a@(xn--[a-z0-9-]+\.){4}example$/);
		expect(sent(`bb${written}`)).toBeUndefined();
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
