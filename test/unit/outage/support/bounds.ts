import { CircuitBreaker } from '../../../../nodes/CustomerMessaging/outage/circuitBreaker';
import { FailureStreak } from '../../../../nodes/CustomerMessaging/outage/failureStreak';
import { RateLimiter } from '../../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import { type BreakerMaker, type Report, simulate } from '../../../../simulation/simulate';
import type { Outage } from '../../../../simulation/world';
import type { Scene } from '../../rateLimit/support/worlds';

/** How many messages an outage may leave in doubt besides those in flight. */
const FEW = 5;
/** So few rows say nothing about the service: if they are the last ones, each uses up its own attempts. */
const NO_OUTAGE_YET = 3;
const RESUME_WITHIN_MS = 30_000;

export async function play(
	{ world, plans, startMs }: Scene,
	makeBreaker?: BreakerMaker,
): Promise<Report> {
	const makeLimiter = () => new RateLimiter(world.limit);
	return await simulate(world, plans, makeLimiter, startMs, makeBreaker);
}

/** Few messages are in doubt after each outage, nobody is reached twice, and every run ends truthfully. */
export async function leavesFewInDoubt(scene: Scene, make?: BreakerMaker): Promise<Report> {
	const report = await play(scene, make);
	const { service, runs } = report;
	const inDoubt = new Map<Outage | undefined, number>();
	for (const [id, { times, outcome }] of runs.flatMap(({ settled }) => [...settled])) {
		const processed = service.processed.get(id) ?? 0;
		expect(times).toBe(1);
		expect(processed).toBeLessThanOrEqual(1);
		if (outcome.outcome === 'accepted') expect(processed).toBe(1);
		if (outcome.outcome === 'notSent') expect(processed).toBe(0);
		if (outcome.outcome !== 'unknown') continue;
		const outage = service.failedIn.get(id)?.outage;
		inDoubt.set(outage, (inDoubt.get(outage) ?? 0) + 1);
	}
	for (const count of inDoubt.values()) {
		expect(count).toBeLessThanOrEqual(service.maxInFlight + FEW);
	}
	return report;
}

/** Once an outage and its last failure are over, sending resumes within 30 s, and what waited is sent. */
export async function resumes(scene: Scene, make?: BreakerMaker): Promise<void> {
	const { service, runs } = await leavesFewInDoubt(scene, make);
	const [outage] = scene.world.outages;
	if (!outage) throw new Error('There is no outage to resume after');
	const failedAtMs = [...service.failedIn.values()].map(({ atMs }) => atMs);
	const overAtMs = Math.max(scene.startMs + outage.toMs, ...failedAtMs);
	const resumedAtMs = service.sentAtMs.find((ms) => ms >= overAtMs);
	if (resumedAtMs !== undefined) {
		expect(resumedAtMs - overAtMs).toBeLessThanOrEqual(RESUME_WITHIN_MS);
	}
	runs.forEach((run, index) => {
		expect(run.endedBecause).toBeUndefined();
		expect(run.settled.size).toBe(scene.plans[index]?.requests);
	});
	const outcomes = runs.flatMap(({ settled }) => [...settled.values()].map((one) => one.outcome));
	const notSent = outcomes.filter(({ outcome }) => outcome === 'notSent');
	expect(notSent.length).toBeLessThanOrEqual(NO_OUTAGE_YET);
	for (const outcome of notSent)
		expect(outcome).toMatchObject({ reason: 'noConnection', attempts: 4 });
}

/**
 * Without failures, the circuit breaker changes nothing. Rows that fail by themselves cost no question. Only if four
 * of them end in a row, as can happen with a hundred in flight, sending waits until the next answer.
 */
export async function staysOutOfTheWay(scene: Scene, make?: BreakerMaker): Promise<void> {
	const { service, tookMs } = await play(scene, make);
	expect(service.askedAtMs).toEqual([]);
	const without = await play(scene, () => new CircuitBreaker(new FailureStreak(Infinity)));
	const { failsEvery, latencyMs } = scene.world;
	// The pause takes the time of one answer, and another order of the rows that of one more.
	const slackMs = failsEvery > 0 ? 2 * latencyMs.to : 0;
	expect(tookMs).toBeLessThanOrEqual(without.tookMs + slackMs);
}
