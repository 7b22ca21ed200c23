import { email, emailList } from '../../../nodes/CustomerMessaging/fields/emailAddress';
import { look, outcomeOf } from './support/outcome';

const sent = (value: string) => email('Email', look).schema.safeParse(value).data;
const notOne = (label: string, value: string) =>
	`${label} '${value}' is not an email address. Write it as name@example.com`;
const addresses = (count: number) =>
	Array.from({ length: count }, (_, index) => `a${index}@example.com`);

describe('An email address', () => {
	it('may have 254 characters, as it is sent and as it is written', () => {
		const label = 'a'.repeat(60);
		const domain = (last: string) => `${label}.${label}.${label}.${last}`;
		const longest = `anna@${domain('b'.repeat(58))}.example`;
		expect(longest.length).toBe(254);
		expect(sent(longest)).toBe(longest);
		expect(sent(`n${longest}`)).toBeUndefined();

		// Each of these letters is written as two characters and sent as about one.
		const written = `a@${`${'a\u0308'.repeat(30)}.`.repeat(4)}example`;
		expect(written.length).toBe(253);
		expect(sent(written)).toMatch(/^a@(xn--[a-z0-9-]+\.){4}example$/);
		expect(sent(`bb${written}`)).toBeUndefined();
	});

	it.each([
		...['x y@münchen.example', 'Acme <news@acme.example>', '<a <news@acme.example>'],
		...['A <a@acme.example> <b@acme.example>', 'news@acme.example>', 'Acme <news@acme>'],
	])('is shown as it was entered when it is refused: %s', (value) => {
		expect(outcomeOf(email('Reply To', look), value)).toBe(notOne('Reply To', value));
	});
});

const tooMany =
	'CC Email contains 101 addresses, and each recipient sees all of them. Enter at most 100';

test.each([
	['a@bücher.example, b@example.com', 'a@xn--bcher-kva.example,b@example.com'],
	['mailto:a@example.com,\u200bb@example.com', 'a@example.com,b@example.com'],
	[addresses(100).join(', '), addresses(100).join(',')],
	[addresses(101).join(', '), tooMany],
	['a,b,c,d,e,f', [...'abcde'].map((one) => notOne('CC Email', one)).join('; ')],
])('Of the list of addresses %s becomes %s', (written, outcome) => {
	expect(outcomeOf(emailList('CC Email', look), written)).toBe(outcome);
});
