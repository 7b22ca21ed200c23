import { z } from 'zod/v3';

import {
	converted,
	convertedFrom,
	prepared,
	refined,
} from '../../../nodes/CustomerMessaging/fields/convert';

const messagesOf = (schema: z.ZodTypeAny, value: unknown) =>
	schema.safeParse(value).error?.issues.map(({ path, message }) => [...path, message]);

describe('A schema made of a function', () => {
	const length = converted((value, context) => {
		if (typeof value === 'string') return value.length;
		context.addIssue('is no text');
		return z.NEVER;
	});

	it('converts a value', () => {
		expect(length.parse('four')).toBe(4);
	});

	it('reports what it refuses as an issue of its own', () => {
		expect(length.safeParse(7).error?.issues).toEqual([
			{ code: 'custom', path: [], message: 'is no text' },
		]);
	});

	it('reports what it refuses where it stands', () => {
		expect(messagesOf(z.object({ list: z.array(length) }), { list: ['a', 7] })).toEqual([
			['list', 1, 'is no text'],
		]);
	});

	it('converts only what the schema before it accepts', () => {
		const doubled = convertedFrom(length, (value) => value * 2);
		expect(doubled.parse('four')).toBe(8);
		expect(messagesOf(doubled, null)).toEqual([['is no text']]);
		expect(messagesOf(convertedFrom(z.number(), String), 'four')).toHaveLength(1);
	});

	it('keeps the schema after it from reading what it refuses', () => {
		expect(messagesOf(length.pipe(z.number().max(0)), 7)).toEqual([['is no text']]);
		expect(messagesOf(length.pipe(z.number().max(0, 'is long')), 'four')).toEqual([['is long']]);
	});

	it('can be left out of an object', () => {
		expect(z.object({ length }).partial().parse({})).toEqual({});
	});
});

describe('A schema that checks further', () => {
	const even = refined(z.number().max(10, 'is large'), (value, context) => {
		if (value % 2 !== 0) context.addIssue('is odd');
	});

	it('keeps the value', () => {
		expect(even.parse(4)).toBe(4);
	});

	it('reports everything that is wrong, unless the type is', () => {
		expect(messagesOf(even, 11)).toEqual([['is large'], ['is odd']]);
		expect(messagesOf(even, 'four')).toHaveLength(1);
	});

	it('refuses what only the schema before it refuses', () => {
		expect(messagesOf(even, 12)).toEqual([['is large']]);
	});
});

test('A schema can read what a function makes of the value', () => {
	const filled = prepared((value) => value ?? {}, z.object({ name: z.string().optional() }));
	expect(filled.parse(null)).toEqual({});
	expect(messagesOf(z.object({ filled }), { filled: { name: 1 } })).toEqual([
		['filled', 'name', 'Expected string, received number'],
	]);
});
