import { hash } from 'node:crypto';

import type { NotSentCode } from '../../shared/ending';
import { ruleOf, type Verdict } from '../policy';
import { CircuitBreaker } from './circuitBreaker';
import { FALLBACK_WAIT_MS, type Feedback, Limit, MEMORY_MS, type Opening } from './limit';
import { type Departure, Quota } from './quota';

/** Someone who waits for an answer waits no longer than this for a failing service. */
const AWAITED_MS = 30_000;
/** A run that waits for something else does not call `mayLeave`. After this time it no longer holds up others. */
const MAX_SILENCE_MS = 1_000;
/** After so many messages of a run that were declined in a row, all are: before its first success, and later. */
const MOST_DECLINED = { first: 10, later: 50 };
/** After so many rejections in a row that may concern all messages, a health check tells whether they do. */
const MANY_REJECTED = 10;
/** A name that DNS does not know for so long, through several tries, is wrong. */
const UNKNOWN_HOST_MS = 4_000;

interface RunOptions {
	concurrency: number;
	/** Number of requests that the run will send; infinite if that is not known. */
	size: number;
	/** The longest wait in all, whatever for. */
	maxWaitMs: number;
	isAwaited: boolean;
	/** Its requests carry several rows that must not be repeated. */
	isBatch?: boolean;
	/** The key or token. A rejection of it ends only runs that send with the same one. */
	key?: string;
	/** Called when it is worth asking again earlier than the last step said. */
	wake: () => void;
}

const endReasons = {
	limit: 'rateLimit',
	service: 'serviceUnavailable',
	key: 'keyInUse',
} as const;
export type WaitReason = keyof typeof endReasons;

export type Step =
	/**
	 * `isTrial`: the message finds out whether the service is back, so a row not sent before is best.
	 * `maxRows`: number of rows that a batch may carry.
	 */
	| { kind: 'send'; permit: Permit; isTrial: boolean; maxRows: number }
	| { kind: 'healthCheck'; permit: Permit }
	/** `reason` is absent while the run only waits for requests in flight. */
	| { kind: 'wait'; untilMs: number; reason?: WaitReason }
	/** `retryAtMs`: when to start again with the rest, if waiting helps. */
	| { kind: 'end'; reason: NotSentCode; retryAtMs?: number };

/** Permission to send one request. Its end must be reported exactly once. */
export interface Permit extends Departure {
	readonly run: PacedRun;
	readonly isHealthCheck: boolean;
}

/** One run that shares the pace of its account and API. */
export class PacedRun {
	readonly permits = new Set<Permit>();
	private counted = 0;
	private succeeded = false;
	private rejectedInARow = 0;
	private declinedInARow = 0;
	/** The rejection that a health check is to explain. */
	private doubt?: Verdict;
	private endsBy?: NotSentCode;
	private readonly waitedMs = { limit: 0, service: 0, key: 0 };
	private waiting?: { reason: WaitReason; sinceMs: number };

	constructor(readonly options: RunOptions) {}

	get hasSuccess(): boolean {
		return this.succeeded;
	}

	/** Why it sends nothing more. */
	get ending(): NotSentCode | undefined {
		return this.endsBy;
	}

	/** Number of requests that left and that the service may have counted. */
	get sent(): number {
		return this.counted;
	}

	/** A health check is to tell whether a rejection concerns all messages. */
	get isInDoubt(): boolean {
		return this.doubt !== undefined;
	}

	depart(permit: Permit): void {
		this.permits.add(permit);
		this.counted++;
	}

	uncount(): void {
		this.counted--;
	}

	endWithoutHost(): void {
		if (!this.succeeded) this.endsBy ??= 'noConnection';
	}

	/** Learns from the reply to a health check with its key. */
	learnFromHealthCheck(verdict: Verdict): void {
		const { ends } = ruleOf(verdict);
		const isConfirmed = this.doubt === verdict && !this.succeeded;
		if (ends?.when === 'atOnce' || isConfirmed) this.endsBy = ends?.as;
		this.doubt = undefined;
	}

	learnFromMessage(verdict: Verdict): void {
		const { ends, service } = ruleOf(verdict);
		if (service === 'works') {
			this.succeeded = true;
			this.rejectedInARow = 0;
			this.declinedInARow = 0;
			this.doubt = undefined;
		} else if (ends?.when === 'atOnce') {
			this.endsBy = ends.as;
		} else if (ends?.when === 'inARow') {
			const most = this.succeeded ? MOST_DECLINED.later : MOST_DECLINED.first;
			if (++this.declinedInARow >= most) this.endsBy ??= ends.as;
		} else if (ends?.when === 'ifConfirmed') {
			this.rejectedInARow++;
			const isFirst = this.rejectedInARow === 1 && !this.succeeded;
			if (isFirst || this.rejectedInARow === MANY_REJECTED) this.doubt = verdict;
		}
	}

