import {
	type StoreCalls,
	WorkflowLock,
} from '../../../../nodes/CustomerMessaging/engine/record/lock';
import { seededRandom } from '../../../../sandbox/random';
import { N8nStore, SimulatedProcess } from '../../../../simulation/n8nStore';
import { VirtualClock } from '../../../../simulation/virtualClock';
import { sized } from '../../../propertyRuns';

const DAY_MS = 86_400_000;

const unexpected = (error: unknown): never => {
	throw error;
};

type RowCalls = Omit<StoreCalls, 'removeProcessed'>;

/** A database and processes that lock the same workflow in it. */
function world(seed = 1) {
	const clock = new VirtualClock(0);
	const store = new N8nStore();
	const random = seededRandom(seed);
	const start = (change: (row: RowCalls) => Partial<RowCalls> = () => ({})) => {
		const process = new SimulatedProcess(clock, () => 1 + Math.floor(15 * random()));
		const row = rowOf(store, process.step);
		const again = async () => {
			await clock.sleep(100);
			return 0;
		};
		return { process, lock: new WorkflowLock({ ...row, ...change(row) }, clock, random, again) };
	};
	const run = async <T>(work: Promise<T>) => await clock.run(work, DAY_MS);
	/** Lets all have the lock for a while, and tells how many had it at once at most, and when the first had it. */
	const takeTurns = async (locks: WorkflowLock[], work = async () => await clock.sleep(50)) => {
		let inside = 0;
		let [most, firstMs] = [0, Infinity];
		const turns = locks.map(async (lock) => {
			expect(await lock.acquire()).toBe(true);
			firstMs = Math.min(firstMs, clock.now());
			most = Math.max(most, ++inside);
			await work();
			inside--;
			await lock.release();
		});
		await run(Promise.all(turns));
		expect(store.readData('')).toEqual([]);
		return { seed, most, firstMs };
	};
	return { clock, store, start, run, takeTurns };
}

function rowOf(store: N8nStore, step: () => Promise<void>): RowCalls {
	const calls = store.connect(step);
	return {
		checkProcessedAndRecord: async (names, _scope, options) =>
			await calls.checkProcessedAndRecord(names.map(String), '', options),
		getProcessedDataCount: async (_scope, options) =>
			await calls.getProcessedDataCount('', options),
		clearAllProcessedItems: async () => await calls.clearAllProcessedItems(''),
	};
}

test('A lock that a killed process left behind is taken over by one of those that wait for it', async () => {
	for (let seed = 0; seed < 50; seed++) {
		const { clock, start, run, takeTurns } = world(seed);
		const first = start();
		expect(await run(first.lock.acquire())).toBe(true);
		first.process.kill();
		const beganMs = clock.now();
		const waiting = Array.from({ length: 4 }, () => start().lock);
		const { most, firstMs } = await takeTurns(waiting);
		expect({ seed, most }).toEqual({ seed, most: 1 });
		expect(firstMs - beganMs).toBeGreaterThan(14_000);
		expect(firstMs - beganMs).toBeLessThan(18_000);
	}
});

test.each([
	['entries', ['order 1', 'order 2']],
	['latestDate', ['2027-01-15', '2027-01-16']],
	['entries', []],
])('There is no lock where another node uses the row: mode %s, with %j', async (mode, data) => {
	const { clock, store, start, run } = world();
	store.put('', { mode, data });
	expect(await run(start().lock.acquire())).toBe(false);
	// Without waiting for the row to be left behind.
	expect(clock.now()).toBeLessThan(1_000);
	expect(store.readData('')).toEqual(data);
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
	const { clock, store, takeTurns } = world();
	store.put('', { mode: 'lock', data: ['lock 1'] });
	const row = rowOf(store, async () => await clock.sleep(1));
	// The two only choose different numbers for their locks, after 12 seconds.
	const locks = [0.1, 0.9].map((chosen) => {
		const random = () => (clock.now() < 12_000 ? 0.5 : chosen);
		return new WorkflowLock(row, clock, random, unexpected);
	});
	expect((await takeTurns(locks, async () => await clock.sleep(100))).most).toBe(1);
});

test('The row has one name as long as nobody takes the lock over, however many wait for it', async () => {
	for (let seed = 0; seed < 50; seed++) {
		const { clock, store, start, takeTurns } = world(seed);
		const names: number[] = [];
		const work = async () => {
			for (let ms = 0; ms < 1_000; ms += 50) {
				await clock.sleep(50);
				names.push(store.readData('').length);
			}
		};
		// They all find no row at the same moment, and then wait for a second.
		const locks = Array.from({ length: 6 }, () => start().lock);
		await takeTurns(locks, work);
		expect({ seed, most: Math.max(...names) }).toEqual({ seed, most: 1 });
	}
});

test('A process that was slow for as long as taking over lasts does not take the lock for its own', async () => {
	for (let seed = 0; seed < 50; seed++) {
		const { clock, start, run } = world(seed);
		const slow = start();
		await run(slow.lock.acquire());
		let isTaken = false;
		const watch = async (isSure: boolean): Promise<boolean> => {
			if (isTaken) return isSure;
			await clock.sleep(100);
			return await watch(await slow.lock.isHeld());
		};
		const watching = watch(true);
		await run(start().lock.acquire());
		isTaken = true;
		expect({ seed, sure: await run(watching) }).toEqual({ seed, sure: false });
	}
});

