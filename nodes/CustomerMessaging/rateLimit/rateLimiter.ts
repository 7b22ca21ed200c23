import { MINUTE_MS } from '../shared/time';
import type { Feedback } from './feedback';
import { backOffEndsAtMs, type Cause, ProbeTimes } from './probeTimes';
import { type Departure, Quota } from './quota';
import { placesKept, reserveWithin } from './reserve';

/** A longer `Retry-After` is cut to this. The limit is per minute, and a new key inherits the wait. */
const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;
/** For how long after two runs were seen together each leaves the whole reserve to others. */
const SHARED_MS = 5 * MINUTE_MS;
/** A run that waits for the service as well does not ask. After this time it no longer holds up others. */
const MAX_SILENCE_MS = 1_000;
/** When to ask again if a response decides. The response wakes the run anyway. */
const FALLBACK_WAIT_MS = 500;

/** One run that sends requests under a shared limit. */
export interface Client {
	readonly concurrency: number;
	/** Called when it is worth asking again. */
	readonly wake: () => void;
	/** How many requests it will send; infinite if that is not known. */
	readonly size: number;
	readonly permits: Set<Permit>;
	sent: number;
	askedAtMs: number;
}

/** Permission to send one request. It must be released exactly once. */
export interface Permit extends Departure {
	readonly client: Client;
}

/** `retryAfter`: the service said when to ask again, so nothing is sent earlier. */
export type Decision =
	| { permit: Permit }
	| { askAgainAtMs: number; reason: 'limit' | 'retryAfter' | 'probe' | 'concurrency' };

/** Nothing is sent before `untilMs`. Then one request, the probe, finds out whether more is possible. */
interface Block {
	readonly untilMs: number;
	readonly cause: Cause | 'retryAfter';
	/** How many probes were refused in a row. */
	readonly refusals: number;
	readonly probe?: Permit;
}

/**
 * Sends requests as fast as one rate limit allows, for all runs of the process that share it.
 * There is no clock and no timer inside: times are epoch milliseconds, passed in.
 */
export class RateLimiter {
	private readonly clients = new Set<Client>();
	/** The one that has waited longest comes first. */
	private readonly waiting = new Set<Client>();
	private block?: Block;
	private inFlight = 0;
	private sharedAtMs = -Infinity;

	constructor(
		limitPerMinute: number,
		private readonly quota = new Quota(limitPerMinute),
		private readonly probeTimes = new ProbeTimes(),
	) {}

	/** Takes in the limit that a credential of the account states. */
	stateLimit(limitPerMinute: number): void {
		this.quota.stateLimit(limitPerMinute);
	}

	/** Whether a client is registered. */
	get inUse(): boolean {
		return this.clients.size > 0;
	}

	/** What the service last said remains in the current minute; null if it has not said. */
	remaining(nowMs: number): number | null {
		return this.quota.remaining(nowMs);
	}

	/**
	 * @param wake called when the client should ask again earlier than it was told
	 * @param size how many requests the client will send, if that is known
	 */
	register(concurrency: number, wake: () => void = () => {}, size = Infinity): Client {
		const permits = new Set<Permit>();
		const client = { concurrency, wake, size, permits, sent: 0, askedAtMs: -Infinity };
		this.clients.add(client);
		return client;
	}

	/** Ends a client. The requests that it still has in flight may have been counted. */
	unregister(client: Client, nowMs: number): void {
		for (const permit of client.permits) this.release(permit, { kind: 'unanswered' }, nowMs);
		this.clients.delete(client);
		this.waiting.delete(client);
		this.wakeFirst();
	}

	/** Permits one request now, or says when to ask again. */
	tryAcquire(client: Client, nowMs: number): Decision {
		client.askedAtMs = nowMs;
		if (this.clients.size > 1) this.sharedAtMs = nowMs;
		if (client.permits.size >= client.concurrency) {
			this.waiting.delete(client);
			return { askAgainAtMs: nowMs + FALLBACK_WAIT_MS, reason: 'concurrency' };
		}
		this.waiting.add(client);
		const first = [...this.waiting].find((each) => this.maySend(each, nowMs));
		if (first !== client) {
			first?.wake();
			return this.wait(nowMs);
		}
		this.waiting.delete(client);
		const permit: Permit = { client, ...this.quota.depart(nowMs) };
		if (this.block) this.block = { ...this.block, probe: permit };
		client.permits.add(permit);
		client.sent++;
		this.inFlight++;
		this.wakeFirst();
		return { permit };
	}

