import { Limit } from '../../../../../nodes/CustomerMessaging/engine/pace/limit';
import { Quota } from '../../../../../nodes/CustomerMessaging/engine/pace/quota';
import { CircuitBreaker } from '../../../../../nodes/CustomerMessaging/engine/pace/circuitBreaker';
import { MINUTE_MS } from '../../../../../nodes/CustomerMessaging/shared/slices';
import type { Ending, Plan } from '../../../../../simulation/pacedRun';
import * as simulated from '../../../../../simulation/simulatePace';
import { WatchedPace } from '../../../../../simulation/watchedPace';
import { TIMEOUT_MS } from '../../../../../simulation/world';
import type { Scene } from './worlds';

/** How many messages an outage may leave in doubt besides those in flight at its fourth failure. */
const FEW = 5;
/** How much later than asked a sleep may end. */
export const LATE_MS = 2;

export const play = async (
	scene: Scene,
	make: simulated.PaceMaker = simulated.realPace,
): Promise<simulated.PaceReport> =>
	await simulated.simulatePace(scene.world, scene.plans, scene.startMs, make);

export const endings = (report: simulated.PaceReport): Ending[] =>
	report.runs.flatMap(({ settled }) => [...settled.values()].map(({ ending }) => ending));

export const count = (report: simulated.PaceReport, outcome: Ending['outcome']): number =>
	endings(report).filter((ending) => ending.outcome === outcome).length;

/**
 * Concurrency is respected, nothing is sent twice or lost, what got 429 is asked again, there is one trial
 * at a time, and every run ends in time.
 */
export async function deliversExactlyOnce(scene: Scene): Promise<simulated.PaceReport> {
	const report = await play(scene);
	const { runs, service, maxProbes } = report;
	expect(maxProbes).toBeLessThanOrEqual(1);
	const wrong = runs.flatMap((run, index) => {
		const plan = scene.plans[index];
		if (plan === undefined) throw new Error('A run without a plan');
		expect(run.maxInFlight).toBeLessThanOrEqual(plan.concurrency);
		if (run.endedBecause === undefined) expect(run.settled.size).toBe(plan.requests);
		const { waited, startMs, endMs } = run;
		const { maxWaitMs = Infinity, isAwaited } = plan;
		// Waits count once each, and end with `maxWait`, a health check and a trial.
		const totalMs = waited.limit + waited.service + waited.key;
		expect(totalMs).toBeLessThanOrEqual(maxWaitMs + 2 * TIMEOUT_MS + LATE_MS);
		expect(Math.floor(totalMs)).toBeLessThanOrEqual(Math.ceil(endMs - startMs));
		if (isAwaited) expect(waited.service).toBeLessThanOrEqual(3 * TIMEOUT_MS + LATE_MS);
		return [...run.settled].filter(([id, one]) => !isTrue(id, one, plan, scene, service));
	});
	expect(wrong).toEqual([]);
	const settled = new Set(runs.flatMap((run) => [...run.settled.keys()]));
	expect([...service.left.keys()].filter((id) => !settled.has(id))).toEqual([]);
	return report;
}

/** Whether the outcome of a request agrees with what the service saw of it. */
function isTrue(
	id: string,
	{ times, ending }: { times: number; ending: Ending },
	{ maxWaitMs = Infinity, retryUnknown = false, stopMs }: Plan,
	{ world: { faults, outages, badRows } }: Scene,
	service: simulated.PaceReport['service'],
): boolean {
	const processed = service.processed.get(id) ?? 0;
	if (times !== 1 || ending.attempts !== (service.left.get(id) ?? 0)) return false;
	if (processed > 1 && !retryUnknown) return false;
	// Three answers of 429 that concern the request alone are final.
	const isRefused = (service.answered429.get(id) ?? 0) >= 3;
	if (isRefused && ending.reason === 'rateLimit') return processed === 0;
	// With unlimited time no other 429 is final, and without faults everything is accepted exactly once.
	const isFaultless =
		faults.refused + faults.broken + faults.serverError + outages.length === 0 && !badRows;
	if (maxWaitMs === Infinity && isFaultless)
		return ending.outcome === 'accepted' && processed === 1;
	if (ending.outcome === 'accepted') return processed >= 1;
	if (ending.outcome === 'unknown') return true;
	if (ending.outcome === 'rejected') return processed === 0;
	const mayEnd = maxWaitMs < Infinity || stopMs !== undefined;
	return processed === 0 && (ending.reason === 'noConnection' || mayEnd);
}

