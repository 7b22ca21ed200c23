import fc from 'fast-check';

import { propertyRuns, propertySeed, sized } from '../../propertyRuns';
import { randomRow, randomTemplate } from '../../randomExpressions';
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
