import { MINUTE_MS } from '../shared/time';
import { type Client, ClientQueue, type Permit } from './clientQueue';
import type { Feedback } from './feedback';
import { QuotaEstimator } from './quotaEstimator';
import { placesKept, reserveOf } from './reserve';
import type { Reason, State } from './limiterState';

export type { Client, Permit } from './clientQueue';

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 15_000;
/** A longer `Retry-After` is cut to this, because only a restart would end it. */
const MAX_RETRY_AFTER_MS = 24 * 60 * MINUTE_MS;
/** A waiting client that has not asked for this long does not hold up others. */
const MAX_SILENCE_MS = 1_000;
/** When to ask again if a response or the passing time decides. A response wakes the client anyway. */
const FALLBACK_WAIT_MS = 500;

/** `retryAfter`: the service said when to ask again, so nothing will leave earlier. */
export type Decision =
	| { permit: Permit }
	| { askAgainAtMs: number; reason: 'limit' | 'retryAfter' | 'probe' | 'concurrency' };

/**
 * Lets requests leave as fast as one rate limit allows, for all runs of the process that share it.
 * There is no clock and no timer inside: times are epoch milliseconds, passed in.
 */
export class RateLimiter {
	private readonly queue = new ClientQueue();
	private state: State = { kind: 'open' };
	private inFlight = 0;
	private sharedAtMs = -Infinity;

	/** @param random jitter of the back-off, 0 to 1 */
	constructor(
		limitPerMinute: number,
		private readonly random: () => number = Math.random,
		private readonly estimator = new QuotaEstimator(limitPerMinute),
	) {}

	/** Takes in the limit that a credential of the account states. */
	stateLimit(limitPerMinute: number): void {
		this.estimator.stateLimit(limitPerMinute);
	}

	/** Whether a client is registered. */
	get inUse(): boolean {
		return this.queue.size > 0;
	}

	/** What the service last said remains in the current minute; null if it has not said. */
	remaining(nowMs: number): number | null {
		return this.estimator.remaining(nowMs);
	}

	/**
	 * @param wake called when the client should ask again earlier than it was told
	 * @param size how many requests the client will send, if that is known
	 */
	register(concurrency: number, wake: () => void = () => {}, size = Infinity): Client {
		return this.queue.register(concurrency, wake, size);
	}

	/** Ends a client. The requests that it still has in flight may have been counted. */
	unregister(client: Client, nowMs: number): void {
		for (const permit of client.permits) this.release(permit, { kind: 'unanswered' }, nowMs);
		this.queue.unregister(client);
		this.queue.first()?.wake();
	}

	/** Permits one request now, or says when to ask again. */
	tryAcquire(client: Client, nowMs: number): Decision {
		client.askedAtMs = nowMs;
		if (this.queue.size > 1) this.sharedAtMs = nowMs;
		if (client.permits.size >= client.concurrency) {
			this.queue.stopWaiting(client);
			return { askAgainAtMs: nowMs + FALLBACK_WAIT_MS, reason: 'concurrency' };
		}
		this.queue.wait(client, nowMs);
		const first = this.queue.first((waiting) => this.mayGo(waiting, nowMs));
		if (first !== client) {
			first?.wake();
			return this.wait(nowMs);
		}
		this.queue.stopWaiting(client);
		const permit = this.permitFor(client, nowMs);
		this.queue.first()?.wake();
		return { permit };
	}

	/** Takes in how the request of a permit ended. */
	release(permit: Permit, feedback: Feedback, nowMs: number): void {
		const { client } = permit;
		if (!client.permits.delete(permit)) return;
		this.inFlight--;
		if (feedback.kind === 'refused' || feedback.kind === 'notCounted') client.sent--;
		const { state } = this;
		const probe = state.kind === 'probing' && state.permit === permit ? state : undefined;
		this.takeIn(permit, feedback, probe?.reason, nowMs);
		// Until the probe is back, the responses to earlier requests change nothing.
		if (probe || state.kind !== 'probing') {
			this.state = this.stateAfter(feedback, probe?.refusals, nowMs);
		}
		this.queue.first()?.wake();
	}

