import {
	dispatch,
	type DispatchDeps,
	type DispatchOptions,
	type DispatchResult,
} from '../../../nodes/CustomerMessaging/sending/dispatch';
import { Gate } from '../../../nodes/CustomerMessaging/sending/gate';
import type { Outcome, Reply } from '../../../nodes/CustomerMessaging/sending/types';
import { VirtualClock } from './simulation';

const START_MS = 1_000_000 * 60_000;
const HOUR_MS = 3_600_000;
const answer = (statusCode: number, remaining?: number): Reply => ({
	kind: 'answer',
	statusCode,
	body: null,
	remaining,
});
const failure = (code: string): Reply => ({ kind: 'failure', code, message: code });

interface Setting<T> extends Partial<DispatchDeps<T>>, Partial<DispatchOptions> {
	clock?: VirtualClock;
	/** What is answered, after 100 ms. */
	answers?(request: T, nth: number): Reply;
}

/** Runs `dispatch` on a virtual clock, and tells what was sent when, and how it ended. */
async function run<T>(requests: Iterable<T>, setting: Setting<T> = {}) {
	const clock = setting.clock ?? new VirtualClock(START_MS);
	const sent: Array<{ request: T; atMs: number }> = [];
	const ended: Array<{ request: T; outcome: Outcome; atMs: number }> = [];
	let result: DispatchResult | undefined;
	let thrown: unknown;
	const work = dispatch(
		requests,
		{
			gate: new Gate(1_000_000, () => 0.5),
			random: () => 0,
			stopped: () => false,
			settled: (request, outcome) => {
				ended.push({ request, outcome, atMs: clock.now() - START_MS });
			},
			...setting,
			clock,
			async send(request) {
				sent.push({ request, atMs: clock.now() - START_MS });
				if (setting.send) return await setting.send(request);
				await clock.sleep(100);
				return setting.answers?.(request, sent.length) ?? answer(200);
			},
		},
		{ concurrency: 2, maxWaitMs: HOUR_MS, retryUnknown: false, ...setting },
	).then(
		(value) => {
			result = value;
		},
		(error: unknown) => {
			thrown = error;
		},
	);
	await clock.run(work, START_MS + 24 * HOUR_MS);
	return { sent, ended, result, thrown, tookMs: clock.now() - START_MS };
}

const outcomes = (ended: Array<{ outcome: Outcome }>) => ended.map(({ outcome }) => outcome.outcome);

