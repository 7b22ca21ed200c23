import fc from 'fast-check';

import { propertyRuns, propertySeed, sized } from '../../propertyRuns';
import { randomRow, randomTemplate, row } from '../../randomExpressions';
import { readByN8n } from '../support/readByN8n';
import { directReader, leftToN8n } from '../../../nodes/CustomerMessaging/run/expressions';

jest.setTimeout(sized(30_000, 1_800_000));

test('Whatever is read from the item is what n8n reads', () => {
	let direct = 0;
	let all = 0;
	fc.assert(
		fc.property(
			randomTemplate,
			fc.array(randomRow, { minLength: 1, maxLength: 3 }),
			(raw, rows) => {
				const read = directReader(raw);
				for (const json of rows) {
					const value = read ? read(json) : leftToN8n;
					all++;
					if (value === leftToN8n) continue;
					direct++;
					expect([value]).toStrictEqual([readByN8n(raw, json)]);
				}
			},
		),
		{ numRuns: propertyRuns * 100, seed: propertySeed },
	);
	// Far fewer would say little.
	expect(direct / all).toBeGreaterThan(0.15);
});

/** Values of columns, what only looks like one, and what n8n or JavaScript may read otherwise. */
const codes = [
	...['$json.city', '$json["First Name"]', '$json.nested.deep["name"]', '$json.$price'],
	...['$json.missing', '$json.Größe', '$json.none', '$json.minusZero', '$json.notANumber'],
	...['$json.nested', '$json.list', '$json.date', '$json.date.year ?? "x"'],
	...['$json.missing ?? $json.nested', '$json.nested.list.length', '$json.city.length'],
	...['$json.missing.name', '$json.city.toUpperCase()', '$json.age + 1', '$json["ci" + "ty"]'],
	...['$input.item.json.city', '$json.missing ? "a" : "b"', '$json.constructor', '$json.toString'],
	...['$json.valueOf ?? "x"', '$json["a.first(x)"]', '$json.missing ?? "Hi.first(x)"'],
	...['$json.missing ?? "$if("', '$json.missing ?? "a\\nb"', '$json.missing ?? "}}"'],
	...['$json.missing ?? $json.city || "x"', '$json.missing || $json.city ?? "x"'],
	...['($json.missing ?? $json.empty) || "x"', '$json.missing ?? -1', '$json.missing ?? undefined'],
	...['$json["two\nlines"]', '"a" "b"'],
];

const raws: unknown[] = [
	...codes.flatMap((code) => [`={{ ${code} }}`, `=<{{ ${code} }}{{ $json.nothing }}>`]),
	...['=\\{{ $json.city }}', '=a {{ $json.city', '=the .constructor of {{ $json.city }}'],
	{ list: [{ tag: '={{ $json.city }}' }], id: 5 },
	{ retry: '={{ $json.yes }}', tags: ['news', '={{ $json.list }}'] },
	{ id: '={{ $json.city }}', size: '={{ $json.age + 1 }}' },
];

test.each(raws)('%j is read as n8n reads it, or left to n8n', (raw) => {
	const read = directReader(raw);
	const value = read ? read({ ...row }) : leftToN8n;
	if (value !== leftToN8n) expect([value]).toStrictEqual([readByN8n(raw, row as never)]);
});
