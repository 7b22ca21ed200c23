import { EntryStore } from '../../../nodes/CustomerMessaging/journal/store';
import type { StoreCalls } from '../../../nodes/CustomerMessaging/n8n/context';
import { N8nStore } from '../../../simulation/n8nStore';
import { VirtualClock } from '../../../simulation/virtualClock';

const DAY_MS = 86_400_000;

/** n8n's database on a virtual clock, and the lists that runs open in it. */
function world() {
	const clock = new VirtualClock(0);
	const database = new N8nStore();
	const calls = database.connect(async () => await clock.sleep(1));
	const seen: string[] = [];
	const at = (scope: string) => ({ workflow: '', node: 'n:node' })[scope] ?? 'of nobody';
	const turns = new Map<string, Promise<unknown>>();
	const inDatabase: StoreCalls = {
		checkProcessedAndRecord: async (items, scope, options) => {
			if (scope === 'node') seen.push(`add, keep ${options.maxEntries}`);
			return await calls.checkProcessedAndRecord(items.map(String), at(scope), options);
		},
		removeProcessed: async (items, scope) => {
			seen.push('remove');
			await calls.removeProcessed(items.map(String), at(scope));
		},
		clearAllProcessedItems: async (scope) => await calls.clearAllProcessedItems(at(scope)),
		getProcessedDataCount: async (scope, options) =>
			await calls.getProcessedDataCount(at(scope), options),
	};
	const open = ({ mayLock = true, ...changed }: Partial<StoreCalls> & { mayLock?: boolean } = {}) =>
		new EntryStore(
			{
				calls: { ...inDatabase, ...changed },
				workflow: 'workflow',
				node: 'workflow node',
				mayLock,
			},
			{ clock, cancelled: () => false, random: () => 0.5, turns },
		);
	const run = async <T>(work: Promise<T>) => await clock.run(work, DAY_MS);
	return { clock, database, inDatabase, seen, turns, open, run };
}

test('Entries that were there before are told, and removed ones are forgotten', async () => {
	const { database, open, run } = world();
	database.put('n:node', { mode: 'entries', data: ['a'] });
	const found = await run(
		open().exclusively(async (list) => {
			const first = await list.add(['a', 'b'], 10);
			await list.remove(['a']);
			return [first, await list.add(['a', 'b', 'c'], 10)];
		}),
	);
	expect(found).toEqual([new Set(['a']), new Set(['b'])]);
	expect(database.readData('n:node')).toEqual(['b', 'a', 'c']);
});

test('To remove nothing, n8n is not asked', async () => {
	const { seen, open, run } = world();
	await run(open().exclusively(async (list) => await list.remove([])));
	expect(seen).toEqual([]);
});

test('The runs of a process use the list one after another, also after one of them failed', async () => {
	const { clock, database, turns, open, run } = world();
	const order: string[] = [];
	const use = async (name: string, isToFail = false) =>
		await open({ mayLock: false }).exclusively(async () => {
			order.push(`${name} begins`);
			await clock.sleep(100);
			order.push(`${name} ends`);
			if (isToFail) throw new Error('failed');
		});
	const later = clock.sleep(150).then(async () => await use('third'));
	const [first, ...others] = await run(
		Promise.allSettled([use('first', true), use('second'), later]),
	);
	expect(first).toMatchObject({ status: 'rejected', reason: new Error('failed') });
	expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
	expect(order).toEqual([
		'first begins',
		'first ends',
		'second begins',
		'second ends',
		'third begins',
		'third ends',
	]);
	expect(turns.size).toBe(0);
	expect(database.readData('')).toEqual([]);
});

test('The lock is released after work that failed', async () => {
	const { database, open, run } = world();
	const store = open();
	let isLocked = false;
	const work = store.exclusively(async () => {
		isLocked = database.readData('').length > 0;
		throw new Error('failed');
	});
	await expect(run(work)).rejects.toThrow('failed');
	expect(isLocked).toBe(true);
	expect(database.readData('')).toEqual([]);
	expect(store.isLocked).toBe(true);
});

test('Where another node has the row of the workflow, the list is used without a lock, and says so', async () => {
	const { database, open, run } = world();
	database.put('', { mode: 'entries', data: ['order 1'] });
	const store = open();
	await run(store.exclusively(async (list) => await list.add(['a'], 10)));
	expect(store.isLocked).toBe(false);
	expect(database.readData('n:node')).toEqual(['a']);
	expect(database.readData('')).toEqual(['order 1']);
});

