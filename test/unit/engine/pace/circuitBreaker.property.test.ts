import * as worlds from './support/worlds';
import { MINUTE_MS } from '../../../../nodes/CustomerMessaging/shared/slices';
import { TIMEOUT_MS } from '../../../../simulation/world';
import * as bounds from './support/bounds';

const { always, HOUR_MS } = worlds;
const { LATE_MS, play, leavesFewInDoubt, deliversExactlyOnce, count } = bounds;

/** Simulations take long on a crowded machine. */
jest.setTimeout(1_800_000);

describe('When the service fails, on a virtual clock,', () => {
	it.each([
		['30 s', false],
		['5 minutes, if health checks are answered,', true],
	])(
		'few messages are in doubt, sending resumes within %s of the end, and what waited is sent',
		async (_, answersHealthChecks) =>
			await always(worlds.duringAnOutage(answersHealthChecks), bounds.resumes),
	);

	it('at most 15 messages are in doubt, and none is lost, if it was down when the first run began', async () => {
		await always(worlds.downFromTheStart, async (scene) => {
			expect(count(await bounds.resumes(scene), 'unknown')).toBeLessThanOrEqual(15);
		});
	});

	it('few messages are in doubt after each of many outages', async () => {
		await always(worlds.whileFlapping, leavesFewInDoubt);
	});

	it('a brown-out of an hour costs few messages between two pauses, and one of five minutes ends no run', async () => {
		await always(worlds.duringABrownOut, async (scene) => {
			const { runs, pauses, service } = await deliversExactlyOnce(scene);
			expect(runs[0]?.endedBecause).toBe('serviceUnavailable');
			// If half of the answers are failures, four in a row take thirty messages in the mean.
			expect(service.sentAtMs.length / pauses.length).toBeLessThan(60);
			const outages = scene.world.outages.map((outage) => ({ ...outage, toMs: 5 * MINUTE_MS }));
			const short = await deliversExactlyOnce({ ...scene, world: { ...scene.world, outages } });
			expect(short.runs[0]?.endedBecause).toBeUndefined();
		});
	});

	it('runs of one row wait at most 30 s for it, and are sent again once it is back', async () => {
		await always(worlds.oneRowRuns, async (scene) => {
			const { runs } = await leavesFewInDoubt(scene);
			const { outages, latencyMs } = scene.world;
			const answerMs = outages[0]?.kind === 'hang' ? TIMEOUT_MS : latencyMs.to;
			const retryMs = outages[0]?.kind === 'refused' ? 5_000 : 0;
			for (const { waited, endedBecause, retryAtMs, endMs } of runs) {
				// The run that checks or tries waits until that has ended, and a last trial may be repeated.
				expect(waited.service).toBeLessThanOrEqual(30_000 + 2 * answerMs + retryMs + LATE_MS);
				if (endedBecause === undefined) continue;
				expect(endedBecause).toBe('serviceUnavailable');
				expect(retryAtMs).toBeGreaterThanOrEqual(endMs);
			}
		});
	});

	it.each([false, true])('runs with an old key alone end (health checks: %s)', async (answers) => {
		await always(worlds.besideOldKeys(answers), async (scene) => {
			const report = await leavesFewInDoubt(scene);
			const [list, ...others] = report.runs;
			expect(list?.endedBecause).toBeUndefined();
			const ofList = { ...report, runs: report.runs.slice(0, 1) };
			const inDoubt = count(ofList, 'unknown');
			expect(count(ofList, 'accepted')).toBe(5_000 - inDoubt);
			// A fast list may have ended before the service fails, or with fewer than four messages left.
			const failsAtMs = Number(scene.world.outages[0]?.fromMs) + scene.startMs;
			const wasHit = Number(list?.endMs) > failsAtMs + 1_000;
			if (wasHit) expect(inDoubt).toBeGreaterThanOrEqual(4);
			for (const { endedBecause } of others) expect(endedBecause).toBe('credentialsRefused');
		});
	});

	it('another run takes over if the one that asks or trials is stopped', async () => {
		await always(worlds.whileRunsAreStopped, async (scene) => {
			const [run] = (await leavesFewInDoubt(scene)).runs;
			expect(run?.endedBecause).toBeUndefined();
		});
	});
});

