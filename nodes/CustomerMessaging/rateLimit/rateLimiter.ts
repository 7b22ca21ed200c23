import { type Client, ClientQueue, hasPriority, type Permit } from './clientQueue';
import type { Feedback } from './feedback';
import { QuotaEstimator } from './quotaEstimator';

export type { Client, Permit } from './clientQueue';

/** Share of the limit that long runs leave to others and to short runs of this process. */
const RESERVED_SHARE = 0.05;
/** The reserve is given up when as much is expected to come free within this time. */
const RELEASE_MS = 2_000;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 15_000;
/** When to ask again if a response decides. That response wakes the client anyway. */
const FALLBACK_WAIT_MS = 500;

type State =
	| { kind: 'open' }
	/** Nothing leaves before `probeAtMs`; then one request does. `refusals`: probes refused so far. */
	| { kind: 'exhausted'; probeAtMs: number; refusals: number }
	/** One request has left to find out what remains. Nothing else leaves until it is back. */
	| { kind: 'probing'; permit: Permit; refusals: number };

export type Decision =
	{ permit: Permit } | { askAgainAtMs: number; reason: 'limit' | 'probe' | 'concurrency' };

/**
 * Lets requests leave as fast as one rate limit allows, for all runs of the process that share it.
 * There is no clock and no timer inside: times are epoch milliseconds, passed in.
 */
export class RateLimiter {
	private readonly queue = new ClientQueue();
	private state: State = { kind: 'open' };
	private inFlight = 0;

	/** @param random jitter of the back-off, 0 to 1 */
	constructor(
		limitPerMinute: number,
		private readonly random: () => number = Math.random,
		private readonly estimator = new QuotaEstimator(limitPerMinute),
	) {}

	get limitPerMinute(): number {
		return this.estimator.limitPerMinute;
	}

	set limitPerMinute(limitPerMinute: number) {
		this.estimator.limitPerMinute = limitPerMinute;
	}

	/** Whether a client is registered. */
	get inUse(): boolean {
		return !this.queue.isEmpty;
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
		this.queue.wakeNext();
	}

	/** Permits one request now, or says when to ask again. */
	tryAcquire(client: Client, nowMs: number): Decision {
		client.askedAtMs = nowMs;
		if (client.permits.size >= client.concurrency) {
			this.queue.stopWaiting(client);
			return { askAgainAtMs: nowMs + FALLBACK_WAIT_MS, reason: 'concurrency' };
		}
		const mayGo = (other: Client) => this.mayGo(other, nowMs);
		if (!mayGo(client) || this.queue.isBehind(client, nowMs, mayGo)) {
			this.queue.wait(client, nowMs);
			const reason = this.state.kind === 'probing' ? 'probe' : 'limit';
			return { askAgainAtMs: this.askAgainAtMs(client, nowMs), reason };
		}
		this.queue.stopWaiting(client);
		const permit = this.permitFor(client, nowMs);
		this.queue.wakeNext();
		return { permit };
	}

	/** Takes in how the request of a permit ended. */
	release(permit: Permit, feedback: Feedback, nowMs: number): void {
		if (!permit.client.permits.delete(permit)) return;
		this.inFlight--;
		this.estimator.end();
		if ('dateMs' in feedback && feedback.dateMs !== undefined) {
			this.estimator.setClock(feedback.dateMs, nowMs);
		}
		this.state = this.stateAfter(permit, feedback, nowMs);
		this.queue.wakeNext();
	}

