import { CircuitBreaker } from '../../../nodes/CustomerMessaging/outage/circuitBreaker';
import type { Reply } from '../../../nodes/CustomerMessaging/shared/reply';
import { VirtualClock } from '../../../simulation/virtualClock';
import {
	answer,
	failure,
	outcomes,
	run,
	type Setting,
	START_MS,
	stopAt,
} from './support/dispatchRun';

const rows = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A service that answers each message and each question by its time since the start. */
function serviceOf(replyAt: (ms: number) => Reply, questionAt = replyAt) {
	const clock = new VirtualClock(START_MS);
	const asked: number[] = [];
	const setting = {
		clock,
		answers: () => replyAt(clock.now() - START_MS),
		ask: async () => {
			asked.push(clock.now() - START_MS);
			await clock.sleep(100);
			const reply = questionAt(clock.now() - START_MS);
			return { reply, feedback: { kind: 'unanswered' as const } };
		},
	} satisfies Setting<number>;
	return { clock, asked, setting };
}

describe('While the service fails, the dispatcher', () => {
	it('stops after four failures in a row, asks after 1, 2, 4 … s, and starts slowly when it is back', async () => {
		const { asked, setting } = serviceOf((ms) => answer(ms >= 5_000 && ms < 25_000 ? 503 : 200));
		const { sent, ended, result } = await run(rows(600), { ...setting, concurrency: 10 });
		expect(ended.filter(({ outcome }) => outcome.outcome === 'accepted')).toHaveLength(590);
		expect(ended.filter(({ outcome }) => outcome.outcome === 'unknown')).toHaveLength(10);
		// Opened at 5.0 s. Each delay counts from the question before it.
		expect(asked).toEqual([6_000, 8_000, 12_000, 20_000, 36_000]);
		const after = sent.filter(({ atMs }) => atMs > 6_000).map(({ atMs }) => atMs);
		expect(after.slice(0, 7)).toEqual([36_100, 36_200, 36_200, 36_300, 36_300, 36_300, 36_300]);
		expect(result).toMatchObject({ requests: 605, pausedMs: 31_100 });
		expect(result?.endedBecause).toBeUndefined();
	});

	it('waits as long as Retry-After says, up to five minutes', async () => {
		const unavailable = (retryAfterMs: number): Reply => ({
			kind: 'answer',
			statusCode: 503,
			body: null,
			retryAfterMs,
		});
		for (const [retryAfterMs, waitMs] of [
			[40_000, 40_000],
			[3_600_000, 300_000],
		] as const) {
			const { asked, setting } = serviceOf(
				(ms) => (ms < 1_000 ? unavailable(retryAfterMs) : answer(200)),
				() => answer(400),
			);
			await run(rows(20), { ...setting, concurrency: 4 });
			expect(asked).toEqual([100 + waitMs]);
		}
	});

	it('ends after the time that it may wait, and says when to try again', async () => {
		const { asked, setting } = serviceOf(() => answer(503));
		const { ended, result, tookMs } = await run(rows(100), {
			...setting,
			concurrency: 5,
			maxOutageWaitMs: 30_000,
			writeTime: (ms) => `${(ms - START_MS) / 1_000} s`,
		});
		// The question after that of 15.1 s would come too late.
		expect(asked).toEqual([1_100, 3_100, 7_100, 15_100]);
		expect(tookMs).toBeLessThan(30_000);
		expect(result).toMatchObject({ endedBecause: 'serviceUnavailable', retryAt: '915.1 s' });
		expect(outcomes(ended).filter((outcome) => outcome === 'unknown')).toHaveLength(5);
		expect(ended.at(-1)?.outcome).toEqual({
			outcome: 'notSent',
			reason: 'serviceUnavailable',
			retryAt: '915.1 s',
			attempts: 0,
		});
	});

	it('sends all rows whose connection was refused, once it is back', async () => {
		const { setting } = serviceOf((ms) => (ms < 20_000 ? failure('ECONNREFUSED') : answer(200)));
		const { ended } = await run(rows(50), { ...setting, concurrency: 10 });
		expect(new Set(outcomes(ended))).toEqual(new Set(['accepted']));
	});

	it('ends within half a second when the execution is stopped', async () => {
		const { clock, setting } = serviceOf(() => answer(503));
		const { ended, tookMs } = await run(rows(100), {
			...setting,
			concurrency: 5,
			stop: stopAt(clock, 10_000),
		});
		expect(tookMs).toBeLessThanOrEqual(10_501);
		expect(outcomes(ended).filter((outcome) => outcome === 'unknown')).toHaveLength(5);
	});

	it('lets another run ask if the run that asks is stopped', async () => {
		const breaker = new CircuitBreaker();
		const clock = new VirtualClock(START_MS);
		const now = () => clock.now() - START_MS;
		const common: Setting<number> = {
			clock,
			breaker,
			concurrency: 5,
			answers: () => answer(now() < 1_000 ? 503 : 200),
		};
		const hanging = run(rows(20), {
			...common,
			stop: stopAt(clock, 2_000),
			ask: async () => await new Promise(() => {}),
		});
		const other = run(rows(20), common);
		const [, { ended, result }] = await Promise.all([hanging, other]);
		expect(result?.endedBecause).toBeUndefined();
		expect(outcomes(ended).filter((outcome) => outcome === 'accepted')).not.toHaveLength(0);
	});

	it('does not take the end of a stopped run for an outage', async () => {
		const breaker = new CircuitBreaker();
		const clock = new VirtualClock(START_MS);
		const common: Setting<number> = { clock, breaker, concurrency: 10 };
		const stopped = run(rows(100), {
			...common,
			stop: stopAt(clock, 1_000),
			send: async () => await new Promise(() => {}),
		});
		await stopped;
		expect(breaker.decide(breaker.join(1), clock.now())).toEqual({ kind: 'send' });
	});

	it('goes on if the service keeps refusing the question but accepts messages', async () => {
		const { setting } = serviceOf(
			(ms) => answer(ms < 500 ? 503 : 200),
			() => answer(404),
		);
		const { ended, result } = await run(rows(100), { ...setting, concurrency: 5 });
		expect(result?.endedBecause).toBeUndefined();
		expect(outcomes(ended).filter((outcome) => outcome === 'accepted').length).toBeGreaterThan(90);
	});
});

