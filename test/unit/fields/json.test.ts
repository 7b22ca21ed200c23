import { saying } from '../support/saying';
import {
	readAssignments,
	unsendableAttributes,
} from '../../../nodes/CustomerMessaging/fields/attributes';
import * as json from '../../../nodes/CustomerMessaging/fields/json';

describe('What JSON does not carry', () => {
	const within = (depth: number, value: unknown): unknown =>
		depth === 0 ? value : { [`a${depth}`]: within(depth - 1, value) };

	it('is neither nothing nor a date nor a hundred levels', () => {
		for (const value of [{ a: null, b: undefined }, { a: new Date(0) }, within(100, 'a')])
			expect(json.unsendableIn(value)).toBeUndefined();
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
		expect(json.unsendableIn(value)).toContain(says);
	});
});

describe('A date', () => {
	it.each([
		['2026-11-23T09:30:00.123456-05:30', '2026-11-23T09:30:00-0530'],
		['2026-11-23T09:30:00', '2026-11-23T09:30:00'],
		['12026-11-23T09:30:00Z', '12026-11-23T09:30:00Z'],
		['2026-11-23T09:30:00+01:00\n', '2026-11-23T09:30:00+01:00\n'],
	])('that is written as %j is sent as %j', (written, sent) => {
		expect(json.datesAsText(written)).toBe(sent);
	});

	it('is found in lists and objects, and what gives its own date is one', () => {
		const luxon = { toJSON: () => '2026-11-23T09:30:00.000+01:00' };
		const found = json.datesAsText({ list: [new Date(0), '2026-11-23T09:30:00Z', 'a'], luxon });
		const list = ['1970-01-01T00:00:00+0000', '2026-11-23T09:30:00+0000', 'a'];
		expect(found).toEqual({ list, luxon: '2026-11-23T09:30:00+0100' });
	});

	const others = [null, undefined, [null], { toJSON: 'a' }, new Map([['a', 1]])];
	it.each(others)('is not %j, which is sent as it is', (value) => {
		expect(json.datesAsText(value)).toEqual(value);
		expect(json.isDate(value)).toBe(false);
	});
});

const field = 'customAttributes';
const again = 'Correct it or choose another type';

const form = { name: field, displayName: 'Custom Attributes' };
const assigned = (...assignments: object[]) =>
	readAssignments(form, { assignments }, { sendEmptyValues: true });

test.each<[unknown, unknown, unknown]>([
	['string', 7, '7'],
	['string', new Date(0), '1970-01-01T00:00:00+0000'],
	['number', '1.50', 1.5],
	['number', '1e3', 1_000],
	['boolean', ' TRUE ', true],
	['array', '["a"]', ['a']],
	[['string'], 7, 7],
])('Of the type %j, %p is read as %p', (type, value, converted) => {
	const attributes = [{ field, name: 'plan', value: converted }];
	expect(assigned({ name: 'plan', value, type })).toEqual({ attributes, problems: [] });
});

test.each<[string, unknown, string]>([
	['string', { a: 1 }, `must be text, but it is a list or object. ${again}`],
	['number', '1,500', `must be a number, but it is '1,500'. ${again}`],
	['boolean', 'maybe', `must be true or false, but it is 'maybe'. ${again}`],
	['array', '{}', `must be a list such as ["a", "b"], but it is '{}'. ${again}`],
	['object', '[]', `must be an object such as { "key": "value" }, but it is '[]'. ${again}`],
])('Of the type %s, %p is not read', (type, value, message) => {
	const problems = [saying(`The attribute 'plan' ${message}`, field)];
	const others = { name: 'age', value: 7, type: 'number' };
	const attributes = [{ field, name: 'age', value: 7 }];
	expect(assigned({ name: 'plan', value, type }, others)).toEqual({ attributes, problems });
});

const lostDate =
	"contains 'Invalid DateTime', which an expression leaves where a value is missing or is not text. Correct the expression, or turn on 'Skip Text Check'";
const half =
	'contains half a character, for instance of an emoji that was cut in two. Cut the text elsewhere';
const broken = 'contains a line break. Write it on one line';
const deep = "The attribute 'plan' contains a field called";

test.each<[string, unknown, string]>([
	['pl\nan', 'x', `The name of the attribute 'pl an' ${broken}`],
	['plan \ud83d', 'x', `The name of the attribute 'plan \ufffd' ${half}`],
	['plan', { deep: { 'pl\nan': 1 } }, `${deep} 'pl an' under 'deep' whose name ${broken}`],
	['since', ['Invalid DateTime'], `The attribute 'since' ${lostDate}`],
])('The attribute %j of %j is refused: %s', (name, value, message) => {
	const found = (options: object) => unsendableAttributes([{ field, name, value }], options);
	expect(found({})).toEqual([saying(message, field)]);
	if (message.includes('Skip Text Check')) expect(found({ skipTextCheck: true })).toEqual([]);
});
