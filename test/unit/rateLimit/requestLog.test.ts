import { RequestLog } from '../../../nodes/CustomerMessaging/rateLimit/requestLog';

function logOf(...atMs: number[]): RequestLog {
	const log = new RequestLog();
	for (const ms of atMs) log.add(ms);
	return log;
}

describe('The log of our own requests', () => {
	it('counts a request until it is a minute old', () => {
		const log = logOf(1_000, 2_000, 3_000);
		expect(log.count(3_000)).toBe(3);
		expect(log.count(60_999)).toBe(3);
		expect(log.count(61_000)).toBe(2);
		expect(log.count(62_999)).toBe(1);
		expect(log.count(63_000)).toBe(0);
	});

	it('tells when the oldest requests will be a minute old', () => {
		const log = logOf(1_000, 2_000, 3_000);
		expect(log.expiresAtMs(1, 3_000)).toBe(61_000);
		expect(log.expiresAtMs(2, 3_000)).toBe(62_000);
		expect(log.expiresAtMs(3, 3_000)).toBe(63_000);
	});

	it('takes fewer than one place for one, and more than there are for all', () => {
		const log = logOf(1_000, 2_000);
		expect(log.expiresAtMs(0, 2_000)).toBe(61_000);
		expect(log.expiresAtMs(99, 2_000)).toBe(62_000);
	});

	it('never expires while it is empty', () => {
		expect(logOf().expiresAtMs(1, 0)).toBe(Infinity);
		expect(logOf(1_000).expiresAtMs(1, 61_000)).toBe(Infinity);
		expect(logOf().count(0)).toBe(0);
	});

	it('forgets what was sent until a given time', () => {
		const log = logOf(1_000, 2_000, 3_000);
		log.forgetBefore(2_000);
		expect(log.count(3_000)).toBe(1);
		expect(log.expiresAtMs(1, 3_000)).toBe(63_000);
	});

	it('counts rightly while thousands of requests come and go', () => {
		const log = new RequestLog();
		for (let ms = 0; ms < 180_000; ms += 20) {
			log.add(ms);
			expect(log.count(ms)).toBe(Math.min(ms / 20 + 1, 3_000));
			expect(log.expiresAtMs(1, ms)).toBe(Math.max(0, ms - 59_980) + 60_000);
		}
	});
});
