import type { EndReason, Feedback, Permit } from '../nodes/CustomerMessaging/pace/pace';
import type { Pace } from '../nodes/CustomerMessaging/pace/pace';
import type { Reply } from '../nodes/CustomerMessaging/shared/reply';
import type { Service } from './service';
import type { VirtualClock } from './virtualClock';
import { WakeUp } from './wakeUp';

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
	/** When somebody stops the run. */
	stopMs?: number;
}

export interface Ending {
	outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown';
	reason?: EndReason | 'noConnection' | 'stopped';
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
	endedBecause?: EndReason | 'stopped';
	retryAtMs?: number;
}

interface Row {
	readonly id: string;
	attempts: number;
	failures: number;
	dueMs: number;
	mayHaveArrived: boolean;
}

/** Waits before the second, third and fourth attempt. */
const RETRY_AFTER_MS = [1_000, 2_000, 4_000];

/** What a reply says about the limit and the service, and the outcome if it is final. */
function meaningOf(reply: Reply): { feedback: Feedback; outcome?: Ending['outcome'] } {
	if (reply.kind !== 'answer') {
		const code = reply.kind === 'failure' ? reply.code : '';
		const sign = code === 'ENOTFOUND' ? 'unknownHost' : 'failure';
		if (code === 'ENOTFOUND' || code === 'ECONNREFUSED')
			return { feedback: { sign, limit: 'notCounted' }, outcome: 'notSent' };
		return { feedback: { sign, limit: 'unanswered' }, outcome: 'unknown' };
	}
	const { statusCode, body, remaining, dateMs, retryAfterMs } = reply;
	if (statusCode === 429)
		return { feedback: { sign: 'none', limit: 'refused', dateMs, retryAfterMs } };
	const counted = { limit: 'counted' as const, remaining, dateMs, retryAfterMs };
	if (statusCode >= 500) return { feedback: { sign: 'failure', ...counted }, outcome: 'unknown' };
	if (typeof body === 'string' && body.startsWith('<!DOCTYPE'))
		return { feedback: { sign: 'webPage', ...counted }, outcome: 'unknown' };
	if (statusCode < 300) return { feedback: { sign: 'success', ...counted }, outcome: 'accepted' };
	const signs = { 401: 'unauthorized', 403: 'forbidden', 404: 'notFound' } as const;
	const sign = signs[statusCode as keyof typeof signs] ?? 'success';
	return { feedback: { sign, ...counted }, outcome: 'rejected' };
}

/** Sends the messages of one run as the node does, through a pace and a simulated service. */
export async function sendPaced(
	index: number,
	plan: Plan,
	pace: Pace,
	service: Service,
	clock: VirtualClock,
	random: () => number,
): Promise<RunReport> {
	const { requests, concurrency, maxWaitMs = Infinity, isAwaited = false } = plan;
	await clock.sleep(plan.startMs);
	const startMs = clock.now();
	const wakeUp = new WakeUp(clock);
	const options = { concurrency, size: requests, maxWaitMs, isAwaited, wake: wakeUp.wake };
	const run = pace.register(options);
	const waiting: Row[] = [];
	const inFlight = new Set<Row>();
	const report: RunReport = {
		startMs,
		endMs: startMs,
		settled: new Map(),
		maxInFlight: 0,
		requests: 0,
		waited: { limit: 0, service: 0, key: 0 },
	};
	let pulled = 0;
	let isStopped = false;
	if (plan.stopMs !== undefined) {
		void clock.sleep(plan.stopMs).then(() => {
			isStopped = true;
			wakeUp.wake();
		});
	}

	function settle({ id, attempts, mayHaveArrived }: Row, ending: Omit<Ending, 'attempts'>): void {
		const times = (report.settled.get(id)?.times ?? 0) + 1;
		const { outcome } = ending;
		const reported =
			mayHaveArrived && outcome !== 'accepted' ? { outcome: 'unknown' as const } : ending;
		report.settled.set(id, { times, ending: { ...reported, attempts } });
	}

	function judge(row: Row, outcome?: Ending['outcome']): void {
		const retryMs = RETRY_AFTER_MS[row.failures];
		const mayRetry = outcome === 'notSent' || (outcome === 'unknown' && plan.retryUnknown === true);
		if (outcome === undefined) {
			waiting.unshift(row);
		} else if (mayRetry && retryMs !== undefined) {
			row.failures++;
			row.mayHaveArrived ||= outcome === 'unknown';
			row.dueMs = clock.now() + retryMs * (1 + 0.25 * random());
			waiting.push(row);
		} else {
			settle(row, outcome === 'notSent' ? { outcome, reason: 'noConnection' } : { outcome });
		}
	}

	async function send(permit: Permit, row: Row): Promise<void> {
		waiting.splice(waiting.indexOf(row), 1);
		inFlight.add(row);
		row.attempts++;
		report.requests++;
		report.maxInFlight = Math.max(report.maxInFlight, inFlight.size);
		const { feedback, outcome } = meaningOf(await service.send(row.id));
		pace.cameBack(permit, { ...feedback, row }, clock.now());
		if (inFlight.delete(row)) judge(row, outcome);
		wakeUp.wake();
	}

	async function ask(permit: Permit): Promise<void> {
		report.requests++;
		pace.cameBack(permit, meaningOf(await service.ask()).feedback, clock.now());
		wakeUp.wake();
	}

	while (pulled < requests || waiting.length + inFlight.size > 0) {
		if (isStopped) {
			report.endedBecause = 'stopped';
			for (const row of inFlight) settle(row, { outcome: 'unknown', reason: 'stopped' });
			inFlight.clear();
			break;
		}
		const nowMs = clock.now();
		if (pulled < requests && waiting.length + inFlight.size < concurrency) {
			const id = `${index}.${pulled++}`;
			waiting.push({ id, attempts: 0, failures: 0, dueMs: nowMs, mayHaveArrived: false });
		}
		const due = waiting.filter(({ dueMs }) => dueMs <= nowMs);
		const nextDueMs = waiting.reduce(
			(least, { dueMs }) => (dueMs > nowMs ? Math.min(least, dueMs) : least),
			Infinity,
		);
		const [next] = due;
		if (!next || report.endedBecause) {
			if (report.endedBecause && inFlight.size === 0) break;
			await wakeUp.sleepUntil(nextDueMs);
			continue;
		}
		const step = pace.mayLeave(run, nowMs);
		if (step.kind === 'end') {
			report.endedBecause = step.reason;
			report.retryAtMs = step.retryAtMs;
		} else if (step.kind === 'wait') await wakeUp.sleepUntil(Math.min(step.untilMs, nextDueMs));
		else if (step.kind === 'ask') void ask(step.permit);
		else {
			const fresh = step.isTry ? due.filter(({ attempts }) => attempts === 0).at(-1) : undefined;
			void send(step.permit, fresh ?? next);
		}
	}
	for (const row of waiting) settle(row, { outcome: 'notSent', reason: report.endedBecause });
	pace.unregister(run, clock.now());
	report.endMs = clock.now();
	report.waited = { ...run.waited(clock.now()) };
	return report;
}
