import {
	findChunk,
	endOfChunks,
	messageNamer,
} from '../../../nodes/CustomerMessaging/delivery/chunks';

const rows = (count: number) => Array.from({ length: count }, (_, itemIndex) => ({ itemIndex }));

test('The first hundred rows are in chunks of 10, and the others in chunks of 50', () => {
	expect([0, 9, 10, 99, 100, 149, 150].map(findChunk)).toEqual([0, 0, 1, 9, 10, 10, 11]);
});

test('A slice has whole chunks only, at least one of them', () => {
	expect(endOfChunks(rows(40), 0, 25)).toBe(20);
	expect(endOfChunks(rows(40), 0, 3)).toBe(10);
	expect(endOfChunks(rows(40), 10, 1_000)).toBe(40);
	expect(endOfChunks(rows(7), 0, 10)).toBe(7);
});

describe('A delivery is recorded', () => {
	const keyOf = ({ itemIndex }: { itemIndex: number }) => String(itemIndex);
	const plan = {
		deliveries: rows(12).map((row) => ({ ...row, path: '/', buildBody: () => ({}) })),
		invalid: [],
	};

	test('under its row, and with Send Once under its key too', () => {
		const messageOf = messageNamer('scope', keyOf, plan);
		expect(messageOf({ itemIndex: 11 })).toMatchObject({
			names: ['scope row 11'],
			block: { name: 'scope chunk 1 row', size: 2 },
		});
		expect(messageOf({ itemIndex: 3, onceKey: 'key' }).names).toEqual(['scope row 3', 'key']);
		expect(messageNamer(undefined, keyOf, plan)({ itemIndex: 3, onceKey: 'key' })).toMatchObject({
			names: ['key'],
		});
	});

	test('never with its chunk as a whole if a row of the chunk cannot be sent', () => {
		const invalid = [{ kind: 'invalid' as const, itemIndex: 4, problems: [] }];
		const messageOf = messageNamer('scope', keyOf, { ...plan, invalid });
		expect(messageOf({ itemIndex: 3 }).block?.size).toBe(Infinity);
		expect(messageOf({ itemIndex: 11 }).block?.size).toBe(2);
	});
});