	private stateAfter(permit: Permit, feedback: Feedback, nowMs: number): State {
		const { estimator, state } = this;
		const isNewest = estimator.isNewest(permit);
		const wasProbe = state.kind === 'probing' && state.permit === permit;
		const refusals = wasProbe ? state.refusals : 0;

		if (feedback.kind === 'refused' || feedback.kind === 'notCounted') permit.client.sent--;
		if (feedback.kind === 'refused') estimator.refused(permit, nowMs);
		else if (feedback.kind === 'counted') estimator.accepted(feedback.remaining, permit, nowMs);
		else if (feedback.kind === 'unanswered') estimator.accepted(undefined, permit, nowMs);

		// Until the probe is back, the responses to earlier requests change nothing.
		if (state.kind === 'probing' && !wasProbe) return state;
		if ('retryAfterMs' in feedback && feedback.retryAfterMs !== undefined) {
			const toldAtMs = nowMs + feedback.retryAfterMs;
			// The back-off still applies to a refused probe, because a service may always say 0.
			const backoffAtMs = wasProbe ? this.backoffEndsAtMs(refusals, nowMs) : nowMs;
			const probeAtMs = Math.max(toldAtMs, backoffAtMs);
			return { kind: 'exhausted', probeAtMs, refusals: wasProbe ? refusals + 1 : 0 };
		}
		switch (feedback.kind) {
			case 'refused':
				if (wasProbe) return this.backOff(refusals, nowMs);
				return isNewest && state.kind === 'open' ? this.exhausted(nowMs) : state;
			case 'counted':
				if (feedback.remaining === undefined) {
					if (!wasProbe) return state;
					estimator.forgetReading(permit);
				} else if (!isNewest) {
					return state;
				}
				return estimator.remaining(nowMs) === 0 ? this.exhausted(nowMs) : { kind: 'open' };
			default:
				return wasProbe ? { kind: 'exhausted', probeAtMs: nowMs, refusals } : state;
		}
	}

	private permitFor(client: Client, nowMs: number): Permit {
		const permit: Permit = { client, ...this.estimator.depart(nowMs) };
		const { state } = this;
		if (state.kind === 'exhausted') {
			this.state = { kind: 'probing', permit, refusals: state.refusals };
		}
		client.permits.add(permit);
		client.sent++;
		this.inFlight++;
		return permit;
	}

	private exhausted(nowMs: number): State {
		return { kind: 'exhausted', probeAtMs: this.estimator.nextLook(nowMs).atMs, refusals: 0 };
	}

	private backOff(refusals: number, nowMs: number): State {
		const backoffAtMs = this.backoffEndsAtMs(refusals, nowMs);
		const probeAtMs = Math.min(backoffAtMs, this.estimator.nextReset(nowMs).atMs);
		return { kind: 'exhausted', probeAtMs, refusals: refusals + 1 };
	}

	/** Jitter keeps several processes from probing at the same time. */
	private backoffEndsAtMs(refusals: number, nowMs: number): number {
		const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** refusals, MAX_BACKOFF_MS);
		return nowMs + backoffMs * (0.75 + this.random() / 4);
	}

	private mayGo(client: Client, nowMs: number): boolean {
		if (this.state.kind === 'probing') return false;
		if (this.state.kind === 'exhausted') return nowMs >= this.state.probeAtMs;
		if (this.estimator.room(this.inFlight, this.reserveFor(client, nowMs), nowMs) >= 1) return true;
		return this.mayLook(nowMs) && nowMs >= this.estimator.nextLook(nowMs).atMs;
	}

	/** With nothing in flight, no response will say whether a new window has begun. */
	private mayLook(nowMs: number): boolean {
		return this.inFlight === 0 && this.remaining(nowMs) !== null;
	}

	protected get reserve(): number {
		return Math.floor(this.limitPerMinute * RESERVED_SHARE);
	}

	/** How many requests this client must leave to others. */
	private reserveFor(client: Client, nowMs: number): number {
		const isLast = client.size - client.sent <= this.reserve;
		return hasPriority(client) || isLast || nowMs >= this.releaseAtMs(client, nowMs)
			? 0
			: this.reserve;
	}

	/** When this client may use the reserve, since new requests are expected soon. */
	private releaseAtMs(client: Client, nowMs: number): number {
		const expiresMs = this.estimator.expiresAtMs(this.reserve, nowMs);
		const resetMs = this.costsAMinute(client) ? this.estimator.nextLook(nowMs).atMs : Infinity;
		return Math.min(expiresMs, resetMs) - RELEASE_MS;
	}

	/** Whether an unused reserve would make a run one minute longer for its last few requests. */
	protected costsAMinute({ size, sent }: Client): boolean {
		const lastMinute = (size - sent) % this.limitPerMinute;
		return lastMinute > 0 && lastMinute <= this.reserve;
	}

	private askAgainAtMs(client: Client, nowMs: number): number {
		let atMs = nowMs;
		if (this.state.kind === 'exhausted') atMs = this.state.probeAtMs;
		else if (this.state.kind === 'open' && this.inFlight === 0) {
			atMs = Math.min(this.estimator.nextLook(nowMs).atMs, this.releaseAtMs(client, nowMs));
		}
		// What is due already depends on a response or on another client, and either wakes this one.
		return atMs > nowMs ? atMs : nowMs + FALLBACK_WAIT_MS;
	}
}
