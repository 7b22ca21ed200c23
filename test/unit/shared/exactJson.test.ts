import fc from 'fast-check';

import * as exact from '../../../nodes/CustomerMessaging/shared/exactJson';

const compact = (json: string) => json.replace(/\s/g, '');

describe('JSON with integers beyond 2^53', () => {
	it.each<[string, unknown]>([
		['{"id":9223372036854775807}', { id: '9223372036854775807' }],
		['{"9007199254740993":0.19876543210987654}', { '9007199254740993': 0.19876543210987654 }],
		// The last of several values with one name counts, as for JSON.parse.
		['{"a":1,"a":9007199254740993}', { a: '9007199254740993' }],
		['[9007199254740991,9234567890123456e2]', [9007199254740991, 923456789012345600]],
		['{"id":-9234567890123456.7}', { id: -9234567890123456.7 }],
		['{"id":09007199254740993}', '{"id":09007199254740993}'],
	])('is read with them as text: %s', (json, value) => {
		expect(exact.parseReadably(json)).toEqual(value);
	});

	it('keeps every digit between any other values', () => {
		const integer = fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n });
		fc.assert(
			fc.property(fc.string(), integer, fc.string(), (before, large, after) => {
				const json = `{${JSON.stringify(before)}:[${large},${JSON.stringify(after)}]}`;
				fc.pre(before !== '__proto__');
				expect(compact(exact.toJsonText(exact.parseExactly(json)))).toBe(compact(json));
				expect(exact.parseReadably(json)).toEqual({ [before]: [String(large), after] });
			}),
			{ numRuns: 300 },
		);
	});
});