test('A slow run that still has the lock goes on, and releases it', async () => {
	const { clock, database, open, run } = world();
	const work = open().exclusively(async (list) => {
		await clock.sleep(5_000);
		await list.add(['a'], 10);
	});
	await run(work);
	expect(database.readData('n:node')).toEqual(['a']);
	expect(database.readData('')).toEqual([]);
});

test('A run that was so slow that another process took over writes nothing more', async () => {
	const { clock, database, seen, open, run } = world();
	const work = open().exclusively(async (list) => {
		await clock.sleep(5_000);
		database.put('', { mode: 'lock', data: ['lock 1', 'lock 2'] });
		await list.add(['a'], 10);
	});
	await expect(run(work)).rejects.toThrow(
		"n8n's database was too slow, so another process went on with what was sent before",
	);
	expect(seen).toEqual([]);
	expect(database.readData('')).toEqual(['lock 1', 'lock 2']);
});

const lost = new Error('Connection terminated unexpectedly');
/** Lets the first calls fail: before they do anything, or after it. */
function failing<A extends unknown[], R>(
	call: (...given: A) => Promise<R>,
	{
		times,
		error = lost,
		afterCommit = false,
	}: { times: number; error?: Error; afterCommit?: boolean },
) {
	const calls: A[] = [];
	const changed = async (...given: A): Promise<R> => {
		calls.push(given);
		if (calls.length > times) return await call(...given);
		if (afterCommit) await call(...given);
		throw error;
	};
	return { calls, changed };
}

test('Entries are not added again after an error that may have come after the commit', async () => {
	const { database, inDatabase, open, run } = world();
	const add = failing(inDatabase.checkProcessedAndRecord, { times: 1, afterCommit: true });
	const store = open({ mayLock: false, checkProcessedAndRecord: add.changed });
	await expect(run(store.exclusively(async (list) => await list.add(['a'], 10)))).rejects.toThrow(
		lost,
	);
	expect(add.calls).toHaveLength(1);
	expect(database.readData('n:node')).toEqual(['a']);
});

test.each(['SQLITE_BUSY: database is locked', 'UNIQUE constraint failed', 'duplicate key value'])(
	'Entries are added again after a while if the database says that it wrote nothing: %s',
	async (message) => {
		const { clock, inDatabase, open, run } = world();
		const error = new Error(message);
		const add = failing(inDatabase.checkProcessedAndRecord, { times: 3, error });
		const store = open({ mayLock: false, checkProcessedAndRecord: add.changed });
		const found = await run(store.exclusively(async (list) => await list.add(['a'], 10)));
		expect(found).toEqual(new Set());
		expect(clock.now()).toBeGreaterThan(3_000);
	},
);

test('A database that stays locked ends the wait after about half a minute, also for the lock', async () => {
	const { clock, open, run } = world();
	const busy = async () => {
		throw new Error('SQLITE_BUSY: database is locked');
	};
	const store = open({ checkProcessedAndRecord: busy, getProcessedDataCount: busy });
	await expect(run(store.exclusively(async () => undefined))).rejects.toThrow('SQLITE_BUSY');
	expect(clock.now()).toBeLessThan(60_000);
});

test('A removal is tried three times, under the same lock', async () => {
	const { database, inDatabase, open, run } = world();
	database.put('n:node', { mode: 'entries', data: ['a', 'b'] });
	const twice = failing(inDatabase.removeProcessed, { times: 2 });
	await run(
		open({ removeProcessed: twice.changed }).exclusively(async (list) => {
			await list.remove(['a']);
			expect(database.readData('')).toHaveLength(1);
		}),
	);
	expect(database.readData('n:node')).toEqual(['b']);

	const always = failing(inDatabase.removeProcessed, { times: Infinity });
	const store = open({ removeProcessed: always.changed });
	await expect(run(store.exclusively(async (list) => await list.remove(['b'])))).rejects.toThrow(
		lost,
	);
	expect(always.calls).toHaveLength(3);
	expect(database.readData('')).toEqual([]);
});

test.each([false, true])(
	'A release that fails is not repeated, and what was done counts; whether it was done: %s',
	async (afterCommit) => {
		const { database, inDatabase, open, run } = world();
		const clear = failing(inDatabase.clearAllProcessedItems, { times: 1, afterCommit });
		const store = open({ clearAllProcessedItems: clear.changed });
		expect(await run(store.exclusively(async () => 'done'))).toBe('done');
		expect(clear.calls).toHaveLength(1);
		// The next one takes the lock over where it was left behind.
		expect(await run(open().exclusively(async () => 'next'))).toBe('next');
		expect(database.readData('')).toEqual([]);
	},
);
