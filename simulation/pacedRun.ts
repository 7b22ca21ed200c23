import { Sent } from '../nodes/CustomerMessaging/engine/record/sent';
import { identityFor } from '../nodes/CustomerMessaging/plan/identity';
import type { Pace, PacedRun, Step } from '../nodes/CustomerMessaging/engine/pace/pace';
import type { Run } from '../nodes/CustomerMessaging/run/resolveRun';
import { sendAll } from '../nodes/CustomerMessaging/sendAll';
import {
	isSent,
	type NotSentCode,
	type SentEnding,
} from '../nodes/CustomerMessaging/shared/ending';
import { fakeN8n } from './fakeN8n';
import { makeRun } from './run';
import type { Service } from './service';
import type { VirtualClock } from './virtualClock';
import { TIMEOUT_MS } from './world';

/** One run of the node. Times are relative to the start of the simulation. */
export interface Plan {
	startMs: number;
	requests: number;
	concurrency: number;
	/** Runs of one process share a pace; processes do not. */
	process: number;
	/** Infinite if absent. */
	maxWaitMs?: number;
	isAwaited?: boolean;
	retryUnknown?: boolean;
	/** Whether the service refuses its key. */
	hasOldKey?: boolean;
	/** When somebody stops the run. */
	stopMs?: number;
}

export interface Ending {
	outcome: SentEnding['kind'];
	reason?: NotSentCode;
	attempts: number;
}

export interface RunReport {
	startMs: number;
	endMs: number;
	settled: Map<string, { times: number; ending: Ending }>;
	maxInFlight: number;
	requests: number;
	/** How long it waited for each reason. */
	waited: { limit: number; service: number; key: number };
	endedBecause?: NotSentCode;
	retryAtMs?: number;
}

/** A run of Push > Send. */
function pushRun(plan: Plan): Run {
	const { concurrency, maxWaitMs = Infinity, isAwaited = false, retryUnknown = false } = plan;
	const account = { brandId: 'brand', secret: plan.hasOldKey ? 'old' : 'right' };
	const run = makeRun('push', 'send', account, {
		...{ concurrency, maxWaitMs, retryUnknown, requestTimeoutMs: TIMEOUT_MS },
		maxMessages: Infinity,
	});
	return { ...run, history: { ...run.history, startedByHand: isAwaited } };
}

/** Sends the messages of one run, through a pace and a simulated service. */
export async function sendPaced(
	index: number,
	plan: Plan,
	pace: Pace,
	service: Service,
	clock: VirtualClock,
	random: () => number,
): Promise<RunReport> {
	await clock.sleep(plan.startMs);
	const startMs = clock.now();
	const stop = new AbortController();
	if (plan.stopMs !== undefined) void clock.sleep(plan.stopMs).then(() => stop.abort());
	let inFlight = 0;
	let maxInFlight = 0;
	const n8n = fakeN8n(clock, async (body) => {
		const { id } = body as { id?: string };
		if (id === undefined) return await service.checkHealth(plan.hasOldKey);
		maxInFlight = Math.max(maxInFlight, ++inFlight);
		const reply = await service.send(id, plan.hasOldKey);
		inFlight--;
		return reply;
	});
	const deliveries = Array.from({ length: plan.requests }, (_, itemIndex) => ({
		itemIndex,
		path: '/api/v1/web/send',
		buildBody: () => ({ id: `${index}.${itemIndex}` }),
	}));
	let paced: PacedRun | undefined;
	let end: Extract<Step, { kind: 'end' }> | undefined;
	const watched = new Proxy(pace, {
		get(target, name) {
			const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
			return (...args: unknown[]) => {
				const result = method.apply(target, args);
				if (name === 'register') paced = result as PacedRun;
				if (name === 'mayLeave' && (result as Step).kind === 'end') end = result as typeof end;
				return result;
			};
		},
	});
	const report = await sendAll({
		plan: { deliveries, leftOut: [], invalid: [], earlier: [], itemCount: plan.requests },
		run: pushRun(plan),
		n8n: { ...n8n, random, stop: stop.signal, cancelled: () => stop.signal.aborted },
		sent: new Sent(n8n, { operation: 'push.send' }, identityFor({ isMessage: true })),
		pace: watched,
	});
	const settled: RunReport['settled'] = new Map();
	for (const result of report.results) {
		if (!isSent(result)) throw new Error('A delivery without an outcome');
		const { delivery, ending, attempts } = result;
		const id = `${index}.${delivery.itemIndex}`;
		const isStopped = ending.kind === 'unknown' && ending.values?.code === 'STOPPED';
		const reason = ending.kind === 'notSent' ? ending.code : undefined;
		settled.set(id, {
			times: (settled.get(id)?.times ?? 0) + 1,
			ending: {
				outcome: ending.kind,
				reason: isStopped ? 'stopped' : reason,
				attempts,
			},
		});
	}
	const endMs = clock.now();
	const left = [...settled.values()].some(({ ending }) => ending.reason === 'stopped');
	return {
		startMs,
		endMs,
		settled,
		maxInFlight,
		requests: report.requests,
		waited: { limit: 0, service: 0, key: 0, ...paced?.waited(endMs) },
		endedBecause: end?.reason ?? (left ? 'stopped' : undefined),
		retryAtMs: end?.retryAtMs,
	};
}
