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
