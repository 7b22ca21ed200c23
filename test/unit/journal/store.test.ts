import { EntryStore, MAX_ENTRIES } from '../../../nodes/CustomerMessaging/n8n/entryStore';
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
	const open = ({ mayLock = true, stored = 0 } = {}) =>
		new EntryStore(
			{
				checkProcessedAndRecord: async (items, scope, options) => {
					if (scope === 'node') seen.push(`add, keep ${options.maxEntries}`);
					const found = await calls.checkProcessedAndRecord(items.map(String), at(scope), options);
					return { ...found };
				},
				removeProcessed: async (items, scope) => {
					seen.push('remove');
					await calls.removeProcessed(items.map(String), at(scope));
				},
				clearAllProcessedItems: async (scope) => await calls.clearAllProcessedItems(at(scope)),
				getProcessedDataCount: async (scope) => await calls.getProcessedDataCount(at(scope)),
			},
			{
				workflow: 'workflow',
				node: 'node',
				waiting: {
					now: () => clock.now(),
					sleep: async (ms) => await clock.sleep(ms),
					cancelled: () => false,
				},
				random: () => 0.5,
				turns,
				mayLock,
				stored,
			},
		);
	const run = async <T>(work: Promise<T>) => await clock.run(work, DAY_MS);
	return { clock, database, seen, turns, open, run };
}

test('Entries that were there before are told, and removed ones are forgotten', async () => {
	const { database, open, run } = world();
	database.put('n:node', { mode: 'entries', data: ['a'] });
	const found = await run(
		open().exclusively(async (list) => {
			const first = await list.add(['a', 'b']);
			await list.remove(['a']);
			return [first, await list.add(['a', 'b', 'c'])];
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

test('A list keeps as many entries as it may, unless it held more when it was opened', async () => {
	const { seen, open, run } = world();
	for (const stored of [10, 11]) {
		const store = open({ stored });
		store.maxEntries = 10;
		await run(store.exclusively(async (list) => await list.add(['a'])));
	}
	expect(seen).toEqual(['add, keep 10', `add, keep ${MAX_ENTRIES}`]);
	expect(MAX_ENTRIES).toBe(100_000);
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
	await run(store.exclusively(async (list) => await list.add(['a'])));
	expect(store.isLocked).toBe(false);
	expect(database.readData('n:node')).toEqual(['a']);
	expect(database.readData('')).toEqual(['order 1']);
});

test('A slow run that still has the lock goes on, and releases it', async () => {
	const { clock, database, open, run } = world();
	const work = open().exclusively(async (list) => {
		await clock.sleep(5_000);
		await list.add(['a']);
	});
	await run(work);
	expect(database.readData('n:node')).toEqual(['a']);
	expect(database.readData('')).toEqual([]);
});

test('A run that was so slow that another process took over writes nothing more', async () => {
	const { clock, database, seen, open, run } = world();
	const work = open().exclusively(async (list) => {
		await clock.sleep(5_000);
		database.put('', { mode: 'lock', data: ['lock 1'] });
		await list.add(['a']);
	});
	await expect(run(work)).rejects.toThrow(
		"n8n's database was too slow, so another process went on with what was sent before",
	);
	expect(seen).toEqual([]);
	expect(database.readData('')).toEqual(['lock 1']);
});

test('A list is named after its workflow and its node', () => {
	expect(world().open().name).toBe('workflow node');
});