test('An INSERT that fails is made again', async () => {
	const { clock, store, start, run } = world();
	let calls = 0;
	const { lock } = start((row) => ({
		checkProcessedAndRecord: async (...call) => {
			if (++calls <= 3) throw new Error('Connection terminated unexpectedly');
			return await row.checkProcessedAndRecord(...call);
		},
	}));
	expect(await run(lock.acquire())).toBe(true);
	expect(store.readData('')).toHaveLength(1);
	expect(clock.now()).toBeLessThan(1_000);
});

test('A lock whose INSERT was not answered is taken over by one of those that wait, once', async () => {
	for (let seed = 0; seed < 20; seed++) {
		const { clock, start, takeTurns } = world(seed);
		let calls = 0;
		const { lock } = start((row) => ({
			checkProcessedAndRecord: async (...call) => {
				const result = await row.checkProcessedAndRecord(...call);
				// The connection is lost after the commit.
				if (++calls === 1) throw new Error('Connection terminated unexpectedly');
				return result;
			},
		}));
		const { most } = await takeTurns([lock, start().lock, start().lock]);
		expect({ seed, most }).toEqual({ seed, most: 1 });
		expect(clock.now()).toBeLessThan(20_000);
	}
});

test('A release that fails is not repeated, and the lock is taken over', async () => {
	const { clock, store, start, run } = world();
	let releases = 0;
	const { lock } = start(() => ({
		clearAllProcessedItems: async () => {
			releases++;
			throw new Error('Connection terminated unexpectedly');
		},
	}));
	await run(lock.acquire());
	await expect(run(lock.release())).rejects.toThrow('Connection terminated');
	const next = start();
	expect(await run(next.lock.acquire())).toBe(true);
	expect(clock.now()).toBeGreaterThan(8_000);
	expect(releases).toBe(1);
	await run(next.lock.release());
	expect(store.readData('')).toEqual([]);
});

test('A slow process does not take the lock of a later process for its own', async () => {
	const { clock, store, start, run } = world();
	const slow = start();
	await run(slow.lock.acquire());
	const next = start();
	await run(next.lock.acquire());
	await run(next.lock.release());
	const last = start();
	await run(last.lock.acquire());
	// Its row has as many names as that of the slow process had.
	expect(store.readData('')).toHaveLength(1);
	expect(clock.now()).toBeGreaterThan(8_000);
	expect(await run(slow.lock.isHeld())).toBe(false);
	await run(slow.lock.release());
	expect(await run(last.lock.isHeld())).toBe(true);
	expect(store.readData('')).toHaveLength(1);
});

test('A row that n8n never manages to insert ends the wait once nothing more may be tried', async () => {
	const clock = new VirtualClock(0);
	const row = {
		checkProcessedAndRecord: jest.fn().mockRejectedValue(new Error('database or disk is full')),
		getProcessedDataCount: async () => 0,
		clearAllProcessedItems: async () => undefined,
	};
	const afterFailure = async (error: unknown) => {
		if (clock.now() > 5_000) throw error;
		await clock.sleep(1_000);
		return 0;
	};
	const acquired = new WorkflowLock(row, clock, () => 0.5, afterFailure).acquire();
	await expect(clock.run(acquired, DAY_MS)).rejects.toThrow('database or disk is full');
	expect(row.checkProcessedAndRecord.mock.calls.length).toBeGreaterThan(4);
});

test('Of processes that stall for up to 30 s, never two are sure to have the lock, and none keeps it', async () => {
	let takenOver = 0;
	for (let seed = 0; seed < sized(300, 1_000); seed++) {
		const { clock, store, start, run } = world(seed);
		const random = seededRandom(1_000_000 + seed);
		const slowestMs = 1 + Math.floor(5 * random());
		const stallRate = 0.03 * random();
		let sure: number | undefined;
		const broken: string[] = [];
		const turns = Array.from({ length: 2 + Math.floor(3 * random()) }, async (_, index) => {
			const pause = async (ms: number) =>
				await clock.sleep(random() < stallRate ? 30_000 * random() : ms);
			const row = rowOf(store, async () => await pause(1 + Math.floor(slowestMs * random())));
			const own = { now: () => clock.now(), sleep: pause };
			const lock = new WorkflowLock(row, own, random, unexpected);
			for (let turn = 0; turn < 4; turn++) {
				await lock.acquire();
				for (let looks = 0; looks < 5; looks++) {
					const isSure = await lock.isHeld();
					if (isSure && looks > 0 && sure !== index) broken.push(`${sure} and ${index}`);
					if (!isSure) takenOver++;
					if (!isSure) break;
					sure = index;
					await pause(1);
				}
				await lock.release();
			}
		});
		await run(Promise.all(turns));
		const last = start().lock;
		await run(last.acquire());
		await run(last.release());
		expect({ seed, broken, left: store.readData('') }).toEqual({ seed, broken: [], left: [] });
	}
	expect(takenOver).toBeGreaterThan(20);
});