describe('When the service refuses the account, the dispatcher', () => {
	it('ends the run after the requests in flight if it answers 401', async () => {
		const { sent, ended, result } = await run(rows(300), {
			concurrency: 10,
			answers: () => answer(401),
		});
		expect(sent).toHaveLength(10);
		expect(outcomes(ended).filter((outcome) => outcome === 'rejected')).toHaveLength(10);
		expect(result?.endedBecause).toBe('credentialsRefused');
	});

	it('ends the run if a key is revoked midway', async () => {
		const { sent, result } = await run(rows(300), {
			concurrency: 10,
			answers: (_row, nth) => answer(nth <= 100 ? 200 : 401),
		});
		expect(sent.length).toBeLessThanOrEqual(110);
		expect(result?.endedBecause).toBe('credentialsRefused');
	});

	it.each([
		[403, 'credentialsRefused'],
		[404, 'addressRefused'],
	] as const)(
		'ends the run if messages and the question are answered %i',
		async (status, reason) => {
			const { setting, asked } = serviceOf(() => answer(status));
			const { sent, result } = await run(rows(300), { ...setting, concurrency: 10 });
			expect(asked).toHaveLength(1);
			expect(sent).toHaveLength(10);
			expect(result?.endedBecause).toBe(reason);
		},
	);

	it.each([403, 404])(
		'sends all rows if the first ten are answered %i and the question is not',
		async (status) => {
			const { setting, asked } = serviceOf(
				() => answer(200),
				() => answer(400),
			);
			const { ended, result } = await run(rows(600), {
				...setting,
				concurrency: 10,
				answers: (row) => answer(row < 10 ? status : 200),
			});
			expect(asked).toHaveLength(1);
			expect(outcomes(ended).filter((outcome) => outcome === 'accepted')).toHaveLength(590);
			expect(result?.endedBecause).toBeUndefined();
		},
	);

	it('asks nothing about a 404 once a message was accepted', async () => {
		const { setting, asked } = serviceOf(() => answer(404));
		const { ended } = await run(rows(50), {
			...setting,
			concurrency: 1,
			answers: (row) => answer(row === 0 ? 200 : 404),
		});
		expect(asked).toEqual([]);
		expect(outcomes(ended).filter((outcome) => outcome === 'rejected')).toHaveLength(49);
	});
});
