import { row } from '../../randomExpressions';
import { readByN8n } from '../support/readByN8n';
import { directReader, leftToN8n } from '../../../nodes/CustomerMessaging/run/expressions';

const directly = (raw: unknown, json: object = row) => {
	const read = directReader(raw);
	return read ? read({ ...json }) : leftToN8n;
};

test.each<[unknown, unknown]>([
	['={{ $json.city }}', 'Pune'],
	['={{ $json["First Name"] }}', 'Asha'],
	['={{ $json.nested.deep["name"] }}', 'x'],
	['={{ $json.$price }}', 3],
	['={{ $json.missing }}', undefined],
	['={{ $json.Größe }}', 'L'],
	['=Hello {{ $json["First Name"] }} from {{ $json.city }}!', 'Hello Asha from Pune!'],
	['={{ $json.none }} of {{ $json.large }}, {{ $json.negative }}', '0 of 1e+21, -1.5'],
	['={{ $json.yes }} {{ $json.no }} {{ $json.minusZero }}', 'true false 0'],
	['=<{{ $json.missing }}{{ $json.nothing }}{{ $json.empty }}{{ $json.notANumber }}>', '<>'],
	[
		{ list: [{ tag: '={{ $json.city }}' }], id: 5 },
		{ list: [{ tag: 'Pune' }], id: 5 },
	],
])('%j is read from the item itself, as n8n reads it', (raw, value) => {
	expect([directly(raw)]).toStrictEqual([value]);
	expect([readByN8n(raw, row as never)]).toStrictEqual([value]);
});

test.each([
	// More than a plain value.
	...['$json.nested', '$json.list', '$json.date', '$json.date.year ?? "x"'],
	...['$json.missing ?? $json.nested', '$json.nested.list.length', '$json.city.length'],
	// More than a column.
	...['$json.missing.name', '$json.city.toUpperCase()', '$json.age + 1', '$json["ci" + "ty"]'],
	...['$input.item.json.city', '$("Source").item.json.city', '$json.missing ? "a" : "b"'],
	// What n8n or JavaScript may read otherwise.
	...['$json.constructor', '$json.toString', '$json.valueOf ?? "x"', '$json["a.first(x)"]'],
	...['$json.missing ?? "Hi.first(x)"', '$json.missing ?? "$if("', '$json.missing ?? "a\\nb"'],
	...['$json.missing ?? $json.city || "x"', '$json.missing || $json.city ?? "x"'],
	...['($json.missing ?? $json.empty) || "x"', '$json.missing ?? "}}"', '$json.missing ?? -1'],
	...['$json.missing ?? undefined', '$json["two\nlines"]', '"a" "b"'],
])('{{ %s }} is left to n8n', (code) => {
	expect(directly(`={{ ${code} }}`)).toBe(leftToN8n);
});

test('A template with a backslash, without an end or with a word of JavaScript is left to n8n', () => {
	for (const raw of [
		'=\\{{ $json.city }}',
		'=a {{ $json.city',
		'=the .constructor of {{ $json.city }}',
	])
		expect([raw, directly(raw)]).toEqual([raw, leftToN8n]);
});

test('An object is read with its lists, or left to n8n as a whole for what it does not read itself', () => {
	const options = { retry: '={{ $json.retry }}', tags: ['news', '={{ $json.tag }}'], size: 5 };
	const read = { retry: true, tags: ['news', 'a'], size: 5 };
	expect(directly(options, { retry: true, tag: 'a' })).toEqual(read);
	expect(directly(options, { retry: {}, tag: 'a' })).toBe(leftToN8n);
	expect(directly(options, { retry: true, tag: ['a'] })).toBe(leftToN8n);
	expect(directReader({ ...options, size: '={{ $json.size + 1 }}' })).toBeUndefined();
});