	/** Time that the run has waited for each reason. No second counts twice. */
	waited(nowMs: number): Readonly<Record<WaitReason, number>> {
		this.waitFor(this.waiting?.reason, nowMs);
		return this.waitedMs;
	}

	/** The run waits, now for this reason. Without a reason, the wait ends. */
	waitFor(reason: WaitReason | undefined, nowMs: number): void {
		const { waiting } = this;
		if (waiting) this.waitedMs[waiting.reason] += nowMs - waiting.sinceMs;
		this.waiting = reason && { reason, sinceMs: nowMs };
	}
}

/**
 * Says when the requests to one API of an account may leave, for all runs of the process. There is no
 * clock and no timer inside: times are epoch milliseconds, passed in.
 */
export class Pace {
	private readonly runs = new Set<PacedRun>();
	/** Runs with something to send, and when they asked last. The one that has waited longest comes first. */
	private readonly turns = new Map<PacedRun, number>();
	private sharedAtMs = -Infinity;
	/** Since when every request has failed because DNS does not know the host. */
	private unknownHostSinceMs?: number;

	constructor(
		readonly limit: Limit,
		private readonly breaker = new CircuitBreaker(),
	) {}

	get inUse(): boolean {
		return this.runs.size > 0;
	}

	register(options: RunOptions): PacedRun {
		const run = new PacedRun(options);
		this.runs.add(run);
		return run;
	}

	/** Ends a run. Its requests in flight may have been counted. */
	unregister(run: PacedRun, nowMs: number): void {
		for (const permit of run.permits) {
			const verdict = this.breaker.isPending(permit) ? 'unanswered' : 'brokenOff';
			this.completed(permit, { verdict }, nowMs);
		}
		run.waitFor(undefined, nowMs);
		this.runs.delete(run);
		this.turns.delete(run);
		this.wakeAll();
	}

	/** The next step of a run that has something to send. A permit is one for a request that leaves now. */
	mayLeave(run: PacedRun, nowMs: number): Step {
		if (this.runs.size > 1) this.sharedAtMs = nowMs;
		if (run.ending) return this.end(run, { kind: 'end', reason: run.ending }, nowMs);
		if (run.permits.size >= run.options.concurrency) {
			this.turns.delete(run);
			return { kind: 'wait', untilMs: nowMs + FALLBACK_WAIT_MS };
		}
		this.turns.set(run, nowMs);
		const first = [...this.turns.keys()].find((each) => this.isReady(each, nowMs));
		if (first === run) return this.leave(run, nowMs);
		first?.options.wake();
		if (this.allowed(run, nowMs)) return this.hold(run, 'limit', this.limit.nextRoom(nowMs), nowMs);
		if (!this.breaker.isClosed)
			return this.hold(run, 'service', this.breaker.nextHealthCheck(nowMs), nowMs);
		return { kind: 'wait', untilMs: nowMs + FALLBACK_WAIT_MS };
	}

	/** The next step of a run whose messages all wait for keys that other runs hold. */
	waitForKey(run: PacedRun, nowMs: number): Step {
		return this.hold(run, 'key', { untilMs: Infinity, isCertain: false }, nowMs);
	}

	/** A request that was answered 429 may be sent again although others were not sent yet. */
	mayRepeatLimited(): boolean {
		return this.limit.mayRepeatLimited();
	}

	/** @returns whether a message, or health check, was answered 429 for itself alone */
	completed(permit: Permit, feedback: Feedback, nowMs: number): boolean {
		const { breaker } = this;
		const { run, isHealthCheck } = permit;
		if (!run.permits.delete(permit)) return false;
		const { verdict } = feedback;
		const { limit } = ruleOf(verdict);
		if (limit !== 'counted' && limit !== 'unanswered') run.uncount();
		const isPending = breaker.isPending(permit);
		const maxPlaces = [...this.runs].reduce((sum, { options }) => sum + options.concurrency, 0);
		const isOfRow = this.limit.completed(permit, feedback, nowMs);
		breaker.completed(permit, feedback, maxPlaces, nowMs);
		this.learn(verdict, permit, nowMs);
		if (isPending && breaker.isClosed) run.waitFor(undefined, nowMs);
		if (isPending || isHealthCheck) this.wakeAll();
		else this.wakeFirst();
		return isOfRow;
	}

