/**
 * Lets the time of this process pass faster for the tests of a file: timers, and the clock that measures how long
 * something takes. The time of day stays as it is.
 */
export function useFastClock(factor: number): void {
	const { setTimeout } = globalThis;
	const now = performance.now.bind(performance);
	beforeEach(() => {
		const beganMs = now();
		performance.now = () => beganMs + (now() - beganMs) * factor;
		const faster = (callback: () => void, ms = 0, ...rest: []) =>
			setTimeout(callback, ms / factor, ...rest);
		globalThis.setTimeout = Object.assign(faster, setTimeout);
	});
	afterEach(() => {
		globalThis.setTimeout = setTimeout;
		performance.now = now;
	});
}

/**
 * Stops the clock for the tests of a file, so that the present is known to the second. Timers run
 * on, because real HTTP needs them.
 */
export function freezeClock(iso: string): void {
	const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;
	const immediate = ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
	const doNotFake = ['hrtime', 'performance', ...immediate, ...timers] as const;
	beforeAll(() => void jest.useFakeTimers({ doNotFake: [...doNotFake] }));
	beforeEach(() => at(iso));
	afterAll(() => void jest.useRealTimers());
}

/** Sets the clock to a time, for tests whose clock is stopped. */
export const at = (time: string | number) => jest.setSystemTime(new Date(time));
export const passMinutes = (minutes: number) => at(Date.now() + minutes * 60_000);

/** Milliseconds to shift the service's clock by, so that its minute ends `ms` from now. */
export const skewToMinuteEnd = (ms: number) => 60_000 - (Date.now() % 60_000) - ms;

export const pause = async (ms: number) =>
	await new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Processor time of this process, which other programs on a busy machine do not change. */
export function usedMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1_000;
}
