import fc from 'fast-check';
import { inexactIn, readExactJson, readJson, toJson } from '../../sandbox/json';

describe('A body', () => {
	it('is read as JavaScript reads it', () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 8 }), (text) => {
				expect(readJson(text)).toEqual({ value: JSON.parse(text) as unknown });
			}),
		);
	});

	it('is read exactly and written back unchanged', () => {
		const text =
			'{"a":9223372036854775807,"b":[-12345678901234567890,1],"__proto__":{"c":1},"d":0.5}';
		const read = readExactJson(text);
		expect(read).toEqual({
			value: Object.fromEntries<unknown>([
				['a', 9223372036854775807n],
				['b', [-12345678901234567890n, 1]],
				['__proto__', { c: 1 }],
				['d', 0.5],
			]),
		});
		expect('value' in read && toJson(read.value)).toBe(text);
	});

	it('is read exactly as the same values, apart from rounding', () => {
		fc.assert(
			fc.property(fc.json({ maxDepth: 8 }), (text) => {
				const read = readExactJson(`[9007199254740993,${text}]`);
				const exact = 'value' in read ? toJson(read.value) : read.problem;
				expect(JSON.parse(exact)).toEqual(JSON.parse(`[9007199254740993,${text}]`));
			}),
		);
	});

	it.each(['', 'x', '{"a":1', '{"a":1}}', "{'a':1}", '[1,]', '\u0000'])(
		'is not JSON: %j',
		(text) => {
			expect(readJson(text)).toEqual({ problem: 'must be JSON' });
			expect(readExactJson(text)).toEqual({ problem: 'must be JSON' });
		},
	);
});

describe('A value that n8n reads differently', () => {
	it('is named', () => {
		const text = '{"id":9007199254740993,"id":9007199254740992,"x":{"y":1,"y":[2]},"n":1e999}';
		expect(inexactIn(text)).toEqual({
			numbers: ['9007199254740993', '9007199254740992', '1e999'],
			repeatedKeys: ['id', 'y'],
		});
	});

	it.each(['{"id":9007199254740991,"a":0.1,"b":1e20,"c":"9007199254740993"}', 'no JSON', '"a"'])(
		'is nothing in %s',
		(text) => {
			expect(inexactIn(text)).toEqual({ numbers: [], repeatedKeys: [] });
		},
	);

	it('is listed up to a maximum', () => {
		const numbers = Array.from(
			{ length: 1_000 },
			(_, index) => `9${String(index).padStart(17, '0')}`,
		);
		expect(inexactIn(`[${numbers.join()}]`).numbers).toEqual(numbers.slice(0, 20));
		expect(inexactIn(`[${'9'.repeat(100_000)}]`).numbers).toEqual(['9'.repeat(40)]);
	});
});
