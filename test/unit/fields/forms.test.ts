import { readCountry } from '../../../nodes/CustomerMessaging/fields/country';
import { email, emailList } from '../../../nodes/CustomerMessaging/fields/email';
import type { Field } from '../../../nodes/CustomerMessaging/fields/field';
import { minutes, number } from '../../../nodes/CustomerMessaging/fields/values';

const config = { reaches: 'nobody', modelMayFill: true } as const;

/** What is wrong with a value, or the value that is sent. */
function outcomeOf({ schema }: Field, value: unknown): unknown {
	const read = schema.safeParse(value);
	return read.success ? read.data : read.error.issues.map(({ message }) => message).join('; ');
}

describe('A country', () => {
	it.each([
		['DE', 'DE'],
		[' de ', 'DE'],
		['\u200bGb', 'GB'],
		['uk', 'GB'],
		['XX', undefined],
		['Germany', undefined],
		['DEU', undefined],
		['49', undefined],
		['', undefined],
	])('%j is read as %s', (text, code) => {
		expect(readCountry(text)).toBe(code);
	});
});

describe('A duration in minutes', () => {
	it.each([
		[0, 0],
		[1.5, 1.5],
		[' 1.25 ', 1.25],
	])('is %j', (value, read) => {
		expect(outcomeOf(minutes('Frequency Capping', config, 10_000), value)).toBe(read);
	});

	it.each([-1, '1e3', 'x1', '1.', '', '1,5', NaN, Infinity, true, null, [1]])(
		'is not %p',
		(value) => {
			expect(outcomeOf(minutes('Frequency Capping', config, 10_000), value)).toBe(
				'Frequency Capping must be a number of minutes from 0 to 10000',
			);
		},
	);
});

describe('A number', () => {
	it.each([
		[49.9, 49.9],
		[-1, -1],
		[0, 0],
		[' +49.90 ', 49.9],
	])('is %j', (value, read) => {
		expect(outcomeOf(number('LTV', config), value)).toBe(read);
	});

	it.each([
		['49,900', "'49,900'"],
		['x1', "'x1'"],
		['1e3', "'1e3'"],
		['', 'empty'],
		[[1], 'a list or object'],
		[true, "'true'"],
	])('is not %j', (value, shown) => {
		expect(outcomeOf(number('LTV', config), value)).toBe(
			`LTV must be a number with a decimal point, such as 49.90, but it is ${shown}`,
		);
	});

	it.each([2 ** 53, '9007199254740993', NaN, Infinity])('is not sent inexactly: %p', (value) => {
		expect(outcomeOf(number('LTV', config), value)).toBe(
			'LTV is a number too large to be sent exactly. Enter a smaller one',
		);
	});
});

describe('A list of email addresses', () => {
	const addresses = (count: number) =>
		Array.from({ length: count }, (_, index) => `a${index}@example.com`).join(', ');

	it('takes a hundred addresses and no more', () => {
		expect(outcomeOf(emailList('CC Email', config), addresses(100))).toBe(
			addresses(100).replaceAll(' ', ''),
		);
		expect(outcomeOf(emailList('CC Email', config), addresses(101))).toBe(
			'CC Email contains 101 addresses, and each recipient sees all of them. Enter at most 100',
		);
	});

	it('names the first five that are no addresses', () => {
		const found = String(outcomeOf(emailList('CC Email', config), 'a,b,c,d,e,f')).split('; ');
		expect(found.map((message) => message.slice(0, 'CC Email '.length + 3))).toEqual([
			"CC Email 'a'",
			"CC Email 'b'",
			"CC Email 'c'",
			"CC Email 'd'",
			"CC Email 'e'",
		]);
	});
});

describe('An address with a name in front of it', () => {
	it.each([
		['Sender Email', ", and the name in 'Sender Name'"],
		['Email Sender Address', ", and the name in 'Email Sender Name'"],
		['Reply To', ''],
	])('is refused in %s, and told how to enter it', (label, name) => {
		expect(outcomeOf(email(label, config), 'Acme <news@acme.example>')).toBe(
			`${label} 'Acme <news@acme.example>' has a name in it. Enter only 'news@acme.example'${name}`,
		);
	});

	it.each([
		'Acme <news@acme.example> x',
		'<a <news@acme.example>',
		'A <a@acme.example> <b@acme.example>',
		'news@acme.example>',
		'Acme <news>',
		'Acme <news@acme>',
		'Acme <a b@c>',
	])('is not what %j looks like', (value) => {
		expect(outcomeOf(email('Reply To', config), value)).toBe(
			`Reply To '${value}' is not an email address. Write it as name@example.com`,
		);
	});
});
