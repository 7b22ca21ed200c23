import type { Sandbox } from '../../sandbox';
import { untilNodeEnds } from './support/engine';
import { ExecutionList } from './support/executionList';
import { type MemoryStore, useNewStore } from './support/memoryStore';
import {
	accountOf,
	arrivalsByPush,
	pause,
	push,
	roomySandbox,
	rowsOf,
	toldBy,
} from './support/sends';

/** A second, and more on a busy machine. The store would hold the run up until the test ends. */
const AT_ONCE_MS = 3_000;

let sandbox: Sandbox;
let store: MemoryStore;
let list: ExecutionList;
beforeEach(async () => {
	sandbox = await roomySandbox();
	store = useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

const order = () => ({
	parameters: { ...push({ concurrency: 2 }), sendOnce: true, sendOnceKey: 'spring sale' },
	rows: rowsOf(30),
	credential: accountOf(sandbox),
	onError: 'continueErrorOutput' as const,
});

/** From the given call on, the store does not answer until it is released. */
function hangFrom(method: 'add' | 'remove' | 'count', call: number) {
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	let noticed = () => {};
	const hangs = new Promise<void>((resolve) => (noticed = resolve));
	let calls = 0;
	const original = store[method].bind(store) as (...args: unknown[]) => Promise<unknown>;
	Object.assign(store, {
		[method]: async (...args: unknown[]) => {
			if (++calls >= call) {
				noticed();
				await released;
			}
			return await original(...args);
		},
	});
	return { hangs, release };
}

test.each([
	['count', 1],
	['add', 1],
	['add', 2],
	['add', 3],
	['remove', 1],
	['remove', 2],
] as const)('Stop ends a run that waits for the store: %s, call %d', async (method, call) => {
	const { hangs, release } = hangFrom(method, call);
	let stop = () => {};
	const run = list.start({ ...order(), started: (press) => (stop = press) });
	await hangs;
	await pause(300);
	stop();
	const stoppedMs = Date.now();
	await run;
	await untilNodeEnds();
	expect(Date.now() - stoppedMs).toBeLessThan(AT_ONCE_MS);
	const sent = sandbox.record.length;

	release();
	await pause(1_500);
	expect(sandbox.record).toHaveLength(sent);

	const next = toldBy(await list.start(order()));
	expect(next).toHaveLength(30);
	const times = [...arrivalsByPush(sandbox.record).values()].map((arrivals) => arrivals.length);
	expect(Math.max(...times)).toBe(1);
	const inDoubt = next.filter(({ outcome }) => outcome === 'unknown');
	expect(times.length + inDoubt.length).toBeGreaterThanOrEqual(30);
	expect(inDoubt.length).toBeLessThanOrEqual(10);
});
