import type { Limiter } from '../../../../nodes/CustomerMessaging/delivery/dispatchOptions';
import { RateLimiter } from '../../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import { idealMs } from '../../../../simulation/idealTime';
import { type Plan, type Report, type RunReport, simulate } from '../../../../simulation/simulate';
import type { Scene } from './worlds';

type Ending = RunReport['settled'] extends Map<string, infer E> ? E : never;

export type LimiterMaker = (limit: number) => Limiter;

export const realLimiter: LimiterMaker = (limit) => new RateLimiter(limit);

export async function play({ world, plans, startMs }: Scene, make = realLimiter): Promise<Report> {
	return await simulate(world, plans, () => make(world.limit), startMs);
}

/** Concurrency is respected, nothing is sent twice or lost, there is one probe at a time, and every run ends. */
export async function deliversExactlyOnce(scene: Scene, make?: LimiterMaker): Promise<void> {
	const { runs, service, maxProbes } = await play(scene, make);
	expect(maxProbes).toBeLessThanOrEqual(1);
	const wrong = runs.flatMap((run, index) => {
		const plan = scene.plans[index];
		if (plan === undefined) throw new Error('A run without a plan');
		expect(run.maxInFlight).toBeLessThanOrEqual(plan.concurrency);
		// What a run that ended early did not pull is neither sent nor settled.
		if (run.endedBecause === undefined) expect(run.settled.size).toBe(plan.requests);
		else expect(plan.maxWaitMs).not.toBe(Infinity);
		expect(run.waitedMs).toBeLessThanOrEqual((plan.maxWaitMs ?? Infinity) + 500);
		return [...run.settled].filter(([id, ending]) => !isTrue(id, ending, plan, scene, service));
	});
	expect(wrong).toEqual([]);
	const settled = new Set(runs.flatMap((run) => [...run.settled.keys()]));
	expect([...service.left.keys()].filter((id) => !settled.has(id))).toEqual([]);
}

/** Whether the outcome of a request agrees with what the service saw of it. */
function isTrue(
	id: string,
	{ times, outcome }: Ending,
	{ maxWaitMs, retryUnknown }: Plan,
	{ world: { faults } }: Scene,
	service: Report['service'],
): boolean {
	const processed = service.processed.get(id) ?? 0;
	if (times !== 1 || outcome.attempts !== (service.left.get(id) ?? 0)) return false;
	if (processed > 1 && !retryUnknown) return false;
	// With unlimited time no 429 is final, and without faults everything is accepted exactly once.
	const mayWait = maxWaitMs === Infinity;
	const isFaultless = faults.refused + faults.broken + faults.serverError === 0;
	if (mayWait && isFaultless) return outcome.outcome === 'accepted' && processed === 1;
	if (outcome.outcome === 'accepted') return processed >= 1;
	if (outcome.outcome !== 'notSent') return outcome.outcome === 'unknown';
	return processed === 0 && (outcome.reason === 'noConnection' || !mayWait);
}

/** At most 1.10 of the ideal time, and at most 14 responses with 429 in any 60 s. */
export async function isFastWithFewRefusals(scene: Scene, make?: LimiterMaker): Promise<void> {
	const { tookMs, max429PerMinute } = await play(scene, make);
	expect(max429PerMinute).toBeLessThanOrEqual(14);
	expect(tookMs / idealMs(scene.world, scene.plans, scene.startMs)).toBeLessThanOrEqual(1.1);
}

/** Without a header only our own requests are known, so the speed is that of a sliding minute. */
export async function needsNoHeader(scene: Scene, make?: LimiterMaker): Promise<void> {
	const { tookMs, service } = await play(scene, make);
	expect(service.refusedAtMs).toHaveLength(0);
	const sliding = { ...scene.world, kind: 'sliding' as const };
	expect(tookMs / idealMs(sliding, scene.plans, scene.startMs)).toBeLessThanOrEqual(1.1);
}

/** A wrong header slows a run by at most 15 %, compared with a run without any header. */
export async function toleratesHeader(scene: Scene, make?: LimiterMaker): Promise<void> {
	const { tookMs } = await play(scene, make);
	const withoutHeader = { ...scene, world: { ...scene.world, headerMissing: 1 } };
	expect(tookMs / (await play(withoutHeader, make)).tookMs).toBeLessThanOrEqual(1.15);
}

/** The ideal time as a share of the time that the runs took. */
export async function shareOfIdeal(scene: Scene): Promise<number> {
	const { tookMs } = await play(scene);
	return idealMs(scene.world, scene.plans, scene.startMs) / tookMs;
}

/** How many requests were refused, and how many were sent in all. */
export async function refusals(scene: Scene): Promise<{ refused: number; requests: number }> {
	const { runs, service } = await play(scene);
	return {
		refused: service.refusedAtMs.length,
		requests: runs.reduce((sum, run) => sum + run.requests, 0),
	};
}

/** How long the small runs took; the first plan is the large run. */
export async function smallRunsMs(scene: Scene): Promise<number[]> {
	const { runs } = await play(scene);
	return runs.slice(1).map((run) => run.endMs - run.startMs);
}

/** Less than 4 % of what several processes send on one account is refused. */
export async function sharesAnAccount(scene: Scene, make?: LimiterMaker): Promise<void> {
	const { service } = await play(scene, make);
	const requests = scene.plans.reduce((sum, plan) => sum + plan.requests, 0);
	expect(service.refusedAtMs.length / requests).toBeLessThan(0.04);
}

/** Runs of one process share their knowledge: together they are refused no more than one alone. */
export async function sharesAProcess(scene: Scene, make?: LimiterMaker): Promise<void> {
	expect((await play(scene, make)).max429PerMinute).toBeLessThanOrEqual(14);
}
