import { email, emailList } from '../../../nodes/CustomerMessaging/fields/email';
import { look, outcomeOf, rowsOf } from './support/outcome';

const sent = (value: string) => email('Email', look).schema.safeParse(value).data;
const notOne = (label: string, value: string) =>
	`${label} '${value}' is not an email address. Write it as name@example.com`;
const addresses = (count: number) =>
	Array.from({ length: count }, (_, index) => `a${index}@example.com`);

describe('An email address', () => {
	it.each<[string, unknown]>([
		// An internationalized domain travels in Punycode; the rest stays as it is.
		['info@münchen.example', 'info@xn--mnchen-3ya.example'],
		// Letters of other scripts may precede the @, and stay as they are.
		['ทำ@ไทย.example', 'ทำ@xn--o3cw4h.example'],
		// A letter and its mark become one letter.
		['mu\u0308ller@example.com', 'müller@example.com'],
		...rowsOf(['a@XN--MNCHEN-3YA.example', "o'neil&sons/info=a#1!+x@example.com"]),
		...rowsOf(['Jürgen.Müller+shop@example.com', `${'a'.repeat(64)}@example.com`]),
		...rowsOf([`${'ü'.repeat(32)}@example.com`]),
		// What comes along when an address is copied.
		...rowsOf(
			['jür\u200bgen@example.com', '\ufeffjürgen@exam\u00adple.com', 'mailto:jürgen@example.com'],
			() => 'jürgen@example.com',
		),
		...rowsOf(
			[' MailTo: jürgen@example.com', '\u200emailto:jürgen@example.com\u200b'],
			() => 'jürgen@example.com',
		),
	])('%s is sent as %s', (written, address) => {
		expect(sent(written)).toBe(address);
	});

	it.each([
		...['example.com', '@example.com', 'a.@example.com', 'a..b@example.com', 'a@1.2.3.4'],
		...['a@example', 'a@example.com.', 'a@example-.com', 'a@example.com/path', 'a@℀.com'],
		...['ｊｕｒｇｅｎ@example.com', 'jür gen@example.com', 'jürgen@@example.com', '😀@example.com'],
		...['{{email}}@example.com', `${'a'.repeat(65)}@example.com`, `${'ü'.repeat(33)}@example.com`],
	])('%s is refused', (written) => {
		expect(sent(written)).toBeUndefined();
	});

	it('may have 254 characters, as it is sent and as it is written', () => {
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

		// Each of these letters is written as two characters and sent as about one.
		const written = `a@${`${'a\u0308'.repeat(30)}.`.repeat(4)}example`;
		expect(written.length).toBe(253);
		expect(sent(written)).toMatch(/^a@(xn--[a-z0-9-]+\.){4}example$/);
		expect(sent(`bb${written}`)).toBeUndefined();
	});

	it.each([
		...['x y@münchen.example', 'Acme <news@acme.example> x', '<a <news@acme.example>'],
		...['A <a@acme.example> <b@acme.example>', 'news@acme.example>', 'Acme <news@acme>'],
	])('is shown as it was entered when it is refused: %s', (value) => {
		expect(outcomeOf(email('Reply To', look), value)).toBe(notOne('Reply To', value));
	});

	it.each([
		['Sender Email', ", and the name in 'Sender Name'"],
		['Email Sender Address', ", and the name in 'Email Sender Name'"],
		['Reply To', ''],
	])('with a name in front of it is refused in %s, and told how to enter it', (label, name) => {
		expect(outcomeOf(email(label, look), 'Acme <news@acme.example>')).toBe(
			`${label} 'Acme <news@acme.example>' has a name in it. Enter only 'news@acme.example'${name}`,
		);
	});
});

test.each([
	['a@bücher.example, b@example.com', 'a@xn--bcher-kva.example,b@example.com'],
	['mailto:a@example.com,\u200bb@example.com', 'a@example.com,b@example.com'],
	[addresses(100).join(', '), addresses(100).join(',')],
	[
		addresses(101).join(', '),
		'CC Email contains 101 addresses, and each recipient sees all of them. Enter at most 100',
	],
	['a,b,c,d,e,f', [...'abcde'].map((one) => notOne('CC Email', one)).join('; ')],
])('Of the list of addresses %s becomes %s', (written, outcome) => {
	expect(outcomeOf(emailList('CC Email', look), written)).toBe(outcome);
});
