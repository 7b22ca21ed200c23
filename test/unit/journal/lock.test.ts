import { WorkflowLock } from '../../../nodes/CustomerMessaging/n8n/workflowLock';
import { seededRandom } from '../../../sandbox/random';
import { N8nStore, SimulatedProcess } from '../../../simulation/n8nStore';
import { VirtualClock } from '../../../simulation/virtualClock';

const DAY_MS = 86_400_000;

/** A database and processes that lock the same workflow in it. */
function world(seed = 1) {
	const clock = new VirtualClock(0);
	const store = new N8nStore();
	const random = seededRandom(seed);
	const start = () => {
		const process = new SimulatedProcess(clock, () => 1 + Math.floor(15 * random()));
		const calls = store.connect(process.step);
		const mode = 'lock';
		const row = {
			add: async (names: string[]) =>
				(await calls.checkProcessedAndRecord(names, '', { mode })).new,
			count: async () => await calls.getProcessedDataCount(''),
			clear: async () => await calls.clearAllProcessedItems(''),
		};
		return { process, lock: new WorkflowLock(row, clock, random) };
	};
	const run = async <T>(work: Promise<T>) => await clock.run(work, DAY_MS);
	return { clock, store, start, run };
}

test('Of eight processes, one at a time has the lock, and all get it', async () => {
	const { clock, store, start, run } = world();
	let inside = 0;
	let most = 0;
	const turns = Array.from({ length: 8 }, async () => {
		const { lock } = start();
		for (let turn = 0; turn < 10; turn++) {
			expect(await lock.acquire()).toBe(true);
			most = Math.max(most, ++inside);
			await clock.sleep(10);
			inside--;
			await lock.release();
		}
	});
	await run(Promise.all(turns));
	expect(most).toBe(1);
	expect(store.readData('')).toEqual([]);
});

test('A lock that a killed process left behind is taken over by one of those that wait for it', async () => {
	for (let seed = 0; seed < 50; seed++) {
		const { clock, store, start, run } = world(seed);
		const first = start();
		expect(await run(first.lock.acquire())).toBe(true);
		first.process.kill();
		let inside = 0;
		let most = 0;
		const beganMs = clock.now();
		let soonestMs = Infinity;
		const waiting = Array.from({ length: 4 }, async () => {
			const { lock } = start();
			expect(await lock.acquire()).toBe(true);
			soonestMs = Math.min(soonestMs, clock.now() - beganMs);
			most = Math.max(most, ++inside);
			await clock.sleep(50);
			inside--;
			await lock.release();
		});
		await run(Promise.all(waiting));
		expect({ seed, most }).toEqual({ seed, most: 1 });
		expect(soonestMs).toBeGreaterThan(8_000);
		expect(clock.now() - beganMs).toBeLessThan(20_000);
		expect(store.readData('')).toEqual([]);
	}
});

test('A process that was slow notices that its lock was taken over, and leaves the new one alone', async () => {
	const { clock, store, start, run } = world();
	const slow = start();
	await run(slow.lock.acquire());
	const next = start();
	await run(next.lock.acquire());
	expect(await run(slow.lock.isHeld())).toBe(false);
	await run(slow.lock.release());
	expect(await run(next.lock.isHeld())).toBe(true);
	expect(store.readData('')).not.toEqual([]);
	expect(clock.now()).toBeGreaterThan(8_000);
});

test.each(['entries', 'latestIncrementalKey', 'latestDate'])(
	'There is no lock where another node uses the row in the mode %s, and the row is left as it is',
	async (mode) => {
		const { clock, store, start, run } = world();
		store.put('', { mode, data: ['order 1', 'order 2'] });
		expect(await run(start().lock.acquire())).toBe(false);
		// Without waiting for the row to be left behind.
		expect(clock.now()).toBeLessThan(1_000);
		expect(store.readData('')).toEqual(['order 1', 'order 2']);
	},
);

test('There is no lock where another node has emptied the row', async () => {
	const { store, start, run } = world();
	store.put('', { mode: 'entries', data: [] });
	expect(await run(start().lock.acquire())).toBe(false);
});

test('What another node adds while the row is locked is refused and not lost', async () => {
	const { clock, store, start, run } = world();
	const { lock } = start();
	await run(lock.acquire());
	const other = store.connect(new SimulatedProcess(clock, () => 1).step);
	const added = other.checkProcessedAndRecord(['order 1'], '', { mode: 'entries' });
	await expect(run(added)).rejects.toThrow('incompatible setting');
	await run(lock.release());
	await run(other.checkProcessedAndRecord(['order 1'], '', { mode: 'entries' }));
	expect(store.readData('')).toEqual(['order 1']);
});

test('Of two processes that take over a lock at the same moment, one has it', async () => {
	const clock = new VirtualClock(0);
	const store = new N8nStore();
	store.put('', { mode: 'lock', data: ['lock 1'] });
	let inside = 0;
	let most = 0;
	const take = async (chosen: number) => {
		const calls = store.connect(async () => await clock.sleep(1));
		const row = {
			add: async (names: string[]) =>
				(await calls.checkProcessedAndRecord(names, '', { mode: 'lock' })).new,
			count: async () => await calls.getProcessedDataCount(''),
			clear: async () => await calls.clearAllProcessedItems(''),
		};
		// The two only choose different numbers for their locks, after 10 seconds.
		const lock = new WorkflowLock(row, clock, () => (clock.now() < 10_000 ? 0.5 : chosen));
		expect(await lock.acquire()).toBe(true);
		most = Math.max(most, ++inside);
		await clock.sleep(100);
		inside--;
		await lock.release();
	};
	await clock.run(Promise.all([take(0.1), take(0.9)]), DAY_MS);
	expect(most).toBe(1);
	expect(store.readData('')).toEqual([]);
});

test("A row that n8n never manages to insert ends the wait with n8n's reason", async () => {
	const clock = new VirtualClock(0);
	const row = {
		add: jest.fn().mockRejectedValue(new Error('database or disk is full')),
		count: async () => 0,
		clear: async () => undefined,
	};
	const acquired = new WorkflowLock(row, clock, () => 0.5).acquire();
	await expect(clock.run(acquired, DAY_MS)).rejects.toThrow('database or disk is full');
	expect(clock.now()).toBeLessThan(1_000);
});