describe('dispatch', () => {
	it('sends everything once, so many at a time', async () => {
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
		expect(result).toEqual({ waitedMs: 0, requests: 5, rateLimited: 0 });
		expect(tookMs).toBe(300);
	});

	it('ends at once when there is nothing to send', async () => {
		expect(await run([])).toMatchObject({ ended: [], tookMs: 0, thrown: undefined });
	});

	it('pulls requests only as there is room for them', async () => {
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

	it('does not pile up sleeps', async () => {
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

	it('asks again, in front, for what was refused, and counts every attempt', async () => {
		const { sent, ended, result } = await run(['a', 'b', 'c'], {
			concurrency: 1,
			answers: (_request, nth) => answer(nth <= 2 ? 429 : 200),
		});
		expect(sent.map(({ request }) => request)).toEqual(['a', 'a', 'a', 'b', 'c']);
		expect(ended.map(({ outcome }) => outcome.attempts)).toEqual([3, 1, 1]);
		expect(result).toMatchObject({ requests: 5, rateLimited: 2 });
	});

	it('sends again 1, 2 and 4 s after failing to connect, and others meanwhile', async () => {
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

	it('spreads what failed together by up to a quarter', async () => {
		const { sent } = await run(['a'], {
			random: () => 0.999,
			answers: (_request, nth) => (nth === 1 ? failure('ECONNREFUSED') : answer(200)),
		});
		expect(sent[1]?.atMs).toBeCloseTo(100 + 1_249.75, 0);
	});

	it('sends nothing twice that may have been processed', async () => {
		const { sent, ended } = await run([503, 'ECONNRESET'], {
			answers: (request) =>
				typeof request === 'number' ? answer(request) : failure(String(request)),
		});
		expect(sent).toHaveLength(2);
		expect(outcomes(ended)).toEqual(['unknown', 'unknown']);
	});

	it('does so where the user asked for it, and then never says "not sent"', async () => {
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

	it('takes a send that throws for a request that may have left', async () => {
		const { ended, thrown } = await run(['a', 'b'], {
			async send() {
				throw new Error('broken');
			},
		});
		expect(thrown).toBeUndefined();
		expect(outcomes(ended)).toEqual(['unknown', 'unknown']);
		expect(ended[0]?.outcome).toMatchObject({ code: 'UNEXPECTED', message: 'broken', attempts: 1 });
	});

	describe('when a batch is answered 400', () => {
		const halves = (batch: number[]) => {
			const middle = Math.ceil(batch.length / 2);
			return batch.length < 2 ? undefined : [batch.slice(0, middle), batch.slice(middle)];
		};

		it.each([
			[[5], 9],
			[[1, 2, 3, 4, 5, 6, 7, 8], 15],
			[[], 1],
		])('asks for its halves until the rows %j stand alone', async (bad, requests) => {
			const { ended, result } = await run([[1, 2, 3, 4, 5, 6, 7, 8]], {
				split: halves,
				answers: (batch) => answer(batch.some((row) => bad.includes(row)) ? 400 : 200),
			});
			const rejected = ended.filter(({ outcome }) => outcome.outcome === 'rejected');
			expect(rejected.map(({ request }) => request).sort()).toEqual(bad.map((row) => [row]));
			const rows = ended.flatMap(({ request }) => request);
			expect(rows.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
			expect(result?.requests).toBeLessThanOrEqual(15);
			expect(result?.requests).toBe(bad.length === 1 ? 7 : requests);
		});

		it('sends the halves before what was still to come', async () => {
			const { sent } = await run([[1, 2], [3]], {
				concurrency: 1,
				split: halves,
				answers: (batch) => answer(batch.length > 1 ? 400 : 200),
			});
			expect(sent.map(({ request }) => request)).toEqual([[1, 2], [1], [2], [3]]);
		});

		it('splits on nothing else', async () => {
			const { ended } = await run([[1, 2], [3, 4], [5, 6]], {
				split: halves,
				answers: ([row]) => answer(row === 1 ? 401 : row === 3 ? 404 : 422),
			});
			expect(ended.map(({ request }) => request)).toEqual([[1, 2], [3, 4], [5, 6]]);
		});

		it('takes one part for none', async () => {
			const { sent, ended } = await run([[1, 2]], {
				split: (batch) => [batch],
				answers: () => answer(400),
			});
			expect(sent).toHaveLength(1);
			expect(outcomes(ended)).toEqual(['rejected']);
		});
	});

	describe('when it is stopped', () => {
		it('lets nothing more leave within half a second, and names all the rest', async () => {
			const clock = new VirtualClock(START_MS);
			const { sent, ended, tookMs } = await run(
				Array.from({ length: 50 }, (_, index) => index),
				{
					clock,
					gate: new Gate(3, () => 0.5),
					stopped: () => clock.now() - START_MS >= 10_200,
					answers: () => answer(200, 0),
				},
			);
			expect(Math.max(...sent.map(({ atMs }) => atMs))).toBeLessThan(10_200);
			expect(tookMs).toBeLessThanOrEqual(10_700);
			expect(ended).toHaveLength(50);
			const notSent = ended.filter(({ outcome }) => outcome.outcome === 'notSent');
			expect(notSent).toHaveLength(50 - sent.length);
			expect(notSent[0]?.outcome).toEqual({ outcome: 'notSent', reason: 'stopped', attempts: 0 });
		});

		it('waits half a second for the answers under way, and calls the others unknown', async () => {
			const clock = new VirtualClock(START_MS);
			const { ended, tookMs } = await run(['slow', 'quick'], {
				clock,
				stopped: () => clock.now() > START_MS,
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

		it('gives back its place, so that other runs go on', async () => {
			const gate = new Gate(500, () => 0.5);
			const clock = new VirtualClock(START_MS);
			await run(['never answered'], {
				clock,
				gate,
				stopped: () => clock.now() > START_MS,
				async send() {
					await clock.sleep(HOUR_MS);
					return answer(200);
				},
			});
			expect(gate.inUse).toBe(false);
			expect(outcomes((await run(['next'], { gate })).ended)).toEqual(['accepted']);
		});

		it('says of what failed before that it may have been delivered, where it may', async () => {
			const clock = new VirtualClock(START_MS);
			const { ended } = await run(['a', 'b'], {
				clock,
				retryUnknown: true,
				stopped: () => clock.now() - START_MS >= 500,
				answers: (request) => (request === 'a' ? answer(500) : failure('ENOTFOUND')),
			});
			expect(ended).toMatchObject([
				{ request: 'a', outcome: { outcome: 'unknown', statusCode: 500, attempts: 1 } },
				{ request: 'b', outcome: { outcome: 'notSent', reason: 'stopped', attempts: 1 } },
			]);
		});
	});

	it('waits for the answers under way when an earlier failure ends it', async () => {
		const clock = new VirtualClock(START_MS);
		let failed = false;
		const { sent, ended, tookMs } = await run(['bad', 'slow', 'c', 'd'], {
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
		expect(ended).toMatchObject([
			{ request: 'bad', outcome: { outcome: 'rejected', statusCode: 401 } },
			{ request: 'c', outcome: { outcome: 'notSent', reason: 'stopped' } },
			{ request: 'd', outcome: { outcome: 'notSent', reason: 'stopped' } },
			{ request: 'slow', outcome: { outcome: 'accepted' } },
		]);
	});

	describe('when the limit outlasts maxWait', () => {
		it('ends the rest as not sent, and says so once for each wait', async () => {
			const waits: Array<{ untilMs: number; waitedMs: number }> = [];
			const { ended, result, tookMs } = await run(
				Array.from({ length: 20 }, (_, index) => index),
				{
					gate: new Gate(5, () => 0.5),
					maxWaitMs: 30_000,
					answers: (_request, nth) => answer(nth <= 5 ? 200 : 429),
					waiting: (wait) => waits.push(wait),
				},
			);
			expect(outcomes(ended).filter((outcome) => outcome === 'accepted')).toHaveLength(5);
			const rest = ended.filter(({ outcome }) => outcome.outcome === 'notSent');
			expect(rest).toHaveLength(15);
			for (const { outcome } of rest) expect(outcome).toMatchObject({ reason: 'rateLimit' });
			expect(result?.waitedMs).toBeGreaterThan(30_000);
			expect(result?.waitedMs).toBeLessThanOrEqual(30_500);
			expect(tookMs).toBeLessThanOrEqual(32_000);
			expect(waits).toHaveLength(1);
			expect(waits[0]?.untilMs).toBeGreaterThan(START_MS + 30_000);
		});
	});

	describe('when the caller throws', () => {
		it.each(['settled', 'split', 'waiting'])('in %s, it ends and throws that', async (where) => {
			const error = new Error('from the caller');
			const throwing = () => {
				throw error;
			};
			const { thrown, ended } = await run(
				Array.from({ length: 20 }, (_, index) => index),
				{
					gate: new Gate(5, () => 0.5),
					[where]: throwing,
					answers: (request) => answer(request === 1 ? 400 : 200),
				},
			);
			expect(thrown).toBe(error);
			if (where !== 'settled') expect(ended).toHaveLength(20);
		});

		it('in the requests, it ends what was begun and throws that', async () => {
			function* requests() {
				yield 1;
				throw new Error('bad row');
			}
			const { thrown, ended } = await run(requests());
			expect(thrown).toEqual(new Error('bad row'));
			expect(outcomes(ended)).toEqual(['accepted']);
		});
	});

	it('gives up on a request that its own timeout does not end, and drops a late answer', async () => {
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