/** Few messages are in doubt after each pause. */
export async function leavesFewInDoubt(scene: Scene): Promise<simulated.PaceReport> {
	const report = await deliversExactlyOnce(scene);
	const { pauses, service } = report;
	const { outages, latencyMs } = scene.world;
	const lateMs = Math.max(TIMEOUT_MS, latencyMs.to);
	const failed = [...service.failedIn.values()];
	let most = 0;
	for (const { inFlight, failedTrials } of pauses) most += inFlight + FEW + failedTrials;
	for (const one of outages) {
		const fromMs = scene.startMs + one.fromMs;
		const toMs = scene.startMs + one.toMs;
		// A short outage ends before four rows have failed in a row: only what was in flight then can fail.
		if (!pauses.some(({ fromMs: ms }) => ms >= fromMs && ms <= toMs + lateMs))
			most += service.maxInFlight + FEW;
		// What had left when an outage began fails in any order, with successes between. Up to three rows that fail at
		// its end make no pause.
		most += Math.max(3, failed.filter((row) => row.outage === one && row.leftMs < fromMs).length);
	}
	// A hanging service costs as many runs of one row as arrive before the first of them times out.
	const hangs = outages.filter(({ kind }) => kind === 'hang');
	for (const { startMs, requests } of scene.plans) {
		const isIn = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
			startMs >= fromMs - latencyMs.to && startMs <= Math.min(toMs, fromMs + TIMEOUT_MS);
		if (requests === 1 && hangs.some(isIn)) most++;
	}
	// What was in flight when somebody stopped its run is in doubt for that reason.
	const inDoubt = endings(report).filter(
		({ outcome, reason }) => outcome === 'unknown' && reason !== 'stopped',
	);
	expect(inDoubt.length).toBeLessThanOrEqual(most);
	return report;
}

/** Once an outage and its last failure are over, sending resumes in time, and what waited is sent. */
export async function resumes(scene: Scene): Promise<simulated.PaceReport> {
	const report = await leavesFewInDoubt(scene);
	const { service, runs, pauses } = report;
	const [outage] = scene.world.outages;
	if (!outage) throw new Error('There is no outage to resume after');
	const failedAtMs = [...service.failedIn.values()].map(({ atMs }) => atMs);
	const overAtMs = Math.max(scene.startMs + outage.toMs, ...failedAtMs);
	const resumedAtMs = service.sentAtMs.find((ms) => ms >= overAtMs);
	if (resumedAtMs !== undefined) {
		const isLate = pauses.some(({ failedTrials }) => failedTrials >= 10);
		// After the delay, the health check takes the time of an answer.
		const withinMs = (isLate ? 5 * MINUTE_MS : 30_000) + scene.world.latencyMs.to;
		expect(resumedAtMs - overAtMs).toBeLessThanOrEqual(withinMs);
	}
	// `deliversExactlyOnce` has counted what they sent.
	for (const { endedBecause } of runs) expect(endedBecause).toBeUndefined();
	const notSent = endings(report).filter(({ outcome }) => outcome === 'notSent');
	// Each of them used up its own attempts, before the fourth row failed or as a trial.
	const trials = pauses.reduce((sum, { failedTrials }) => sum + failedTrials, 0);
	expect(notSent.length).toBeLessThanOrEqual(3 + trials);
	for (const ending of notSent)
		expect(ending).toMatchObject({ reason: 'noConnection', attempts: 4 });
	return report;
}

/** As many as it had sent itself, or fewer, whatever its messages do. */
class AlwaysSending extends CircuitBreaker {
	override allows(): 'message' {
		return 'message';
	}

	override depart(): void {}
	override completed(): void {}
}

/** A pace without slow start and pause. */
const boldPace: simulated.PaceMaker = (limit) =>
	new WatchedPace(new Limit(new Quota(limit)), new AlwaysSending());

/** Without an outage there is no pause, and the slow start costs at most so much time. */
export async function costsAtMost(scene: Scene, extraMs: number): Promise<void> {
	const { tookMs, pauses, service } = await play(scene);
	expect(pauses).toEqual([]);
	expect(service.checkedAtMs).toEqual([]);
	expect(tookMs).toBeLessThanOrEqual((await play(scene, boldPace)).tookMs + extraMs);
}
