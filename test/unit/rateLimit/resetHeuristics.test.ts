import { ResetHeuristics } from '../../../nodes/CustomerMessaging/rateLimit/resetHeuristics';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/time';

/** Thirty seconds after a full minute. */
const START_MS = 1_000_000 * MINUTE_MS + 30_000;
const EXPIRES_MS = START_MS + 40_000;

describe('The heuristics for when more requests will be possible', () => {
	it('are a refill after 15 s, the next full minute and the expiry of our oldest request, in this order', () => {
		const heuristics = new ResetHeuristics();
		const next = (sinceMs: number) => heuristics.next(sinceMs, EXPIRES_MS, false, START_MS);
		expect(heuristics.next(START_MS, EXPIRES_MS, true, START_MS)).toEqual({
			atMs: START_MS + 15_000,
			heuristic: 'refill',
		});
		expect(next(START_MS)).toEqual({ atMs: START_MS + 30_000, heuristic: 'fullMinute' });
		expect(next(START_MS + 30_000)).toEqual({ atMs: EXPIRES_MS, heuristic: 'expiry' });
		expect(next(EXPIRES_MS)).toEqual({ atMs: START_MS + 90_000, heuristic: 'fullMinute' });
	});

	it('use the clock of the service, as its Date headers show it', () => {
		const heuristics = new ResetHeuristics();
		// The header is cut to the second, so the largest difference is closest to the truth.
		for (const lateMs of [700, 0, 300]) heuristics.setClock(START_MS + 20_000, START_MS + lateMs);
		expect(heuristics.next(START_MS, EXPIRES_MS, false, START_MS)).toEqual({
			atMs: START_MS + 10_000,
			heuristic: 'fullMinute',
		});
	});

	it('are not repeated for ten minutes after they were wrong', () => {
		const heuristics = new ResetHeuristics();
		heuristics.wasWrong('fullMinute', START_MS);
		heuristics.wasWrong('refill', START_MS);
		const next = (nowMs: number) => heuristics.next(nowMs, -Infinity, true, nowMs)?.heuristic;
		expect(next(START_MS + 10 * MINUTE_MS)).toBeUndefined();
		expect(next(START_MS + 10 * MINUTE_MS + 1)).toBe('refill');
	});
});
