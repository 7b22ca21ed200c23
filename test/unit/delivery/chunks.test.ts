import { chunkOf, chunksOf } from '../../../nodes/CustomerMessaging/delivery/attempt';
import { ChunkNotes } from '../../../nodes/CustomerMessaging/delivery/chunkNotes';
import {
	type Chunk,
	type Earlier,
	entriesKept,
	SharedLedger,
} from '../../../nodes/CustomerMessaging/delivery/sharedLedger';
import { OtherProcesses } from '../../../nodes/CustomerMessaging/n8n/otherProcesses';
import type { ProcessedStore } from '../../../nodes/CustomerMessaging/n8n/processedStore';
import type { Outcome } from '../../../nodes/CustomerMessaging/shared/outcome';

test.each([
	[0, 'chunk 0'],
	[9, 'chunk 0'],
	[10, 'chunk 1'],
	[99, 'chunk 9'],
	[100, 'chunk 10'],
	[149, 'chunk 10'],
	[150, 'chunk 11'],
	[4_999, 'chunk 107'],
])('Item %d is in %s.', (item, chunk) => {
	expect(chunkOf(item)).toBe(chunk);
});

test('Deliveries, which are in the order of the input, are grouped by chunk.', () => {
	const deliveries = [
		{ itemIndex: 0, platform: 'ios' },
		{ itemIndex: 0, platform: 'web' },
		{ itemIndex: 12 },
		{ itemIndex: 150 },
	] as const;
	const keyOf = ({ itemIndex, platform = '' }: { itemIndex: number; platform?: string }) =>
		`${itemIndex}${platform}`;
	expect([...chunksOf(deliveries, keyOf)]).toEqual([
		{ name: 'chunk 0', keys: ['0ios', '0web'], deliveries: deliveries.slice(0, 2) },
		{ name: 'chunk 1', keys: ['12'], deliveries: [deliveries[2]] },
		{ name: 'chunk 11', keys: ['150'], deliveries: [deliveries[3]] },
	]);
});

test.each([
	[0, 5_000],
	[1_250, 5_000],
	[1_251, 5_004],
	[1_000_000, 100_000],
])('For %d items, n8n keeps %d keys.', (items, entries) => {
	expect(entriesKept(items)).toBe(entries);
});

describe('The outcomes of a chunk are stored', () => {
	/** A ledger that keeps what it was told to store. */
	class Stored extends SharedLedger {
		readonly settled: unknown[] = [];
		failure?: Error;

		constructor() {
			const store: ProcessedStore = {
				name: 'store',
				add: async () => new Set<string>(),
				remove: async () => {},
				confirm: async () => {},
				others: new OtherProcesses(),
			};
			super(store, 'scope', 5_000, true);
		}

		override async settle(
			chunk: string,
			outcomes: ReadonlyMap<string, Earlier>,
			keys: readonly string[],
		): Promise<void> {
			if (this.failure) throw this.failure;
			this.settled.push([chunk, Object.fromEntries(outcomes), keys]);
		}
	}

	const outcome = (kind: Outcome['outcome']) => ({ outcome: kind }) as Outcome;
	const chunk: Chunk = { name: 'chunk 0', keys: ['a', 'b', 'c'] };

	test('once all its deliveries have one', async () => {
		const ledger = new Stored();
		const notes = new ChunkNotes(ledger, () => {});
		notes.begun(chunk);
		notes.note('a', outcome('accepted'));
		notes.note('b', outcome('unknown'));
		await notes.finish();
		expect(ledger.settled).toEqual([]);
		notes.note('c', outcome('rejected'));
		await notes.finish();
		expect(ledger.settled).toEqual([['chunk 0', { a: 'accepted', b: 'unknown' }, ['a', 'b', 'c']]]);
	});

	test('once, even if a delivery is noted twice or belongs to no chunk', async () => {
		const ledger = new Stored();
		const notes = new ChunkNotes(ledger, () => {});
		notes.begun({ name: 'chunk 0', keys: ['a', 'b'] });
		notes.begun({ name: 'chunk 1', keys: [] });
		notes.note('a', outcome('accepted'));
		notes.note('a', outcome('accepted'));
		notes.note('z', outcome('accepted'));
		await notes.finish();
		expect(ledger.settled).toEqual([]);
		notes.note('b', outcome('accepted'));
		await notes.finish();
		expect(ledger.settled).toHaveLength(1);
	});

	test('or it is said that they could not be, and later chunks still are', async () => {
		const ledger = new Stored();
		const failures: unknown[] = [];
		const notes = new ChunkNotes(ledger, (error) => failures.push(error));
		ledger.failure = new Error('locked');
		notes.begun({ name: 'chunk 0', keys: ['a'] });
		notes.note('a', outcome('accepted'));
		await notes.finish();
		expect(failures).toEqual([ledger.failure]);
		ledger.failure = undefined;
		notes.begun({ name: 'chunk 1', keys: ['b'] });
		notes.note('b', outcome('notSent'));
		await notes.finish();
		expect(ledger.settled).toEqual([['chunk 1', {}, ['b']]]);
	});
});
