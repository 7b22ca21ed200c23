import {
	type StoreCalls,
	WorkflowLock,
} from '../../../../nodes/CustomerMessaging/engine/record/lock';
import { seededRandom } from '../../../../sandbox/random';
import { N8nStore } from '../../../../simulation/n8nStore';
import { VirtualClock } from '../../../../simulation/virtualClock';
import { sized } from '../../../propertyRuns';

const DAY_MS = 86_400_000;

const unexpected = (error: unknown): never => {
	throw error;
};

/** A database and processes that lock the same workflow in it. */
function world(seed = 1) {
	const clock = new VirtualClock(0);
	const store = new N8nStore();
	const random = seededRandom(seed);
	/** A process, of which each statement takes up to so long. */
	const start = (mostMs = 15, sleep = async (ms: number) => await clock.sleep(ms)) => {
		let isKilled = false;
		const kill = () => void (isKilled = true);
		// Before each statement, which a killed process never reaches.
		const calls = store.connect(async () => {
			await sleep(1 + Math.floor(mostMs * random()));
			if (isKilled) await new Promise<never>(() => undefined);
		});
		const row: Omit<StoreCalls, 'removeProcessed'> = {
			checkProcessedAndRecord: async (names, _, options) =>
				await calls.checkProcessedAndRecord(names.map(String), '', options),
			getProcessedDataCount: async (_, options) => await calls.getProcessedDataCount('', options),
			clearAllProcessedItems: async () => await calls.clearAllProcessedItems(''),
		};
		const own = { now: () => clock.now(), sleep };
		return { kill, lock: new WorkflowLock(row, own, random, unexpected) };
	};
	const run = async <T>(work: Promise<T>) => await clock.run(work, DAY_MS);
	return { clock, store, random, start, run };
}

test('A lock that a killed process left behind is taken over by one of those that wait for it', async () => {
	for (let seed = 0; seed < 50; seed++) {
		const { clock, store, start, run } = world(seed);
		const first = start();
		expect(await run(first.lock.acquire())).toBe(true);
		first.kill();
		const beganMs = clock.now();
		let inside = 0;
		let [most, firstMs] = [0, Infinity];
		const turns = Array.from({ length: 4 }, async () => {
			const { lock } = start();
			expect(await lock.acquire()).toBe(true);
			firstMs = Math.min(firstMs, clock.now());
			most = Math.max(most, ++inside);
			await clock.sleep(50);
			inside--;
			await lock.release();
		});
		await run(Promise.all(turns));
		expect({ seed, most, left: store.readData('') }).toEqual({ seed, most: 1, left: [] });
		// As docs/promises.md says.
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
		const { clock, store, random, start, run } = world(1_000_000 + seed);
		const mostMs = 1 + Math.floor(5 * random());
		const stallRate = 0.03 * random();
		let sure: number | undefined;
		const broken: string[] = [];
		const turns = Array.from({ length: 2 + Math.floor(3 * random()) }, async (_, index) => {
			const pause = async (ms: number) =>
				await clock.sleep(random() < stallRate ? 30_000 * random() : ms);
			const { lock } = start(mostMs, pause);
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
