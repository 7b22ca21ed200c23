import { ResetGuesses } from '../../../nodes/CustomerMessaging/rateLimit/resetGuesses';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/time';

/** Thirty seconds after a full minute. */
const START_MS = 1_000_000 * MINUTE_MS + 30_000;
const EXPIRES_MS = START_MS + 40_000;

describe('The guesses of when more requests will be possible', () => {
	it('are a refill after 15 s, the next full minute and the expiry of our oldest request, in this order', () => {
		const guesses = new ResetGuesses();
		const next = (sinceMs: number) => guesses.next(sinceMs, EXPIRES_MS, false, START_MS);
		expect(guesses.next(START_MS, EXPIRES_MS, true, START_MS)).toEqual({
			atMs: START_MS + 15_000,
			guess: 'refill',
		});
		expect(next(START_MS)).toEqual({ atMs: START_MS + 30_000, guess: 'fullMinute' });
		expect(next(START_MS + 30_000)).toEqual({ atMs: EXPIRES_MS, guess: 'expiry' });
		expect(next(EXPIRES_MS)).toEqual({ atMs: START_MS + 90_000, guess: 'fullMinute' });
	});

	it('use the clock of the service, as its Date headers show it', () => {
		const guesses = new ResetGuesses();
		// The header is cut to the second, so the largest difference is closest to the truth.
		for (const lateMs of [700, 0, 300]) guesses.setClock(START_MS + 20_000, START_MS + lateMs);
		expect(guesses.next(START_MS, EXPIRES_MS, false, START_MS)).toEqual({
			atMs: START_MS + 10_000,
			guess: 'fullMinute',
		});
	});

	it('are not repeated for ten minutes after they were wrong', () => {
		const guesses = new ResetGuesses();
		guesses.wasWrong('fullMinute', START_MS);
		guesses.wasWrong('refill', START_MS);
		const next = (nowMs: number) => guesses.next(nowMs, -Infinity, true, nowMs)?.guess;
		expect(next(START_MS + 10 * MINUTE_MS)).toBeUndefined();
		expect(next(START_MS + 10 * MINUTE_MS + 1)).toBe('refill');
	});
});
