import { inSlices, SLICE_MS } from '../../../nodes/CustomerMessaging/shared/slices';

/** A clock that only the work moves, and that notes when it was asked to sleep. */
function workClock() {
	let nowMs = 0;
	const pausesMs: number[] = [];
	return {
		pausesMs,
		work: (ms: number) => (nowMs += ms),
		now: () => nowMs,
		sleep: async () => void pausesMs.push(nowMs),
	};
}

test('A long loop lets n8n do other work whenever a slice is over.', async () => {
	const clock = workClock();
	const seen: number[] = [];
	const isComplete = await inSlices([...Array(1_000).keys()], { clock }, (entry, index) => {
		expect(index).toBe(entry);
		seen.push(entry);
		clock.work(1);
	});

	expect(isComplete).toBe(true);
	expect(seen).toEqual([...Array(1_000).keys()]);
	expect(clock.pausesMs).toEqual(
		Array.from({ length: Math.ceil(1_000 / SLICE_MS) - 1 }, (_, slice) => (slice + 1) * SLICE_MS),
	);
	expect(SLICE_MS).toBeLessThanOrEqual(50);
});

test('A loop that is over within one slice does not pause.', async () => {
	const clock = workClock();
	expect(await inSlices([1, 2, 3], { clock }, () => clock.work(1))).toBe(true);
	expect(clock.pausesMs).toEqual([]);
});

test('Stop ends a loop after the slice in which it was pressed.', async () => {
	const clock = workClock();
	let steps = 0;
	const isComplete = await inSlices(
		[...Array(1_000).keys()],
		{ clock, cancelled: () => clock.now() > 100 },
		() => {
			steps++;
			clock.work(1);
		},
	);
	expect(isComplete).toBe(false);
	expect(steps).toBe(Math.ceil(101 / SLICE_MS) * SLICE_MS);
});

test('A stopped execution does not begin a loop.', async () => {
	const step = jest.fn();
	expect(await inSlices([1], { clock: workClock(), cancelled: () => true }, step)).toBe(false);
	expect(step).not.toHaveBeenCalled();
});
