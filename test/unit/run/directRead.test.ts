import { directReader, leftToN8n } from '../../../nodes/CustomerMessaging/run/parameters';
import { row } from '../../randomExpressions';
import { readByN8n } from '../support/readByN8n';

const directly = (raw: unknown) => {
	const read = directReader(raw);
	return read ? read(row) : leftToN8n;
};

test.each<[unknown, unknown]>([
	['={{ $json.city }}', 'Pune'],
	['={{ $json["First Name"] }}', 'Asha'],
	['={{ $json.nested.deep["name"] }}', 'x'],
	['={{ $json.age }}', 7],
	['={{ $json.odd }}', row.odd],
	['={{ $json.$price }}', 3],
	['={{ $json.missing }}', undefined],
	['=Hello {{ $json["First Name"] }} from {{ $json.city }}!', 'Hello Asha from Pune!'],
	['={{ $json.city }}{{ $json.age }}', 'Pune7'],
	['={{ $json.none }} of {{ $json.large }}, {{ $json.negative }}', '0 of 1e+21, -1.5'],
	['={{ $json.yes }} {{ $json.no }} {{ $json.minusZero }}', 'true false 0'],
	['=<{{ $json.missing }}{{ $json.nothing }}{{ $json.empty }}{{ $json.notANumber }}>', '<>'],
	['=plain', 'plain'],
	['=a }} {{ $json.city }}', 'a }} Pune'],
	[
		{ tag: '={{ $json.city }}', track: true, notification_id: 5, image_url: null },
		{ tag: 'Pune', track: true, notification_id: 5, image_url: null },
	],
	[
		{ attributes: [{ name: 'town', value: '={{ $json.city }}' }] },
		{ attributes: [{ name: 'town', value: 'Pune' }] },
	],
	[{ tag: '={{ $json.missing }}' }, { tag: undefined }],
])('%j is read from the item itself, as n8n reads it', (raw, value) => {
	expect([directly(raw)]).toStrictEqual([value]);
	expect([readByN8n(raw, row as never)]).toStrictEqual([value]);
});

test.each([
	'={{ $json.missing.name }}',
	'={{ $json.nested }}',
	'={{ $json.list }}',
	'={{ $json.date }}',
	'={{ $json.date.year ?? "x" }}',
	'={{ $json.missing ?? $json.nested }}',
	'={{ $json.nested.list.length }}',
	'={{ $json.city.length }}',
	'={{ $json.city.toUpperCase() }}',
	'={{ $json.age + 1 }}',
	'={{ $json["ci" + "ty"] }}',
	'={{ $json.constructor }}',
	'={{ $json.toString }}',
	'={{ $json.valueOf ?? "x" }}',
	'={{ $json["a.first(x)"] }}',
	'={{ $json.missing ?? "Hi.first(x)" }}',
	'={{ $json.missing ?? "$if(" }}',
	'={{ $json.missing ?? $json.city || "x" }}',
	'={{ $json.missing || $json.city ?? "x" }}',
	'={{ ($json.missing ?? $json.empty) || "x" }}',
	'={{ "a" "b" }}',
	'={{ $json.missing ?? "a\\nb" }}',
	'={{ $json.missing ?? "}}" }}',
	'={{ $json.missing ?? -1 }}',
	'={{ $json.missing ?? undefined }}',
	'={{ $json.missing ? "a" : "b" }}',
	'={{ $json.Größe }}',
	'={{ $json["two\nlines"] }}',
	'={{ $json["two\u2028lines"] }}',
	'={{ $input.item.json.city }}',
	'={{ $("Source").item.json.city }}',
	'=\\{{ $json.city }}',
	'=a {{ $json.city',
	'=the .constructor of {{ $json.city }}',
])('%s is left to n8n', (raw) => {
	expect(directly(raw)).toBe(leftToN8n);
});

const options = { retryUnknown: '={{ $json.retry }}', tags: ['news', '={{ $json.tag }}'], size: 5 };

test('An object and its lists are read with the columns of the row', () => {
	expect(directReader(options)?.({ retry: true, tag: 'a' })).toEqual({
		retryUnknown: true,
		tags: ['news', 'a'],
		size: 5,
	});
});

test('An object is left to n8n as a whole where one of its columns is more than a plain value', () => {
	expect(directReader(options)?.({ retry: {}, tag: 'a' })).toBe(leftToN8n);
	expect(directReader(options)?.({ retry: true, tag: ['a'] })).toBe(leftToN8n);
});

test('An object is left to n8n as a whole where one of its expressions is more than a column', () => {
	expect(directReader({ ...options, size: '={{ $json.size + 1 }}' })).toBeUndefined();
});
