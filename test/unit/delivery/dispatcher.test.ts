import { RateLimiter } from '../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import { VirtualClock } from '../../../simulation/virtualClock';
import { START_MS, HOUR_MS, answer, failure, outcomes, run, stopAt } from './support/dispatchRun';

describe('The dispatcher', () => {
	it('sends every request once, and at most `concurrency` of them at a time', async () => {
		const { sent, ended, result, tookMs } = await run([1, 2, 3, 4, 5]);
		expect(sent).toEqual([
			{ request: 1, atMs: 0 },
			{ request: 2, atMs: 0 },
			{ request: 3, atMs: 100 },
			{ request: 4, atMs: 100 },
			{ request: 5, atMs: 200 },
		]);
		expect(ended.map(({ request }) => request)).toEqual([1, 2, 3, 4, 5]);
		expect(ended[0]?.outcome).toEqual({
			outcome: 'accepted',
			statusCode: 200,
			response: null,
			attempts: 1,
			rateLimitRemaining: null,
		});
		expect(result).toEqual({ waitedMs: 0, pausedMs: 0, requests: 5, rateLimited: 0 });
		expect(tookMs).toBe(300);
	});

	it('ends immediately if there is nothing to send', async () => {
		expect(await run([])).toMatchObject({ ended: [], tookMs: 0, thrown: undefined });
	});

	it('pulls requests only when there is room for them', async () => {
		let pulled = 0;
		const mostAhead: number[] = [];
		let settled = 0;
		function* requests() {
			for (let index = 0; index < 1_000; index++) {
				pulled++;
				mostAhead.push(pulled - settled);
				yield index;
			}
		}
		await run(requests(), { concurrency: 7, settled: () => settled++ });
		expect(pulled).toBe(1_000);
		expect(Math.max(...mostAhead)).toBe(7);
	});

	it('does not start more sleeps than it needs', async () => {
		class CountingClock extends VirtualClock {
			open = 0;
			most = 0;
			override async sleep(ms: number): Promise<void> {
				// The sends themselves sleep 1 ms.
				if (ms !== 1) this.most = Math.max(this.most, ++this.open);
				await super.sleep(ms);
				if (ms !== 1) this.open--;
			}
		}
		const clock = new CountingClock(START_MS);
		const { sent } = await run(Array.from({ length: 5_000 }), {
			clock,
			concurrency: 10,
			async send() {
				await clock.sleep(1);
				return answer(200);
			},
		});
		expect(sent).toHaveLength(5_000);
		expect(clock.most).toBeLessThanOrEqual(2);
	});

	it('sends a request answered 429 again before all others, and counts every attempt', async () => {
		const { sent, ended, result } = await run(['a', 'b', 'c'], {
			concurrency: 1,
			answers: (_request, nth) => answer(nth <= 2 ? 429 : 200),
		});
		expect(sent.map(({ request }) => request)).toEqual(['a', 'a', 'a', 'b', 'c']);
		expect(ended.map(({ outcome }) => outcome.attempts)).toEqual([3, 1, 1]);
		expect(result).toMatchObject({ requests: 5, rateLimited: 2 });
	});

	it('retries 1, 2 and 4 s after a failed connection, and sends other requests meanwhile', async () => {
		const { sent, ended } = await run(['down', 'up'], {
			answers: (request) => (request === 'down' ? failure('ECONNREFUSED') : answer(200)),
		});
		expect(sent).toEqual([
			{ request: 'down', atMs: 0 },
			{ request: 'up', atMs: 0 },
			{ request: 'down', atMs: 1_100 },
			{ request: 'down', atMs: 3_200 },
			{ request: 'down', atMs: 7_300 },
		]);
		expect(ended[1]?.outcome).toEqual({
			outcome: 'notSent',
			reason: 'noConnection',
			code: 'ECONNREFUSED',
			message: 'ECONNREFUSED',
			attempts: 4,
		});
	});

	it('lengthens the wait before a retry at random by up to a quarter', async () => {
		const { sent } = await run(['a'], {
			random: () => 0.999,
			answers: (_request, nth) => (nth === 1 ? failure('ECONNREFUSED') : answer(200)),
		});
		expect(sent[1]?.atMs).toBeCloseTo(100 + 1_249.75, 0);
	});

	it('does not retry a request that may have been processed', async () => {
		const { sent, ended } = await run([503, 'ECONNRESET'], {
			answers: (request) =>
				typeof request === 'number' ? answer(request) : failure(String(request)),
		});
		expect(sent).toHaveLength(2);
		expect(outcomes(ended)).toEqual(['unknown', 'unknown']);
	});

	it('retries it with `retryUnknown`, and then never reports it as not sent', async () => {
		const { sent, ended } = await run(['a'], {
			retryUnknown: true,
			answers: (_request, nth) => (nth === 1 ? answer(502) : failure('ECONNREFUSED')),
		});
		expect(sent).toHaveLength(4);
		expect(ended[0]?.outcome).toEqual({
			outcome: 'unknown',
			statusCode: 502,
			response: null,
			attempts: 4,
		});
	});

	it('reports a request as unknown if `send` throws', async () => {
		const { ended, thrown } = await run(['a', 'b'], {
			async send() {
				throw new Error('broken');
			},
		});
		expect(thrown).toBeUndefined();
		expect(outcomes(ended)).toEqual(['unknown', 'unknown']);
		expect(ended[0]?.outcome).toMatchObject({ code: 'UNEXPECTED', message: 'broken', attempts: 1 });
	});

	describe('when a batch is answered 400 or 413', () => {
		const halves = (batch: number[]) => {
			const middle = Math.ceil(batch.length / 2);
			return batch.length < 2 ? undefined : [batch.slice(0, middle), batch.slice(middle)];
		};

		it.each([
			[[5], 7],
			[[1, 2, 3, 4, 5, 6, 7, 8], 15],
			[[], 1],
		])('splits it until the rows at fault, %j, are rejected alone', async (bad, requests) => {
			const { ended, result } = await run([[1, 2, 3, 4, 5, 6, 7, 8]], {
				split: halves,
				answers: (batch) => answer(batch.some((row) => bad.includes(row)) ? 400 : 200),
			});
			const rejected = ended.filter(({ outcome }) => outcome.outcome === 'rejected');
			expect(rejected.map(({ request }) => request).sort()).toEqual(bad.map((row) => [row]));
			const rows = ended.flatMap(({ request }) => request);
			expect(rows.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
			expect(result?.requests).toBe(requests);
		});

		it('sends its halves before the requests that follow', async () => {
			const { sent } = await run([[1, 2], [3]], {
				concurrency: 1,
				split: halves,
				answers: (batch) => answer(batch.length > 1 ? 400 : 200),
			});
			expect(sent.map(({ request }) => request)).toEqual([[1, 2], [1], [2], [3]]);
		});

		it('does not split a request that was refused with another status', async () => {
			const { ended } = await run(
				[
					[1, 2],
					[3, 4],
					[5, 6],
				],
				{
					split: halves,
					answers: ([row]) => answer(row === 1 ? 403 : row === 3 ? 404 : 422),
				},
			);
			expect(ended.map(({ request }) => request)).toEqual([
				[1, 2],
				[3, 4],
				[5, 6],
			]);
		});

		it('rejects a request that `split` returns as a single part', async () => {
			const { sent, ended } = await run([[1, 2]], {
				split: (batch) => [batch],
				answers: () => answer(400),
			});
			expect(sent).toHaveLength(1);
			expect(outcomes(ended)).toEqual(['rejected']);
		});
	});

	describe('when it is stopped', () => {
		it('sends nothing more, ends within half a second, and leaves the rest to the caller', async () => {
			const clock = new VirtualClock(START_MS);
			const { sent, ended, result, tookMs } = await run(
				Array.from({ length: 50 }, (_, index) => index),
				{
					clock,
					limiter: new RateLimiter(3),
					stop: stopAt(clock, 10_200),
					answers: () => answer(200, 0),
				},
			);
			expect(Math.max(...sent.map(({ atMs }) => atMs))).toBeLessThan(10_200);
			expect(tookMs).toBeLessThanOrEqual(10_700);
			expect(result?.endedBecause).toBe('stopped');
			const notSent = ended.filter(({ outcome }) => outcome.outcome === 'notSent');
			expect(notSent.map(({ outcome }) => outcome)).toEqual([
				{ outcome: 'notSent', reason: 'stopped', attempts: 0 },
			]);
			expect(ended).toHaveLength(sent.length + 1);
		});

		it('waits half a second for responses, and then reports requests without one as unknown', async () => {
			const clock = new VirtualClock(START_MS);
			const { ended, tookMs } = await run(['slow', 'quick'], {
				clock,
				stop: stopAt(clock, 500),
				async send(request) {
					await clock.sleep(request === 'slow' ? 60_000 : 800);
					return answer(200);
				},
			});
			expect(tookMs).toBeLessThanOrEqual(1_000);
			expect(ended).toMatchObject([
				{ request: 'quick', outcome: { outcome: 'accepted' } },
				{ request: 'slow', outcome: { outcome: 'unknown', code: 'STOPPED', attempts: 1 } },
			]);
		});

		it('returns its permits, so that other runs can go on', async () => {
			const limiter = new RateLimiter(500);
			const clock = new VirtualClock(START_MS);
			await run(['never answered'], {
				clock,
				limiter,
				stop: stopAt(clock, 1),
				async send() {
					await clock.sleep(HOUR_MS);
					return answer(200);
				},
			});
			expect(limiter.inUse).toBe(false);
			expect(outcomes((await run(['next'], { limiter })).ended)).toEqual(['accepted']);
		});

		it('reports a request between two attempts as unknown only if it may have been processed', async () => {
			const clock = new VirtualClock(START_MS);
			const { ended } = await run(['a', 'b'], {
				clock,
				retryUnknown: true,
				stop: stopAt(clock, 500),
				answers: (request) => (request === 'a' ? answer(500) : failure('ENOTFOUND')),
			});
			expect(ended).toMatchObject([
				{ request: 'a', outcome: { outcome: 'unknown', statusCode: 500, attempts: 1 } },
				{ request: 'b', outcome: { outcome: 'notSent', reason: 'stopped', attempts: 1 } },
			]);
		});
	});

	it('sends nothing more after a failure that ends the run, and waits for all responses', async () => {
		const clock = new VirtualClock(START_MS);
		let failed = false;
		const { sent, ended, result, tookMs } = await run(['bad', 'slow', 'c', 'd'], {
			clock,
			ended: () => failed,
			async send(request) {
				await clock.sleep(request === 'slow' ? 3_000 : 100);
				failed ||= request === 'bad';
				return answer(request === 'bad' ? 401 : 200);
			},
		});
		expect(sent.map(({ request }) => request)).toEqual(['bad', 'slow']);
		expect(tookMs).toBe(3_000);
		expect(result?.endedBecause).toBe('stopped');
		expect(ended).toMatchObject([
			{ request: 'bad', outcome: { outcome: 'rejected', statusCode: 401 } },
			{ request: 'slow', outcome: { outcome: 'accepted' } },
		]);
	});

	describe('when the limit outlasts maxWait', () => {
		it('reports what it had pulled as not sent, leaves the rest to the caller, and announces the wait once', async () => {
			const waits: Array<{ untilMs: number; waitedMs: number }> = [];
			const { ended, result, tookMs } = await run(
				Array.from({ length: 20 }, (_, index) => index),
				{
					limiter: new RateLimiter(5),
					maxWaitMs: 30_000,
					answers: (_request, nth) => answer(nth <= 5 ? 200 : 429),
					waiting: (wait) => waits.push(wait),
				},
			);
			expect(outcomes(ended).filter((outcome) => outcome === 'accepted')).toHaveLength(5);
			const rest = ended.filter(({ outcome }) => outcome.outcome === 'notSent');
			expect(rest.length).toBeGreaterThan(0);
			for (const { outcome } of rest) expect(outcome).toMatchObject({ reason: 'rateLimit' });
			expect(result?.endedBecause).toBe('rateLimit');
			// At most `concurrency` more were pulled than were accepted.
			expect(ended.length).toBeLessThanOrEqual(7);
			expect(result?.waitedMs).toBeGreaterThan(30_000);
			expect(result?.waitedMs).toBeLessThanOrEqual(30_500);
			expect(tookMs).toBeLessThanOrEqual(32_000);
			expect(waits).toHaveLength(1);
			expect(waits[0]?.untilMs).toBeGreaterThan(START_MS + 30_000);
		});

		it('ends at once if Retry-After asks for a longer wait, and not before if it asks for a shorter one', async () => {
			const requests = ['a', 'b', 'c'];
			const refusedOnce = (retryAfterMs: number) => (_request: string, nth: number) =>
				nth === 1 ? { ...answer(429), retryAfterMs } : answer(200);
			const setting = { concurrency: 1, maxWaitMs: 60_000 };
			const tooLong = await run(requests, { ...setting, answers: refusedOnce(60_001) });
			expect(tooLong.result).toMatchObject({ endedBecause: 'rateLimit', requests: 1 });
			expect(outcomes(tooLong.ended)).toEqual(['notSent']);
			expect(tooLong.tookMs).toBe(100);
			const short = await run(requests, { ...setting, answers: refusedOnce(59_000) });
			expect(outcomes(short.ended)).toEqual(['accepted', 'accepted', 'accepted']);
			expect(short.sent[1]?.atMs).toBeGreaterThanOrEqual(59_100);
		});
	});

	describe('when the caller throws', () => {
		it.each(['settled', 'split', 'waiting'])(
			'ends the run and throws the error of `%s`',
			async (where) => {
				const error = new Error('from the caller');
				const throwing = () => {
					throw error;
				};
				const { thrown, ended } = await run(
					Array.from({ length: 20 }, (_, index) => index),
					{
						limiter: new RateLimiter(5),
						[where]: throwing,
						answers: (request) => answer(request === 1 ? 400 : 200),
					},
				);
				expect(thrown).toBe(error);
				if (where !== 'settled') expect(outcomes(ended)).toContain('accepted');
			},
		);

		it('finishes what it had sent and throws the error of the requests', async () => {
			function* requests() {
				yield 1;
				throw new Error('bad row');
			}
			const { thrown, ended } = await run(requests());
			expect(thrown).toEqual(new Error('bad row'));
			expect(outcomes(ended)).toEqual(['accepted']);
		});
	});

	describe('when `send` withholds a request', () => {
		it('reports it as not sent for that reason, without a retry, and does not count it', async () => {
			const limiter = new RateLimiter(20);
			const { sent, ended, result } = await run(
				Array.from({ length: 50 }, (_, index) => index),
				{
					limiter,
					answers: () => ({ kind: 'withheld', reason: 'stopped' }),
				},
			);
			expect(sent).toHaveLength(50);
			expect(ended).toHaveLength(50);
			expect(ended[0]?.outcome).toEqual({ outcome: 'notSent', reason: 'stopped', attempts: 0 });
			expect(result).toEqual({ waitedMs: 0, pausedMs: 0, requests: 0, rateLimited: 0 });
		});

		it('still reports it as unknown if an earlier attempt may have been processed', async () => {
			const { ended } = await run(['a'], {
				retryUnknown: true,
				answers: (_request, nth) =>
					nth === 1 ? answer(502) : { kind: 'withheld', reason: 'stopped' },
			});
			expect(ended[0]?.outcome).toMatchObject({ outcome: 'unknown', statusCode: 502, attempts: 1 });
		});
	});

	describe('when requests take time to pull', () => {
		/** Each request takes `pullMs`. */
		async function* slowly(
			clock: VirtualClock,
			count: number,
			pullMs: number,
			pulled: number[] = [],
		) {
			for (let index = 0; index < count; index++) {
				await clock.sleep(pullMs);
				pulled.push(index);
				yield index;
			}
		}

		it('sends each request as soon as it is there, and handles responses meanwhile', async () => {
			const clock = new VirtualClock(START_MS);
			const { sent, ended, result } = await run(slowly(clock, 3, 1_000), { clock });
			expect(sent).toEqual([
				{ request: 0, atMs: 1_000 },
				{ request: 1, atMs: 2_000 },
				{ request: 2, atMs: 3_000 },
			]);
			expect(ended.map(({ atMs }) => atMs)).toEqual([1_100, 2_100, 3_100]);
			expect(result).toEqual({ waitedMs: 0, pausedMs: 0, requests: 3, rateLimited: 0 });
		});

		it('waits for one request at a time', async () => {
			const clock = new VirtualClock(START_MS);
			let pulling = 0;
			let maxPulling = 0;
			let left = 20;
			const requests: AsyncIterable<number> = {
				[Symbol.asyncIterator]: () => ({
					async next() {
						maxPulling = Math.max(maxPulling, ++pulling);
						await clock.sleep(10);
						pulling--;
						return left-- > 0 ? { done: false, value: left } : { done: true, value: undefined };
					},
				}),
			};
			const { sent } = await run(requests, { clock, concurrency: 10 });
			expect(sent).toHaveLength(20);
			expect(maxPulling).toBe(1);
		});

		it('pulls nothing more after Stop, and reports what arrives within half a second as not sent', async () => {
			const clock = new VirtualClock(START_MS);
			const pulled: number[] = [];
			const { ended, result, tookMs } = await run(slowly(clock, 10, 400, pulled), {
				clock,
				stop: stopAt(clock, 1_000),
			});
			expect(pulled).toEqual([0, 1, 2]);
			expect(outcomes(ended)).toEqual(['accepted', 'accepted', 'notSent']);
			expect(result?.endedBecause).toBe('stopped');
			expect(tookMs).toBeLessThanOrEqual(1_500);
		});

		it('drops a request that arrives later than that', async () => {
			const clock = new VirtualClock(START_MS);
			const { ended, tookMs } = await run(slowly(clock, 10, 60_000), {
				clock,
				stop: stopAt(clock, 1),
			});
			expect(ended).toEqual([]);
			expect(tookMs).toBeLessThanOrEqual(1_000);
		});

		it('finishes what it had sent and throws the error of the requests', async () => {
			const clock = new VirtualClock(START_MS);
			async function* failing() {
				yield 1;
				await clock.sleep(50);
				throw new Error('bad row');
			}
			const { thrown, ended } = await run(failing(), { clock });
			expect(thrown).toEqual(new Error('bad row'));
			expect(outcomes(ended)).toEqual(['accepted']);
		});
	});

	it('gives up on a request whose own timeout does not end it, and ignores a late response', async () => {
		const clock = new VirtualClock(START_MS);
		const { ended, sent } = await run([1, 2, 3], {
			clock,
			concurrency: 1,
			answerWithinMs: 5_000,
			async send(request) {
				await clock.sleep(request === 1 ? 60_000 : 100);
				return answer(200);
			},
		});
		expect(sent.map(({ request }) => request)).toEqual([1, 2, 3]);
		expect(ended.map(({ request, outcome }) => [request, outcome.outcome])).toEqual([
			[1, 'unknown'],
			[2, 'accepted'],
			[3, 'accepted'],
		]);
		expect(ended[0]?.atMs).toBe(5_000);
	});
});
