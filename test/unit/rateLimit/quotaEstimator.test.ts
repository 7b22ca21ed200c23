import { QuotaEstimator } from '../../../nodes/CustomerMessaging/rateLimit/quotaEstimator';
import { ResetHeuristics } from '../../../nodes/CustomerMessaging/rateLimit/resetHeuristics';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/time';

/** Thirty seconds after a full minute. */
const START_MS = 1_000_000 * MINUTE_MS + 30_000;

/** One request whose response arrives 50 ms later. */
function exchange(estimator: QuotaEstimator, remaining: number | undefined, sentMs: number): void {
	const departure = estimator.depart(sentMs);
	estimator.counted(remaining, departure, sentMs + 50);
}

/** So many requests without a header that our own requests explain why nothing remains. */
function sendMany(estimator: QuotaEstimator, atMs: number): void {
	for (let sent = 0; sent < 200; sent++) exchange(estimator, undefined, atMs);
}

describe('The quota estimator', () => {
	it('follows the newest header for a minute, and then our own requests', () => {
		const estimator = new QuotaEstimator(500);
		expect(estimator.remaining(START_MS)).toBeNull();
		exchange(estimator, 100, START_MS - 50);
		expect(estimator.remaining(START_MS + 59_999)).toBe(100);
		expect(estimator.room(4, 10, START_MS + 59_999)).toBe(100 - 10 - 4);
		expect(estimator.remaining(START_MS + 60_000)).toBeNull();
		expect(estimator.room(4, 10, START_MS + 59_999 + 1)).toBe(500 - 10 - 4);
	});

	it('counts our own accepted requests of the last 60 s as used if there is no header', () => {
		const estimator = new QuotaEstimator(500);
		exchange(estimator, undefined, START_MS - 50);
		exchange(estimator, undefined, START_MS + 10_000 - 50);
		expect(estimator.room(0, 0, START_MS + 59_999)).toBe(498);
		expect(estimator.room(0, 0, START_MS + 60_000)).toBe(499);
	});

	it('ignores the header of a request that left before one whose header was seen', () => {
		const estimator = new QuotaEstimator(500);
		const earlier = estimator.depart(START_MS);
		exchange(estimator, 300, START_MS + 10);
		estimator.counted(0, earlier, START_MS + 100);
		expect(estimator.remaining(START_MS + 100)).toBe(300);
	});

	it('takes the lowest of the headers of requests that were under way together', () => {
		const estimator = new QuotaEstimator(500);
		const departures = [1, 2, 3].map(() => estimator.depart(START_MS));
		for (const [index, remaining] of [496, 495, 497].entries()) {
			const departure = departures[[1, 0, 2][index] ?? 0];
			if (departure === undefined) throw new Error('No departure');
			estimator.counted(remaining, departure, START_MS + 100 + index);
		}
		expect(estimator.remaining(START_MS + 200)).toBe(495);
	});

	it('takes a much higher header of such requests for a new window', () => {
		const estimator = new QuotaEstimator(500);
		const [earlier, later] = [estimator.depart(START_MS), estimator.depart(START_MS)];
		estimator.counted(3, earlier, START_MS + 100);
		estimator.counted(499, later, START_MS + 110);
		expect(estimator.remaining(START_MS + 200)).toBe(499);
	});

	it('takes a higher header that an overtaken response can explain for the present window', () => {
		const estimator = new QuotaEstimator(11);
		const departures = Array.from({ length: 11 }, () => estimator.depart(START_MS));
		const earlier = departures[7];
		const later = departures[10];
		if (!earlier || !later) throw new Error('Two of the eleven departures are missing');
		estimator.counted(0, later, START_MS + 100);
		estimator.counted(7, earlier, START_MS + 110);
		expect(estimator.remaining(START_MS + 200)).toBe(0);
	});

	it('leaves places for others, twice as many as they took', () => {
		const estimator = new QuotaEstimator(500);
		exchange(estimator, 400, START_MS);
		// Of every three requests that the service counts, one is ours.
		for (let index = 1; index <= 50; index++) exchange(estimator, 400 - 3 * index, START_MS);
		expect(estimator.remaining(START_MS)).toBe(250);
		expect(estimator.room(0, 0, START_MS)).toBe(50);
		expect(estimator.isUsedUp(START_MS)).toBe(false);
		// Two remain: so few that others will take them.
		exchange(estimator, 2, START_MS);
		expect(estimator.isUsedUp(START_MS)).toBe(true);
	});

	it('knows when its oldest request of the present window expires', () => {
		const heuristics = new ResetHeuristics();
		heuristics.wasWrong('fullMinute', START_MS);
		heuristics.wasWrong('refill', START_MS);
		const estimator = new QuotaEstimator(500, heuristics);
		sendMany(estimator, START_MS);
		exchange(estimator, 0, START_MS);
		expect(estimator.nextReset(START_MS)).toEqual({ atMs: START_MS + 60_050, heuristic: 'expiry' });
		// Once much more remains, requests from before no longer count.
		const openedMs = START_MS + 20_000;
		exchange(estimator, 499, openedMs);
		for (let left = 498; left >= 0; left--) exchange(estimator, left, openedMs + 2_000);
		expect(estimator.nextReset(openedMs)).toEqual({ atMs: openedMs + 60_050, heuristic: 'expiry' });
	});

	it('subtracts what was counted since a header, if later responses have none', () => {
		const estimator = new QuotaEstimator(500);
		exchange(estimator, 10, START_MS);
		for (let index = 0; index < 4; index++) exchange(estimator, undefined, START_MS);
		expect(estimator.remaining(START_MS)).toBe(6);
	});

	it('takes the larger of two stated limits once a header exceeds the smaller one', () => {
		const estimator = new QuotaEstimator(1_000);
		estimator.stateLimit(500);
		expect(estimator.limitPerMinute).toBe(500);
		exchange(estimator, 499, START_MS);
		expect(estimator.limitPerMinute).toBe(500);
		exchange(estimator, 800, START_MS);
		expect(estimator.limitPerMinute).toBe(1_000);
		// It remains confirmed for ten minutes, whichever credential is used next.
		estimator.stateLimit(500);
		exchange(estimator, 300, START_MS + 9 * MINUTE_MS);
		expect(estimator.limitPerMinute).toBe(1_000);
		exchange(estimator, 299, START_MS + 11 * MINUTE_MS);
		expect(estimator.limitPerMinute).toBe(500);
	});

	it('ignores a header that exceeds the limit', () => {
		const estimator = new QuotaEstimator(500);
		exchange(estimator, 99_999, START_MS);
		expect(estimator.remaining(START_MS)).toBeNull();
		expect(estimator.room(0, 0, START_MS)).toBe(499);
	});

	it('ignores a header that has risen eight times in a row', () => {
		const estimator = new QuotaEstimator(500);
		const sent = (index: number) => START_MS + 100 * index;
		for (let index = 0; index < 8; index++) exchange(estimator, 10 + index, sent(index));
		expect(estimator.remaining(sent(8))).toBe(17);
		exchange(estimator, 18, sent(8));
		expect(estimator.remaining(sent(9))).toBeNull();
	});

	it('ignores a header that has not changed with eight requests, until it changes', () => {
		const estimator = new QuotaEstimator(500);
		for (let index = 0; index < 8; index++) exchange(estimator, 7, START_MS);
		expect(estimator.remaining(START_MS)).toBe(7);
		exchange(estimator, 7, START_MS);
		expect(estimator.remaining(START_MS)).toBeNull();
		exchange(estimator, 6, START_MS);
		expect(estimator.remaining(START_MS)).toBe(6);
	});
});
