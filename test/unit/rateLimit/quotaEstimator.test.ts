import { QuotaEstimator } from '../../../nodes/CustomerMessaging/rateLimit/quotaEstimator';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/time';

const FULL_MINUTE_MS = 1_000_000 * MINUTE_MS;
/** Thirty seconds after a full minute. */
const START_MS = FULL_MINUTE_MS + 30_000;

/** One request whose response arrives 50 ms later. */
function exchange(estimator: QuotaEstimator, remaining: number | undefined, sentMs: number): void {
	const departure = estimator.depart(sentMs);
	estimator.end();
	estimator.accepted(remaining, departure, sentMs + 50);
}

/** Requests without a header, so many that our own requests explain why nothing remains. */
function sendMany(estimator: QuotaEstimator, atMs: number): void {
	for (let sent = 0; sent < 200; sent++) exchange(estimator, undefined, atMs);
}

describe('The quota estimator', () => {
	it('goes by what the newest header says for a minute, and then by our own requests', () => {
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
		estimator.accepted(0, earlier, START_MS + 100);
		expect(estimator.remaining(START_MS + 100)).toBe(300);
	});

	it('takes the lowest of the headers of requests that were under way together', () => {
		const estimator = new QuotaEstimator(500);
		const departures = [1, 2, 3].map(() => estimator.depart(START_MS));
		for (const [index, remaining] of [496, 495, 497].entries()) {
			const departure = departures[[1, 0, 2][index] ?? 0];
			if (departure === undefined) throw new Error('No departure');
			estimator.end();
			estimator.accepted(remaining, departure, START_MS + 100 + index);
		}
		expect(estimator.remaining(START_MS + 200)).toBe(495);
	});

	it('takes a much higher header of such requests for a new window', () => {
		const estimator = new QuotaEstimator(500);
		const [earlier, later] = [estimator.depart(START_MS), estimator.depart(START_MS)];
		estimator.accepted(3, earlier, START_MS + 100);
		estimator.accepted(499, later, START_MS + 110);
		expect(estimator.remaining(START_MS + 200)).toBe(499);
	});

	it('makes room for the share that other clients take', () => {
		const estimator = new QuotaEstimator(500);
		exchange(estimator, 400, START_MS);
		// Of every three requests that the service counts, one is ours.
		for (let index = 1; index <= 50; index++) exchange(estimator, 400 - 3 * index, START_MS);
		expect(estimator.remaining(START_MS)).toBe(250);
		expect(estimator.room(0, 0, START_MS)).toBe(83);
		// Two remain beside the reserve: too few for one of ours by that share, but nothing is in flight.
		expect(estimator.room(0, 248, START_MS)).toBe(1);
		expect(estimator.room(1, 248, START_MS)).toBe(-1);
	});

	it('expects the next full minute or the expiry of our oldest request, whichever is first', () => {
		const estimator = new QuotaEstimator(500);
		sendMany(estimator, START_MS);
		exchange(estimator, 0, START_MS + 5_000);
		expect(estimator.nextLook(START_MS + 5_050)).toEqual({
			atMs: FULL_MINUTE_MS + MINUTE_MS,
			heuristic: 'clockMinute',
		});
		expect(estimator.nextReset(FULL_MINUTE_MS + MINUTE_MS)).toEqual({
			atMs: START_MS + 50 + MINUTE_MS,
			heuristic: 'ownRequests',
		});
	});

	it('does not expect a second time what a refused probe has shown to be wrong', () => {
		const estimator = new QuotaEstimator(500);
		sendMany(estimator, START_MS);
		sendMany(estimator, START_MS + 1_000);
		exchange(estimator, 0, START_MS + 2_000);
		const probeMs = START_MS + 50 + MINUTE_MS;
		estimator.refused(estimator.depart(probeMs), probeMs + 50);
		// The requests of one second later do expire then, but they do not bring a new window either.
		expect(estimator.nextReset(probeMs + 50)).toEqual({
			atMs: FULL_MINUTE_MS + 2 * MINUTE_MS,
			heuristic: 'clockMinute',
		});
	});

	it('reads the clock of the service from Date headers', () => {
		const estimator = new QuotaEstimator(500);
		// The header is cut to the second, so the largest difference is closest to the truth.
		for (const lateMs of [700, 0, 300]) estimator.setClock(START_MS + 20_000, START_MS + lateMs);
		expect(estimator.nextReset(START_MS)).toEqual({
			atMs: START_MS + 10_000,
			heuristic: 'clockMinute',
		});
	});

	it('forgets requests of an earlier window once much more remains', () => {
		const estimator = new QuotaEstimator(500);
		sendMany(estimator, START_MS);
		exchange(estimator, 0, START_MS);
		const openedMs = START_MS + 20_000;
		exchange(estimator, 499, openedMs);
		sendMany(estimator, openedMs + 1_000);
		exchange(estimator, 0, openedMs + 2_000);
		expect(estimator.nextReset(FULL_MINUTE_MS + MINUTE_MS)).toEqual({
			atMs: openedMs + 50 + MINUTE_MS,
			heuristic: 'ownRequests',
		});
	});

	it('looks again after a second if we have sent too little to use the limit up', () => {
		const estimator = new QuotaEstimator(500);
		exchange(estimator, 0, START_MS - 50);
		expect(estimator.nextLook(START_MS)).toEqual({
			atMs: START_MS + 1_000,
			heuristic: 'shortWait',
		});
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
