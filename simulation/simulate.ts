import { dispatch } from '../nodes/CustomerMessaging/delivery/dispatcher';
import type {
	Breaker,
	DispatchResult,
	Limiter,
} from '../nodes/CustomerMessaging/delivery/dispatchOptions';
import { CircuitBreaker } from '../nodes/CustomerMessaging/outage/circuitBreaker';
import type { Outcome } from '../nodes/CustomerMessaging/shared/outcome';
import { MINUTE_MS } from '../nodes/CustomerMessaging/shared/time';
import { seededRandom } from '../sandbox/random';
import { Service } from './service';
import { VirtualClock } from './virtualClock';
import { WatchedLimiter } from './watchedLimiter';
import type { World } from './world';

/** When simulations start unless they say otherwise: at a full minute. */
export const START_MS = 1_000_000 * MINUTE_MS;

/** One run of the node. */
export interface Plan {
	startMs: number;
	requests: number;
	concurrency: number;
	/** Runs of one process share a limiter; processes do not. */
	process: number;
	maxWaitMs?: number;
	maxOutageWaitMs?: number;
	retryUnknown?: boolean;
}

export interface RunReport extends DispatchResult {
	startMs: number;
	endMs: number;
	/** How often each request was settled, and its last outcome. */
	settled: Map<string, { times: number; outcome: Outcome }>;
	maxInFlight: number;
}

export interface Report {
	runs: RunReport[];
	service: Service;
	/** Maximum number of probes in flight in one process. */
	maxProbes: number;
	/** From the first start to the last end. */
	tookMs: number;
	/** Maximum number of 429s in any 60 s. */
	max429PerMinute: number;
}

export type BreakerMaker = () => Breaker;

/** Runs the plans through real `dispatch` loops in one world. Ends, or throws if a run hangs. */
export async function simulate(
	world: World,
	plans: Plan[],
	makeLimiter: () => Limiter,
	startMs = START_MS,
	makeBreaker: BreakerMaker = () => new CircuitBreaker(),
): Promise<Report> {
	const clock = new VirtualClock(startMs);
	const service = new Service(world, clock);
	const random = seededRandom(world.seed + 1);
	const limiters = new Map<number, WatchedLimiter>();
	const breakers = new Map<number, Breaker>();
	const runs = plans.map(async (plan, run): Promise<RunReport> => {
		const limiter = limiters.get(plan.process) ?? new WatchedLimiter(makeLimiter());
		limiters.set(plan.process, limiter);
		const breaker = breakers.get(plan.process) ?? makeBreaker();
		breakers.set(plan.process, breaker);
		await clock.sleep(plan.startMs);
		const settled: RunReport['settled'] = new Map();
		let inFlight = 0;
		let maxInFlight = 0;
		const result = await dispatch(
			names(run, plan.requests),
			{
				limiter,
				breaker,
				clock,
				random,
				writeTime: String,
				ask: async () => ({ reply: await service.ask(), feedback: { kind: 'unanswered' } }),
				async send(id) {
					maxInFlight = Math.max(maxInFlight, ++inFlight);
					const reply = await service.send(id);
					inFlight--;
					return reply;
				},
				settled(id, outcome) {
					settled.set(id, { times: (settled.get(id)?.times ?? 0) + 1, outcome });
				},
			},
			{
				concurrency: plan.concurrency,
				maxWaitMs: plan.maxWaitMs ?? Infinity,
				maxOutageWaitMs: plan.maxOutageWaitMs,
				retryUnknown: plan.retryUnknown ?? false,
				size: plan.requests,
			},
		);
		return { ...result, startMs: startMs + plan.startMs, endMs: clock.now(), settled, maxInFlight };
	});
	const reports = await clock.run(Promise.all(runs), startMs + 24 * 60 * MINUTE_MS);
	return {
		runs: reports,
		service,
		maxProbes: Math.max(...[...limiters.values()].map((limiter) => limiter.maxProbes)),
		tookMs:
			Math.max(...reports.map(({ endMs }) => endMs)) -
			Math.min(...reports.map((report) => report.startMs)),
		max429PerMinute: maxPerMinute(service.refusedAtMs),
	};
}

function* names(run: number, requests: number): Iterable<string> {
	for (let index = 0; index < requests; index++) yield `${run}.${index}`;
}

function maxPerMinute(atMs: number[]): number {
	let max = 0;
	let first = 0;
	atMs.forEach((ms, index) => {
		while ((atMs[first] ?? ms) <= ms - MINUTE_MS) first++;
		max = Math.max(max, index - first + 1);
	});
	return max;
}
