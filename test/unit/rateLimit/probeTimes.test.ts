import { ProbeTimes } from '../../../nodes/CustomerMessaging/rateLimit/probeTimes';
import { Quota } from '../../../nodes/CustomerMessaging/rateLimit/quota';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/time';

/** Thirty seconds after a full minute. */
const START_MS = 1_000_000 * MINUTE_MS + 30_000;
const FULL_MINUTE_MS = START_MS + 30_000;

/** A limit of 20 of which so many requests of ours were counted, the first at `START_MS`. */
function quotaAfter(requests: number, atMs = START_MS): Quota {
	const quota = new Quota(20);
	for (let sent = 0; sent < requests; sent++) {
		quota.counted(undefined, quota.depart(atMs), atMs + sent);
	}
	return quota;
}

describe('The next probe', () => {
	it('is sent at the next full minute or when our oldest request is a minute old, whichever comes first', () => {
		const times = new ProbeTimes();
		expect(times.next(quotaAfter(2), 0, START_MS)).toEqual({
			untilMs: FULL_MINUTE_MS,
			cause: 'fullMinute',
		});
		const earlier = START_MS - 31_000;
		expect(times.next(quotaAfter(2, earlier), 0, START_MS)).toEqual({
			untilMs: earlier + MINUTE_MS,
			cause: 'expiry',
		});
	});

	it('is sent a second later if our requests are less than a tenth of the limit, until one was refused', () => {
		const times = new ProbeTimes();
		expect(times.next(quotaAfter(1), 0, START_MS)).toEqual({
			untilMs: START_MS + 1_000,
			cause: 'backOff',
		});
		expect(times.next(quotaAfter(1), 1, START_MS)).toMatchObject({ cause: 'fullMinute' });
	});

	it('waits 2, 4, 8 and at most 15 s after refusals if no full minute and no expiry is further away', () => {
		const times = new ProbeTimes();
		times.wasWrong('fullMinute', START_MS);
		const waitsMs = [1, 2, 3, 4, 5].map(
			(refusals) => times.next(quotaAfter(0), refusals, START_MS).untilMs - START_MS,
		);
		expect(waitsMs).toEqual([2_000, 4_000, 8_000, 15_000, 15_000]);
		const nearly = quotaAfter(2, START_MS - 58_500);
		expect(times.next(nearly, 1, START_MS)).toEqual({
			untilMs: START_MS + 2_000,
			cause: 'backOff',
		});
		expect(times.next(nearly, 0, START_MS)).toEqual({
			untilMs: START_MS + 1_500,
			cause: 'expiry',
		});
	});

	it('backs off if there is neither a full minute nor a request of ours', () => {
		const times = new ProbeTimes();
		times.wasWrong('fullMinute', START_MS);
		const quota = new Quota(0);
		expect(times.next(quota, 0, START_MS)).toEqual({
			untilMs: START_MS + 1_000,
			cause: 'backOff',
		});
	});
});

describe('A full minute', () => {
	it('is not tried again for ten minutes after a probe was refused then', () => {
		const times = new ProbeTimes();
		times.wasWrong('expiry', START_MS);
		expect(times.fullMinuteAtMs(START_MS)).toBe(FULL_MINUTE_MS);
		times.wasWrong('fullMinute', START_MS);
		expect(times.fullMinuteAtMs(START_MS)).toBe(Infinity);
		const laterMs = START_MS + 10 * MINUTE_MS;
		expect(times.fullMinuteAtMs(laterMs)).toBe(Infinity);
		expect(times.fullMinuteAtMs(laterMs + 1)).toBe(FULL_MINUTE_MS + 10 * MINUTE_MS);
	});

	it("follows the service's clock, of which the largest difference is closest to the truth", () => {
		const times = new ProbeTimes();
		for (const lateMs of [700, 0, 300]) times.setClock(START_MS + 20_000, START_MS + lateMs);
		expect(times.fullMinuteAtMs(START_MS)).toBe(START_MS + 10_000);
	});

	it("follows the service's clock if it is behind ours, and reads it anew after ten minutes", () => {
		const times = new ProbeTimes();
		times.setClock(START_MS - 5_000, START_MS);
		expect(times.fullMinuteAtMs(START_MS)).toBe(START_MS + 35_000);
		const laterMs = START_MS + 10 * MINUTE_MS;
		times.setClock(laterMs - 8_000, laterMs);
		expect(times.fullMinuteAtMs(laterMs)).toBe(laterMs + 35_000);
		times.setClock(laterMs - 8_000 + 1, laterMs + 1);
		expect(times.fullMinuteAtMs(laterMs)).toBe(laterMs + 38_000);
	});
});