	/** Takes in how the request of a permit ended. */
	release(permit: Permit, feedback: Feedback, nowMs: number): void {
		const { client } = permit;
		if (!client.permits.delete(permit)) return;
		this.inFlight--;
		if (feedback.kind === 'refused' || feedback.kind === 'notCounted') client.sent--;
		this.learn(permit, feedback, nowMs);
		// Until the probe is back, the responses to earlier requests change nothing.
		const { probe } = this.block ?? {};
		if (!probe || probe === permit) this.block = this.blockAfter(feedback, !!probe, nowMs);
		this.wakeFirst();
	}

	private learn(permit: Permit, feedback: Feedback, nowMs: number): void {
		const { quota, probeTimes, block } = this;
		const { kind, dateMs, remaining } = feedback;
		if (dateMs !== undefined) probeTimes.setClock(dateMs, nowMs);
		const isProbe = block?.probe === permit;
		// More is possible, but nobody says how much.
		if (isProbe && kind === 'counted' && remaining === undefined) quota.forgetReading();
		if (kind === 'counted' || kind === 'unanswered') quota.counted(remaining, permit, nowMs);
		if (kind === 'refused') quota.refused(permit, nowMs);
		if (isProbe && kind === 'refused') probeTimes.wasWrong(block.cause, nowMs);
	}

	private blockAfter(feedback: Feedback, isProbe: boolean, nowMs: number): Block | undefined {
		const { block } = this;
		const { kind, retryAfterMs } = feedback;
		const refusals = (isProbe && block?.refusals) || 0;
		if (retryAfterMs !== undefined) {
			const toldMs = nowMs + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
			// The back-off still applies to a probe, because a service may always say 0.
			const untilMs = isProbe ? Math.max(toldMs, backOffEndsAtMs(refusals, nowMs)) : toldMs;
			return { untilMs, cause: 'retryAfter', refusals: isProbe ? refusals + 1 : 0 };
		}
		if (!isProbe && block?.cause === 'retryAfter') return block;
		if (isProbe && kind === 'refused') return this.newBlock(refusals + 1, nowMs);
		// Another probe has to find out.
		if (isProbe && kind !== 'counted') return { untilMs: nowMs, cause: 'backOff', refusals };
		if (!this.quota.isUsedUp(nowMs)) return undefined;
		return !isProbe && block ? block : this.newBlock(0, nowMs);
	}

	private newBlock(refusals: number, nowMs: number): Block {
		return { ...this.probeTimes.next(this.quota, refusals, nowMs), refusals };
	}

	private maySend(client: Client, nowMs: number): boolean {
		const { block, quota } = this;
		if (nowMs - client.askedAtMs > MAX_SILENCE_MS) return false;
		if (block) return !block.probe && nowMs >= block.untilMs;
		const kept = placesKept(
			client,
			quota.limitPerMinute,
			nowMs - this.sharedAtMs < SHARED_MS,
			quota.expiresAtMs(reserveWithin(quota.limitPerMinute), nowMs) - nowMs,
			this.probeTimes.fullMinuteAtMs(nowMs) - nowMs,
		);
		return quota.room(this.inFlight, kept, nowMs) >= 1;
	}

	private wait(nowMs: number): Decision {
		const { block, quota } = this;
		let askAgainAtMs = nowMs + FALLBACK_WAIT_MS;
		if (block?.probe) return { askAgainAtMs, reason: 'probe' };
		if (block && block.untilMs > nowMs) askAgainAtMs = block.untilMs;
		else if (quota.room(0, 0, nowMs) < 1) askAgainAtMs = quota.expiresAtMs(1, nowMs);
		return { askAgainAtMs, reason: block?.cause === 'retryAfter' ? 'retryAfter' : 'limit' };
	}

	private wakeFirst(): void {
		const [first] = this.waiting;
		first?.wake();
	}
}
