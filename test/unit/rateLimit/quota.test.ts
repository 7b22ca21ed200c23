import { Quota } from '../../../nodes/CustomerMessaging/rateLimit/quota';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/time';

/** Thirty seconds after a full minute. */
const START_MS = 1_000_000 * MINUTE_MS + 30_000;

/** One request whose response arrives 50 ms later. */
function exchange(quota: Quota, remaining: number | undefined, sentMs: number): void {
	const departure = quota.depart(sentMs);
	quota.counted(remaining, departure, sentMs + 50);
}

describe('The quota', () => {
	it('follows the newest header for a minute, and then our own requests', () => {
		const quota = new Quota(500);
		expect(quota.remaining(START_MS)).toBeNull();
		exchange(quota, 100, START_MS - 50);
		expect(quota.remaining(START_MS + 59_999)).toBe(100);
		expect(quota.room(4, 10, START_MS + 59_999)).toBe(100 - 10 - 4);
		expect(quota.remaining(START_MS + 60_000)).toBeNull();
		expect(quota.room(4, 10, START_MS + 59_999 + 1)).toBe(500 - 10 - 4);
	});

	it('counts our own accepted requests of the last 60 s as used if there is no header', () => {
		const quota = new Quota(500);
		exchange(quota, undefined, START_MS - 50);
		exchange(quota, undefined, START_MS + 10_000 - 50);
		expect(quota.room(0, 0, START_MS + 59_999)).toBe(498);
		expect(quota.room(0, 0, START_MS + 60_000)).toBe(499);
	});

	it('ignores the header of a request that left before one whose header was seen', () => {
		const quota = new Quota(500);
		const earlier = quota.depart(START_MS);
		exchange(quota, 300, START_MS + 10);
		quota.counted(0, earlier, START_MS + 100);
		expect(quota.remaining(START_MS + 100)).toBe(300);
	});

	it('takes the lowest of the headers of requests that were under way together', () => {
		const quota = new Quota(500);
		const departures = [1, 2, 3].map(() => quota.depart(START_MS));
		for (const [index, remaining] of [496, 495, 497].entries()) {
			const departure = departures[[1, 0, 2][index] ?? 0];
			if (departure === undefined) throw new Error('No departure');
			quota.counted(remaining, departure, START_MS + 100 + index);
		}
		expect(quota.remaining(START_MS + 200)).toBe(495);
	});

	it('takes a header that is higher by half of the limit for a new minute', () => {
		const quota = new Quota(500);
		const [earlier, later] = [quota.depart(START_MS), quota.depart(START_MS)];
		quota.counted(3, earlier, START_MS + 100);
		quota.counted(499, later, START_MS + 110);
		expect(quota.remaining(START_MS + 200)).toBe(499);
	});

	it('ignores the header of the minute before, when it arrives after one of the new minute', () => {
		const quota = new Quota(500);
		const [earlier, later] = [quota.depart(START_MS), quota.depart(START_MS)];
		quota.counted(499, later, START_MS + 100);
		quota.counted(3, earlier, START_MS + 110);
		expect(quota.remaining(START_MS + 200)).toBe(499);
	});

	it('leaves places for others, twice as many as they took', () => {
		const quota = new Quota(500);
		exchange(quota, 400, START_MS);
		// Of every three requests that the service counts, one is ours.
		for (let index = 1; index <= 50; index++) exchange(quota, 400 - 3 * index, START_MS);
		expect(quota.remaining(START_MS)).toBe(250);
		expect(quota.room(0, 0, START_MS)).toBe(50);
		expect(quota.isUsedUp(START_MS)).toBe(false);
		// Two remain: so few that others will take them.
		exchange(quota, 2, START_MS);
		expect(quota.isUsedUp(START_MS)).toBe(true);
	});

	it('forgets our requests from before a new minute of the service', () => {
		const quota = new Quota(500);
		for (let left = 2; left >= 0; left--) exchange(quota, left, START_MS);
		expect(quota.expiresAtMs(1, START_MS + 100)).toBe(START_MS + 60_050);
		exchange(quota, 250, START_MS + 20_000);
		expect(quota.ownRequests(START_MS + 20_050)).toBe(1);
		expect(quota.expiresAtMs(1, START_MS + 20_050)).toBe(START_MS + 80_050);
	});

	it('keeps our requests if the header rises by less than half of the limit', () => {
		const quota = new Quota(500);
		exchange(quota, 0, START_MS);
		exchange(quota, 249, START_MS + 20_000);
		expect(quota.ownRequests(START_MS + 20_050)).toBe(2);
	});

	it('subtracts what was counted since a header, if later responses have none', () => {
		const quota = new Quota(500);
		exchange(quota, 10, START_MS);
		for (let index = 0; index < 4; index++) exchange(quota, undefined, START_MS);
		expect(quota.remaining(START_MS)).toBe(6);
	});

	it('believes headers up to the largest limit stated, and otherwise follows the latest one', () => {
		const quota = new Quota(1_000);
		quota.stateLimit(500);
		expect(quota.room(0, 0, START_MS)).toBe(500);
		exchange(quota, 1_000, START_MS);
		expect(quota.remaining(START_MS + 50)).toBe(1_000);
		exchange(quota, 1_001, START_MS);
		expect(quota.remaining(START_MS + 50)).toBeNull();
		expect(quota.room(0, 0, START_MS + 50)).toBe(498);
	});

	it('ignores a header that exceeds the limit', () => {
		const quota = new Quota(500);
		exchange(quota, 99_999, START_MS);
		expect(quota.remaining(START_MS)).toBeNull();
		expect(quota.room(0, 0, START_MS)).toBe(499);
	});

	it('ignores a header that has risen eight times in a row', () => {
		const quota = new Quota(500);
		const sent = (index: number) => START_MS + 100 * index;
		for (let index = 0; index < 8; index++) exchange(quota, 10 + index, sent(index));
		expect(quota.remaining(sent(8))).toBe(17);
		exchange(quota, 18, sent(8));
		expect(quota.remaining(sent(9))).toBeNull();
	});

	it('ignores a header that has not changed with eight requests, until it changes', () => {
		const quota = new Quota(500);
		for (let index = 0; index < 8; index++) exchange(quota, 7, START_MS);
		expect(quota.remaining(START_MS)).toBe(7);
		exchange(quota, 7, START_MS);
		expect(quota.remaining(START_MS)).toBeNull();
		exchange(quota, 6, START_MS);
		expect(quota.remaining(START_MS)).toBe(6);
	});

	it('is used up only if a header says so', () => {
		const quota = new Quota(1);
		exchange(quota, undefined, START_MS);
		expect(quota.room(0, 0, START_MS + 50)).toBe(0);
		expect(quota.isUsedUp(START_MS + 50)).toBe(false);
		exchange(quota, 1, START_MS);
		expect(quota.isUsedUp(START_MS + 50)).toBe(false);
		exchange(quota, 0, START_MS);
		expect(quota.isUsedUp(START_MS + 50)).toBe(true);
	});

	it('subtracts nothing for a request sent before the one whose header it knows', () => {
		const quota = new Quota(500);
		const earlier = quota.depart(START_MS);
		exchange(quota, 300, START_MS);
		quota.counted(undefined, earlier, START_MS);
		expect(quota.remaining(START_MS)).toBe(300);
	});

	it('ignores the refusal of a request sent before the one whose header it knows', () => {
		const quota = new Quota(500);
		const earlier = quota.depart(START_MS);
		exchange(quota, 300, START_MS);
		quota.refused(earlier, START_MS);
		expect(quota.remaining(START_MS)).toBe(300);
		quota.refused(quota.depart(START_MS), START_MS);
		expect(quota.remaining(START_MS)).toBe(0);
	});

	it('counts a request until it is a minute old', () => {
		const quota = new Quota(500);
		for (const ms of [1_000, 2_000, 3_000]) quota.counted(undefined, quota.depart(ms), ms);
		const counts = [3_000, 60_999, 61_000, 62_999, 63_000].map((ms) => quota.ownRequests(ms));
		expect(counts).toEqual([3, 3, 2, 1, 0]);
	});

	it('tells when our oldest requests are a minute old, or all if there are fewer', () => {
		const quota = new Quota(500);
		expect(quota.expiresAtMs(1, 0)).toBe(Infinity);
		for (const ms of [1_000, 2_000, 3_000]) quota.counted(undefined, quota.depart(ms), ms);
		const expiriesMs = [1, 2, 3, 99].map((requests) => quota.expiresAtMs(requests, 3_000));
		expect(expiriesMs).toEqual([61_000, 62_000, 63_000, 63_000]);
		expect(quota.expiresAtMs(1, 63_000)).toBe(Infinity);
	});
});
