import { Limit } from '../nodes/CustomerMessaging/engine/pace/limit';
import { Quota } from '../nodes/CustomerMessaging/engine/pace/quota';
import { MINUTE_MS } from '../nodes/CustomerMessaging/shared/slices';
import { seededRandom } from '../sandbox/random';
import { type Plan, type RunReport, sendPaced } from './pacedRun';
import { Service } from './service';
import { VirtualClock } from './virtualClock';
import { type Pause, WatchedPace } from './watchedPace';
import type { World } from './world';

/** When simulations start unless they say otherwise: at a full minute. */
export const START_MS = 1_000_000 * MINUTE_MS;

export interface PaceReport {
	runs: RunReport[];
	service: Service;
	/** Maximum number of probes in flight in one process. */
	maxProbes: number;
	pauses: Pause[];
	/** From the first start to the last end. */
	tookMs: number;
	/** Maximum number of 429s in any 60 s. */
	max429PerMinute: number;
}

export type PaceMaker = (limit: number) => WatchedPace;

export const realPace: PaceMaker = (limit) => new WatchedPace(new Limit(new Quota(limit)));

/** Sends the plans through the paces of their processes in one world. Ends, or throws if a run hangs. */
export async function simulatePace(
	world: World,
	plans: readonly Plan[],
	startMs = START_MS,
	make: PaceMaker = realPace,
): Promise<PaceReport> {
	const clock = new VirtualClock(startMs);
	const service = new Service(world, clock);
	const random = seededRandom(world.seed + 1);
	const paces = new Map<number, WatchedPace>();
	const running = plans.map(async (plan, index) => {
		const pace = paces.get(plan.process) ?? make(world.limit);
		paces.set(plan.process, pace);
		return await sendPaced(index, plan, pace, service, clock, random);
	});
	const runs = await clock.run(Promise.all(running), startMs + 24 * 60 * MINUTE_MS);
	const watched = [...paces.values()];
	return {
		runs,
		service,
		maxProbes: Math.max(...watched.map(({ maxProbes }) => maxProbes)),
		pauses: watched.flatMap(({ pauses }) => pauses),
		tookMs:
			Math.max(...runs.map(({ endMs }) => endMs)) -
			Math.min(...runs.map((report) => report.startMs)),
		max429PerMinute: maxPerMinute(service.refusedAtMs),
	};
}

function maxPerMinute(atMs: readonly number[]): number {
	let max = 0;
	let first = 0;
	atMs.forEach((ms, index) => {
		while ((atMs[first] ?? ms) <= ms - MINUTE_MS) first++;
		max = Math.max(max, index - first + 1);
	});
	return max;
}
