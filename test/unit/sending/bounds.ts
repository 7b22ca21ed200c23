import type { Pacing } from '../../../nodes/CustomerMessaging/sending/dispatch';
import { Gate } from '../../../nodes/CustomerMessaging/sending/gate';
import { idealMs, type Plan, type Report, type RunReport, simulate } from './simulation';
import type { Scene } from './worlds';

type Ending = RunReport['settled'] extends Map<string, infer E> ? E : never;

export type GateMaker = (limit: number, random: () => number) => Pacing;

export const realGate: GateMaker = (limit, random) => new Gate(limit, random);

export async function play({ world, plans, startMs }: Scene, make = realGate): Promise<Report> {
	return await simulate(world, plans, (random) => make(world.limit, random), startMs);
}

/** Concurrency is kept, nothing is sent twice or lost, one probe at a time, everything ends. */
export async function keepsItsWord(scene: Scene, make?: GateMaker): Promise<void> {
	const { runs, service, mostProbes } = await play(scene, make);
	expect(mostProbes).toBeLessThanOrEqual(1);
	const wrong = runs.flatMap((run, index) => {
		const plan = scene.plans[index];
		if (plan === undefined) throw new Error('A run without a plan');
		expect(run.mostInFlight).toBeLessThanOrEqual(plan.concurrency);
		expect(run.settled.size).toBe(plan.requests);
		expect(run.waitedMs).toBeLessThanOrEqual((plan.maxWaitMs ?? Infinity) + 500);
		return [...run.settled].filter(([id, ending]) => !isRight(id, ending, plan, scene, service));
	});
	expect(wrong).toEqual([]);
}

/** Whether what was said of a request is what the service saw of it. */
function isRight(
	id: string,
	{ times, outcome }: Ending,
	{ maxWaitMs, retryUnknown }: Plan,
	{ world: { faults } }: Scene,
	service: Report['service'],
): boolean {
	const processed = service.processed.get(id) ?? 0;
	if (times !== 1 || outcome.attempts !== (service.left.get(id) ?? 0)) return false;
	if (processed > 1 && !retryUnknown) return false;
	// With time to wait nothing ends with a 429, and without faults all is accepted, once.
	const mayWait = maxWaitMs === Infinity;
	const isFaultless = faults.refused + faults.broken + faults.serverError === 0;
	if (mayWait && isFaultless) return outcome.outcome === 'accepted' && processed === 1;
	if (outcome.outcome === 'accepted') return processed >= 1;
	if (outcome.outcome !== 'notSent') return outcome.outcome === 'unknown';
	return processed === 0 && (outcome.reason === 'noConnection' || !mayWait);
}

/** At most 1.10 of the ideal time, and at most 14 answers of 429 in any 60 s. */
export async function isAsFastAsAllowed(scene: Scene, make?: GateMaker): Promise<void> {
	const { tookMs, most429AMinute } = await play(scene, make);
	expect(most429AMinute).toBeLessThanOrEqual(14);
	expect(tookMs / idealMs(scene.world, scene.plans, scene.startMs)).toBeLessThanOrEqual(1.1);
}

/** Without a header the service can't be told from a sliding minute: as fast as that allows. */
export async function needsNoHeader(scene: Scene, make?: GateMaker): Promise<void> {
	const { tookMs, service } = await play(scene, make);
	expect(service.refusedAtMs).toHaveLength(0);
	const sliding = { ...scene.world, kind: 'sliding' as const };
	expect(tookMs / idealMs(sliding, scene.plans, scene.startMs)).toBeLessThanOrEqual(1.1);
}

/** How long the small runs took; the first plan is the large run. */
export async function smallRunsMs(scene: Scene): Promise<number[]> {
	const { runs } = await play(scene);
	return runs.slice(1).map((run) => run.endMs - run.startMs);
}

/** Fewer than 4 % of what several processes send with one key is refused. */
export async function sharesAKey(scene: Scene, make?: GateMaker): Promise<void> {
	const { service } = await play(scene, make);
	const asked = scene.plans.reduce((sum, { requests }) => sum + requests, 0);
	expect(service.refusedAtMs.length / asked).toBeLessThan(0.04);
}

/** Runs of one process share what is known: together they are refused no more than one. */
export async function sharesAProcess(scene: Scene, make?: GateMaker): Promise<void> {
	expect((await play(scene, make)).most429AMinute).toBeLessThanOrEqual(14);
}