	/** Learns for all runs: DNS may not know the host, and a health check may explain a rejection. */
	private learn(verdict: Verdict, { run, isHealthCheck }: Permit, nowMs: number): void {
		const { ends, service } = ruleOf(verdict);
		if (ends?.when === 'lasting') this.unknownHostSinceMs ??= nowMs;
		else if (service !== 'nothing') this.unknownHostSinceMs = undefined;
		const isHostWrong = nowMs - (this.unknownHostSinceMs ?? nowMs) >= UNKNOWN_HOST_MS;
		for (const each of this.runs) {
			if (isHostWrong) each.endWithoutHost();
			if (isHealthCheck && each.options.key === run.options.key) each.learnFromHealthCheck(verdict);
		}
		if (!isHealthCheck) run.learnFromMessage(verdict);
	}

	/** The kind of request that may leave for a run as far as the service is concerned. */
	private allowed(run: PacedRun, nowMs: number): 'message' | 'healthCheck' | undefined {
		if (!run.isInDoubt || !this.breaker.isClosed)
			return this.breaker.allows(run.options.isBatch === true, nowMs);
		// One of those in flight may succeed, and then the health check is not needed.
		return run.permits.size > 0 ? undefined : 'healthCheck';
	}

	private isReady(run: PacedRun, nowMs: number): boolean {
		const isSilent = nowMs - (this.turns.get(run) ?? nowMs) > MAX_SILENCE_MS;
		if (isSilent || !this.allowed(run, nowMs)) return false;
		const isShared = nowMs - this.sharedAtMs < MEMORY_MS;
		return this.limit.hasRoom(run.sent, run.options.size, isShared, nowMs);
	}

	private leave(run: PacedRun, nowMs: number): Step {
		const isHealthCheck = this.allowed(run, nowMs) === 'healthCheck';
		if (isHealthCheck && !this.breaker.isClosed) {
			const step = this.hold(run, 'service', this.breaker.nextHealthCheck(nowMs), nowMs);
			if (step.kind === 'end') return step;
		}
		const maxRows = run.options.isBatch ? this.breaker.maxRows : Infinity;
		const permit = Object.assign(this.limit.depart(nowMs), { run, isHealthCheck });
		this.breaker.depart(permit);
		run.depart(permit);
		this.turns.delete(run);
		// Until a trial has succeeded, the run still waits for the service.
		const isPending = this.breaker.isPending(permit);
		run.waitFor(isPending ? 'service' : undefined, nowMs);
		this.wakeFirst();
		return isHealthCheck
			? { kind: 'healthCheck', permit }
			: { kind: 'send', permit, isTrial: isPending, maxRows };
	}

	/** Lets a run wait, or ends it. While it has messages in flight, no time counts. */
	private hold(run: PacedRun, reason: WaitReason, opening: Opening, nowMs: number): Step {
		const { untilMs, isCertain, retryAtMs } = opening;
		const [permit] = run.permits;
		if (permit && !this.breaker.isPending(permit)) return { kind: 'wait', untilMs, reason };
		run.waitFor(reason, nowMs);
		// Its own health check or trial ends by itself.
		if (permit) return { kind: 'wait', untilMs: Infinity, reason };
		const waited = run.waited(nowMs);
		const { maxWaitMs, isAwaited } = run.options;
		let leftMs = maxWaitMs - waited.limit - waited.service - waited.key;
		if (reason === 'service' && isAwaited) leftMs = Math.min(leftMs, AWAITED_MS - waited.service);
		const endMs = nowMs + leftMs;
		if ((isCertain ? Math.max(untilMs, nowMs) : nowMs) < endMs)
			return { kind: 'wait', untilMs: Math.min(untilMs, endMs), reason };
		return this.end(run, { kind: 'end', reason: endReasons[reason], retryAtMs }, nowMs);
	}

	private end(run: PacedRun, step: Step, nowMs: number): Step {
		run.waitFor(undefined, nowMs);
		this.turns.delete(run);
		this.wakeFirst();
		return step;
	}

	private wakeFirst(): void {
		const [first] = this.turns.keys();
		first?.options.wake();
	}

	private wakeAll(): void {
		for (const { options } of this.runs) options.wake();
	}
}

/** Paces to remember, so that a process with many accounts does not grow without end. */
const MAX_PACES = 200;
/** The least recently used first. Belongs to the module because all executions of a process share one limit and one outage. */
const paces = new Map<string, Pace>();

/**
 * The pace of a host, identity and API, because that is what the service counts by (spec §8).
 *
 * @param identity the account and its key or token, so that no other credential slows it; only its hash is kept
 */
export function paceOf(
	{ host, identity, api }: { host: string; identity: string; api: string },
	limitPerMinute: number,
): Pace {
	const key = hash('sha256', JSON.stringify([host, identity, api]), 'hex');
	const pace = paces.get(key) ?? new Pace(new Limit(new Quota(limitPerMinute)));
	paces.delete(key);
	for (const [other, { inUse }] of paces)
		if (paces.size >= MAX_PACES && !inUse) paces.delete(other);
	paces.set(key, pace);
	pace.limit.quota.stateLimit(limitPerMinute);
	return pace;
}
