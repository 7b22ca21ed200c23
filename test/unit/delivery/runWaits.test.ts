import { Wait } from '../../../nodes/CustomerMessaging/delivery/runWaits';

function waitOf() {
	const announced: Array<{ untilMs: number; waitedMs: number }> = [];
	return { wait: new Wait((one) => announced.push(one)), announced };
}

describe('The time that a run waits for the rate limit', () => {
	it('counts from the first wait to its end, and adds up', () => {
		const { wait } = waitOf();
		expect(wait.totalMs(5_000)).toBe(0);
		wait.continueUntil(11_000, 10_000);
		wait.continueUntil(12_000, 11_000);
		expect(wait.totalMs(11_500)).toBe(1_500);
		wait.end(12_000);
		expect(wait.totalMs(20_000)).toBe(2_000);
		wait.continueUntil(21_000, 20_000);
		wait.end(20_300);
		expect(wait.totalMs(99_000)).toBe(2_300);
	});

	it('does not grow if it ends without having begun', () => {
		const { wait } = waitOf();
		wait.end(10_000);
		expect(wait.totalMs(20_000)).toBe(0);
	});

	it('is announced once if a second or more remains', () => {
		const { wait, announced } = waitOf();
		wait.continueUntil(10_999, 10_000);
		expect(announced).toEqual([]);
		wait.continueUntil(11_200, 10_200);
		wait.continueUntil(60_000, 10_300);
		expect(announced).toEqual([{ untilMs: 11_200, waitedMs: 200 }]);
	});

	it('is announced again after it ended', () => {
		const { wait, announced } = waitOf();
		wait.continueUntil(15_000, 10_000);
		wait.end(15_000);
		wait.continueUntil(30_000, 20_000);
		expect(announced).toEqual([
			{ untilMs: 15_000, waitedMs: 0 },
			{ untilMs: 30_000, waitedMs: 5_000 },
		]);
	});
});
