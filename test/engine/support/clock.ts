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
		globalThis.setTimeout = Object.defineProperties(
			faster,
			Object.getOwnPropertyDescriptors(setTimeout),
		) as typeof setTimeout;
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
	beforeAll(() => {
		jest.useFakeTimers({
			now: new Date(iso),
			doNotFake: ['hrtime', 'performance', ...immediate, ...timers],
		});
	});
	beforeEach(() => at(iso));
	afterAll(() => {
		jest.useRealTimers();
	});
}

/** Sets the clock to a time, for tests whose clock is stopped. */
export const at = (time: string | number) => jest.setSystemTime(new Date(time));
export const passMinutes = (minutes: number) => at(Date.now() + minutes * 60_000);

/** Milliseconds to shift the service's clock by, so that its minute ends `ms` from now. */
export function skewToMinuteEnd(ms: number): number {
	return 60_000 - (Date.now() % 60_000) - ms;
}

export async function pause(ms: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, ms));
}
