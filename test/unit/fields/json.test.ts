import * as fields from '../../../nodes/CustomerMessaging/fields/json';

describe('What JSON does not carry', () => {
	const within = (depth: number, value: unknown): unknown =>
		depth === 0 ? value : { [`a${depth}`]: within(depth - 1, value) };

	it('is neither nothing nor a date nor a hundred levels', () => {
		for (const value of [{ a: null, b: undefined }, { a: new Date(0) }, within(100, 'a')])
			expect(fields.unsendableIn(value)).toBeUndefined();
	});

	const tooDeep = 'more than 100 nested lists or objects';
	it.each<[string, unknown, string]>([
		['too large a number', { a: [1, { b: 2 ** 53 }] }, "a number under 'a.1.b'"],
		['what gives no text of its own', { toJSON: () => ({}) }, 'a value that JSON'],
		['half an emoji', { a: '\ud83d' }, "text under 'a' that contains half a character"],
		['an unsafe name', JSON.parse('{ "a": { "__proto__": 1 } }'), "called '__proto__' under 'a'"],
		['101 levels', within(101, 'a'), `${tooDeep} under 'a101.a100.a99.a98.a97…'. Make it flatter`],
		['a calculation', within(6, NaN), `a calculation under 'a6.a5.a4.a3.a2…' without a result`],
	])('is %s', (_name, value, says) => {
		expect(fields.unsendableIn(value)).toContain(says);
	});
});

describe('A date', () => {
	it.each([
		['2026-11-23T09:30:00.123456-05:30', '2026-11-23T09:30:00-0530'],
		['2026-11-23T09:30:00', '2026-11-23T09:30:00'],
		['12026-11-23T09:30:00Z', '12026-11-23T09:30:00Z'],
		['2026-11-23T09:30:00+01:00\n', '2026-11-23T09:30:00+01:00\n'],
	])('that is written as %j is sent as %j', (written, sent) => {
		expect(fields.datesAsText(written)).toBe(sent);
	});

	it('is found in lists and objects, and what gives its own date is one', () => {
		const luxon = { toJSON: () => '2026-11-23T09:30:00.000+01:00' };
		const found = fields.datesAsText({ list: [new Date(0), '2026-11-23T09:30:00Z', 'a'], luxon });
		const list = ['1970-01-01T00:00:00+0000', '2026-11-23T09:30:00+0000', 'a'];
		expect(found).toEqual({ list, luxon: '2026-11-23T09:30:00+0100' });
	});

	const others = [null, undefined, [null], { toJSON: 'a' }, new Map([['a', 1]])];
	it.each(others)('is not %j, which is sent as it is', (value) => {
		expect(fields.datesAsText(value)).toEqual(value);
		expect(fields.isDate(value)).toBe(false);
	});
});
