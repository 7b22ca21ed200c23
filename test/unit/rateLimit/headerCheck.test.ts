import { HeaderCheck } from '../../../nodes/CustomerMessaging/rateLimit/headerCheck';

const LIMIT = 100;

/** Whether each header is credible, of requests that are sent one after another. */
function checkAll(check: HeaderCheck, headers: readonly number[], firstSeq = 1): boolean[] {
	return headers.map((header, index) => {
		const seq = firstSeq + index;
		return check.isCredible(header, LIMIT, seq, seq, seq);
	});
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('A header that says what remains', () => {
	it('is credible while it falls with each request', () => {
		const headers = times(LIMIT, 0).map((_, index) => LIMIT - index - 1);
		expect(checkAll(new HeaderCheck(), headers)).toEqual(times(LIMIT, true));
	});

	it('may be as large as the limit, and no larger', () => {
		expect(checkAll(new HeaderCheck(), [LIMIT])).toEqual([true]);
		expect(checkAll(new HeaderCheck(), [LIMIT + 1])).toEqual([false]);
	});

	it('is ignored once it has stayed the same for eight requests', () => {
		expect(checkAll(new HeaderCheck(), times(10, 50))).toEqual([
			...times(8, true),
			...times(2, false),
		]);
	});

	it('is ignored until it changes, even when our requests are more than a minute old', () => {
		const check = new HeaderCheck();
		checkAll(check, times(9, 50));
		expect(check.isCredible(50, LIMIT, 1, 10, 10)).toBe(false);
		expect(check.isCredible(49, LIMIT, 2, 11, 11)).toBe(true);
		expect(check.isCredible(49, LIMIT, 9, 12, 12)).toBe(true);
		expect(check.isCredible(49, LIMIT, 10, 13, 13)).toBe(false);
	});

	it('is ignored once it has grown with eight requests, until it falls', () => {
		const rising = times(10, 0).map((_, index) => index + 1);
		const check = new HeaderCheck();
		expect(checkAll(check, rising)).toEqual([...times(8, true), ...times(2, false)]);
		expect(checkAll(check, [9, 10], 11)).toEqual([true, true]);
	});

	it('does not grow if it only stays the same', () => {
		const check = new HeaderCheck();
		const headers = [1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16];
		expect(checkAll(check, headers)).toEqual([...times(16, true), false]);
	});

	it('grows only if its request was sent after the baseline arrived', () => {
		const check = new HeaderCheck();
		const rising = times(20, 0).map((_, index) => index + 1);
		// All of them were sent before the first response arrived.
		const credible = rising.map((header) => check.isCredible(header, LIMIT, header, header, 20));
		expect(credible).toEqual(times(20, true));
	});
});
