import { useAttempts } from '../support/attempts';
import { untilNodeEnds } from '../support/engine';
import { accountOf, arrivalsByPush, pause, push, rowsOf, toldBy } from '../support/sends';

/** A second, and more on a busy machine. The store would hold the run up until the test ends. */
const AT_ONCE_MS = 3_000;

const use = useAttempts();

const order = () => ({
	parameters: { ...push({ concurrency: 2 }), sendOnce: true, sendOnceKey: 'spring sale' },
	rows: rowsOf(30),
	credential: accountOf(use().sandbox),
	onError: 'continueErrorOutput' as const,
});

test.each([
	['count', 1],
	['add', 1],
	['add', 2],
	['add', 3],
	['remove', 1],
	['remove', 2],
] as const)('Stop ends a run that waits for the store: %s, call %d', async (method, call) => {
	const { hangs, release } = use().store.hangFrom(method, call);
	let stop = () => {};
	const run = use().list.start({ ...order(), started: (press) => (stop = press) });
	await hangs;
	await pause(300);
	stop();
	const stoppedMs = Date.now();
	await run;
	await untilNodeEnds();
	expect(Date.now() - stoppedMs).toBeLessThan(AT_ONCE_MS);
	const sent = use().sandbox.record.length;

	release();
	await pause(1_500);
	expect(use().sandbox.record).toHaveLength(sent);

	const next = toldBy(await use().list.start(order()));
	expect(next).toHaveLength(30);
	const times = [...arrivalsByPush(use().sandbox.record).values()].map(
		(arrivals) => arrivals.length,
	);
	expect(Math.max(...times)).toBe(1);
	const inDoubt = next.filter(({ outcome }) => outcome === 'unknown');
	expect(times.length + inDoubt.length).toBeGreaterThanOrEqual(30);
	expect(inDoubt.length).toBeLessThanOrEqual(10);
});