	private takeIn(permit: Permit, feedback: Feedback, probe: Reason | undefined, nowMs: number) {
		const { estimator } = this;
		if ('dateMs' in feedback && feedback.dateMs !== undefined) {
			estimator.setClock(feedback.dateMs, nowMs);
		}
		switch (feedback.kind) {
			case 'refused':
				return estimator.refused(permit, probe, nowMs);
			case 'counted':
				if (probe && feedback.remaining === undefined) estimator.forgetReading();
				return estimator.counted(feedback.remaining, permit, nowMs);
			case 'unanswered':
				return estimator.counted(undefined, permit, nowMs);
		}
	}

	/** @param refusals probes refused before, if the request was a probe */
	private stateAfter(feedback: Feedback, refusals: number | undefined, nowMs: number): State {
		const { state, estimator } = this;
		const isProbe = refusals !== undefined;
		if ('retryAfterMs' in feedback && feedback.retryAfterMs !== undefined) {
			const toldMs = nowMs + Math.min(feedback.retryAfterMs, MAX_RETRY_AFTER_MS);
			// The back-off still applies to a refused probe, because a service may always say 0.
			const probeAtMs = isProbe ? Math.max(toldMs, this.backOffEndsAtMs(refusals, nowMs)) : toldMs;
			return {
				kind: 'exhausted',
				probeAtMs,
				reason: 'retryAfter',
				refusals: isProbe ? refusals + 1 : 0,
			};
		}
		if (state.kind === 'exhausted' && state.reason === 'retryAfter') return state;
		if (isProbe && feedback.kind === 'refused') return this.exhausted(refusals, nowMs);
		if (isProbe && feedback.kind !== 'counted') {
			return { kind: 'exhausted', probeAtMs: nowMs, reason: 'backOff', refusals };
		}
		if (!estimator.isUsedUp(nowMs)) return { kind: 'open' };
		return state.kind === 'exhausted' ? state : this.exhausted(0, nowMs);
	}

	private exhausted(refusals: number, nowMs: number): State {
		const isPredictable = refusals > 0 || this.estimator.explainsUsedLimit(nowMs);
		const reset = isPredictable ? this.estimator.nextReset(nowMs) : undefined;
		const probeAtMs = reset?.atMs ?? this.backOffEndsAtMs(refusals, nowMs);
		return {
			kind: 'exhausted',
			probeAtMs,
			reason: reset?.heuristic ?? 'backOff',
			refusals: refusals + 1,
		};
	}

	/** Jitter keeps several processes from probing at the same time. */
	private backOffEndsAtMs(refusals: number, nowMs: number): number {
		const backOffMs = Math.min(FIRST_BACKOFF_MS * 2 ** refusals, MAX_BACKOFF_MS);
		return nowMs + backOffMs * (0.75 + this.random() / 4);
	}

	private permitFor(client: Client, nowMs: number): Permit {
		const permit: Permit = { client, ...this.estimator.depart(nowMs) };
		if (this.state.kind === 'exhausted') this.state = { ...this.state, kind: 'probing', permit };
		client.permits.add(permit);
		client.sent++;
		this.inFlight++;
		return permit;
	}

	private mayGo(client: Client, nowMs: number): boolean {
		const isSilent = nowMs - client.askedAtMs > MAX_SILENCE_MS;
		if (isSilent || this.state.kind === 'probing') return false;
		if (this.state.kind === 'exhausted') return nowMs >= this.state.probeAtMs;
		return this.estimator.room(this.inFlight, this.reserveFor(client, nowMs), nowMs) >= 1;
	}

	protected reserveFor(client: Client, nowMs: number): number {
		const { limitPerMinute } = this.estimator;
		const soon = {
			roomInMs: this.estimator.expiresAtMs(reserveOf(limitPerMinute), nowMs) - nowMs,
			fullMinuteInMs: this.estimator.fullMinuteAtMs(nowMs) - nowMs,
		};
		return placesKept(client, limitPerMinute, soon, nowMs - this.sharedAtMs);
	}

	private wait(nowMs: number): Decision {
		const { state, estimator } = this;
		let askAgainAtMs = nowMs + FALLBACK_WAIT_MS;
		if (state.kind === 'probing') return { askAgainAtMs, reason: 'probe' };
		if (state.kind === 'exhausted' && state.probeAtMs > nowMs) askAgainAtMs = state.probeAtMs;
		else if (estimator.room(0, 0, nowMs) < 1) askAgainAtMs = estimator.expiresAtMs(1, nowMs);
		const isTold = state.kind === 'exhausted' && state.reason === 'retryAfter';
		return { askAgainAtMs, reason: isTold ? 'retryAfter' : 'limit' };
	}
}
