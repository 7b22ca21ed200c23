import {
	chooseWindow,
	findChunk,
	endOfChunks,
	messageNamer,
} from '../../../nodes/CustomerMessaging/delivery/chunks';
import { entriesKept } from '../../../nodes/CustomerMessaging/delivery/openJournal';
import type { Run } from '../../../nodes/CustomerMessaging/run/resolveRun';

const rows = (count: number) => Array.from({ length: count }, (_, itemIndex) => ({ itemIndex }));

test('The first hundred rows are in chunks of 10, and the others in chunks of 50', () => {
	expect([0, 9, 10, 99, 100, 149, 150].map(findChunk)).toEqual([0, 0, 1, 9, 10, 10, 11]);
});

describe('What a kill can leave in doubt', () => {
	const windowOf = (batchKey: string | undefined, settings: object, claimed = 0) =>
		chooseWindow({
			operation: { batchKey },
			settings: { batchSize: 100, concurrency: 10, sendOnce: false, ...settings },
			account: { limits: { push: 500 } },
			target: { api: 'push' },
		} as unknown as Run).windowAfter(claimed);

	test('are 10 messages among the first hundred, and 50 after that', () => {
		expect([0, 99, 100, 5_000].map((claimed) => windowOf(undefined, {}, claimed))).toEqual([
			10, 10, 50, 50,
		]);
	});

	test('are as many as Concurrency if that is more', () => {
		expect([0, 100].map((claimed) => windowOf(undefined, { concurrency: 30 }, claimed))).toEqual([
			30, 50,
		]);
	});

	test('are the batches in flight, or with Send Once one batch', () => {
		expect(windowOf('nv', {})).toBe(1_000);
		expect(windowOf('nv', { sendOnce: true })).toBe(100);
	});
});

test('The notes of at least 5,000 keys are kept, and never more than 100,000', () => {
	expect([1, 5_000, 1_000_000].map(entriesKept)).toEqual([5_000, 20_000, 100_000]);
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
