import { Window } from '../../../nodes/CustomerMessaging/sending/window';

const MINUTE_MS = 60_000;
const fullMinute = 1_000_000 * MINUTE_MS;

/** A window of which 475 of 500 were used half a minute after a full minute, and which began anew by `seenAgainMs`. */
function windowThatRose(seenAgainMs: number): Window {
	const window = new Window(500);
	const look = (seq: number, remaining: number, atMs: number) => {
		window.count(atMs);
		window.see(remaining, window.depart(seq, atMs - 50), atMs);
	};
	look(1, 499, fullMinute + 30_000);
	look(2, 25, fullMinute + 31_000);
	look(3, 499, seenAgainMs);
	return window;
}

describe('what a window that began anew says of the clock', () => {
	it.each([
		['at a full minute, it is the clock', 61_000, 'clock'],
		['seen late by a busy process, it may be the clock', 70_000, 'clock'],
		['with no full minute in between, it is not', 45_000, 'log'],
	])('%s', (_, seenAgainMs, guess) => {
		const window = windowThatRose(fullMinute + seenAgainMs);
		window.wasWrong('refill');
		expect(window.opening(fullMinute + seenAgainMs).guess).toBe(guess);
	});
});
