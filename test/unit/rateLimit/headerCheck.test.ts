import { HeaderCheck } from '../../../nodes/CustomerMessaging/rateLimit/headerCheck';

const LIMIT = 100;

/** Whether each header of requests that leave one after another is credible. */
function credibleOf(check: HeaderCheck, headers: readonly number[], firstSeq = 1): boolean[] {
	return headers.map((header, index) => {
		const seq = firstSeq + index;
		return check.isCredible(header, LIMIT, seq, seq, seq);
	});
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('A header that says what remains', () => {
	it('is credible while it falls with each request', () => {
		const headers = times(LIMIT, 0).map((_, index) => LIMIT - index - 1);
		expect(credibleOf(new HeaderCheck(), headers)).toEqual(times(LIMIT, true));
	});

	it('may be as large as the limit, and no larger', () => {
		expect(credibleOf(new HeaderCheck(), [LIMIT])).toEqual([true]);
		expect(credibleOf(new HeaderCheck(), [LIMIT + 1])).toEqual([false]);
	});

	it('is ignored once it has stayed the same for eight requests', () => {
		expect(credibleOf(new HeaderCheck(), times(10, 50))).toEqual([
			...times(8, true),
			...times(2, false),
		]);
	});

	it('is ignored until it changes, even when our requests are long past', () => {
		const check = new HeaderCheck();
		credibleOf(check, times(9, 50));
		expect(check.isCredible(50, LIMIT, 1, 10, 10)).toBe(false);
		expect(check.isCredible(49, LIMIT, 2, 11, 11)).toBe(true);
		expect(check.isCredible(49, LIMIT, 9, 12, 12)).toBe(true);
		expect(check.isCredible(49, LIMIT, 10, 13, 13)).toBe(false);
	});

	it('is ignored once it has grown with eight requests, until it falls', () => {
		const rising = times(10, 0).map((_, index) => index + 1);
		const check = new HeaderCheck();
		expect(credibleOf(check, rising)).toEqual([...times(8, true), ...times(2, false)]);
		expect(credibleOf(check, [9, 10], 11)).toEqual([true, true]);
	});

	it('does not grow if it only stays the same', () => {
		const check = new HeaderCheck();
		const headers = [1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16];
		expect(credibleOf(check, headers)).toEqual([...times(16, true), false]);
	});

	it('grows only if its request left after the compared response had come', () => {
		const check = new HeaderCheck();
		const rising = times(20, 0).map((_, index) => index + 1);
		// All of them had left before the first response came.
		const credible = rising.map((header) => check.isCredible(header, LIMIT, header, header, 20));
		expect(credible).toEqual(times(20, true));
	});

	it('is credible again after a refusal', () => {
		const unchanged = new HeaderCheck();
		credibleOf(unchanged, times(9, 50));
		unchanged.refused();
		expect(unchanged.isCredible(50, LIMIT, 10, 10, 10)).toBe(true);

		const grown = new HeaderCheck();
		credibleOf(
			grown,
			times(9, 0).map((_, index) => index + 1),
		);
		grown.refused();
		expect(grown.isCredible(10, LIMIT, 10, 10, 10)).toBe(true);
	});
});