describe('While the service works, on a virtual clock,', () => {
	it('neighbouring rows that always fail cost no other row, and up to 12 of them less than a minute', async () => {
		await always(worlds.withBadRows, async (scene) => {
			const report = await play(scene);
			const { count: bad = 0 } = scene.world.badRows ?? {};
			expect(count(report, 'unknown')).toBe(bad);
			expect(count(report, 'accepted')).toBe(1_000 - bad);
			if (bad <= 12) expect(report.runs[0]?.waited.service).toBeLessThan(MINUTE_MS);
		});
	});

	it('there is no pause, and almost no time is lost, even if one row in fifty fails', async () => {
		await always(worlds.withoutAnOutage, async (scene) => {
			// With random answer times, two runs would differ by chance: messages leave in another order.
			const { to } = scene.world.latencyMs;
			const world = { ...scene.world, latencyMs: { from: to, to } };
			await bounds.costsAtMost({ ...scene, world }, 1_500 + 2 * to);
		});
	});

	it.each([
		[6_000, 100, 200, 500],
		[500, 10, 200, 0],
		[500, 30, 800, 2_000],
	])('2,000 at %i a minute, %i at once, %i ms each, take at most %i ms longer', async (...row) => {
		const [limit, concurrency, latencyMs, extraMs] = row;
		const latency = { from: latencyMs, to: latencyMs };
		const world = { kind: 'clock', limit, seed: 1, latencyMs: latency } as const;
		const scene = worlds.sceneOf(world, [{ requests: 2_000, concurrency }]);
		await bounds.costsAtMost(scene, extraMs);
	});
});

describe('From the start, on a virtual clock,', () => {
	it.each([
		['webPage', 'addressRefused', 'unknown', 1],
		['unauthorized', 'credentialsRefused', 'rejected', 0],
		['forbidden', 'credentialsRefused', 'rejected', 1],
		['notFound', 'addressRefused', 'rejected', 1],
	] as const)('%s ends a run with %s within 10 messages, each %s; %i checks', async (...row) => {
		const [kind, reason, outcome, healthChecks] = row;
		await always(worlds.fromTheStart(kind), async (scene) => {
			const report = await play(scene);
			expect(report.runs[0]?.endedBecause).toBe(reason);
			expect(count(report, 'accepted')).toBe(0);
			expect(count(report, outcome)).toBeLessThanOrEqual(10);
			expect(report.service.checkedAtMs).toHaveLength(healthChecks);
		});
	});

	const ofRows = ['forbidden', 'notFound'] as const;
	it.each(ofRows)('%s concerns single rows after at most two health checks', async (kind) => {
		await always(worlds.fromTheStart(kind, true), async (scene) => {
			const report = await play(scene);
			expect(report.runs[0]?.endedBecause).toBeUndefined();
			expect(count(report, 'rejected')).toBe(300);
			expect(report.service.checkedAtMs.length).toBeLessThanOrEqual(2);
		});
	});

	it('a host that DNS does not know ends a run within half a minute, after several trials', async () => {
		await always(worlds.fromTheStart('unknownHost'), async (scene) => {
			const report = await play(scene);
			const [run] = report.runs;
			expect(run?.endedBecause).toBe('noConnection');
			expect((run?.endMs ?? 0) - (run?.startMs ?? 0)).toBeLessThan(30_000);
			expect(bounds.endings(report).every(({ outcome }) => outcome === 'notSent')).toBe(true);
		});
	});

	it('a closed port is waited for as long as the run may, and half a minute if someone waits', async () => {
		await always(worlds.fromTheStart('refused'), async (scene) => {
			for (const isAwaited of [false, true]) {
				const plans = scene.plans.map((plan) => ({ ...plan, isAwaited }));
				const [run] = (await play({ ...scene, plans })).runs;
				expect(run?.endedBecause).toBe('serviceUnavailable');
				const mostMs = isAwaited ? 30_000 + scene.world.latencyMs.to + LATE_MS : HOUR_MS;
				expect(run?.waited.service).toBeLessThanOrEqual(mostMs);
				expect(run?.waited.service).toBeGreaterThan(mostMs - 27_000);
			}
		});
	});
});
