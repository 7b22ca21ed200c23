import type { Limiter } from '../nodes/CustomerMessaging/delivery/dispatchOptions';
import type { Feedback } from '../nodes/CustomerMessaging/rateLimit/feedback';
import type { Client, Decision, Permit } from '../nodes/CustomerMessaging/rateLimit/rateLimiter';
import { MINUTE_MS } from '../nodes/CustomerMessaging/shared/time';

/** The common part of the simple pacers that are compared with the limiter. */
abstract class Pacer implements Limiter {
	private seq = 0;

	constructor(protected readonly limit: number) {}

	/** When the next request may leave. */
	protected abstract opensAt(nowMs: number): number;
	protected abstract left(nowMs: number): void;
	protected abstract came(permit: Permit, feedback: Feedback, nowMs: number): void;

	register(concurrency: number, wake: () => void = () => {}, size = Infinity): Client {
		const permits = new Set<Permit>();
		return { concurrency, wake, size, permits, sent: 0, askedAtMs: -Infinity };
	}

	tryAcquire(client: Client, nowMs: number): Decision {
		if (client.permits.size >= client.concurrency) {
			return { askAgainAtMs: Infinity, reason: 'concurrency' };
		}
		const opensMs = this.opensAt(nowMs);
		if (opensMs > nowMs) return { askAgainAtMs: opensMs, reason: 'limit' };
		const permit: Permit = { client, seq: ++this.seq, sentMs: nowMs };
		client.permits.add(permit);
		this.left(nowMs);
		return { permit };
	}

	release(permit: Permit, feedback: Feedback, nowMs: number): void {
		if (permit.client.permits.delete(permit)) this.came(permit, feedback, nowMs);
	}

	unregister(client: Client): void {
		client.permits.clear();
	}
}

const isRefusal = ({ kind }: Feedback) => kind === 'refused';

/** Sends requests at equal intervals: a minute divided by the limit. Refused requests are sent again. */
export class FixedSpacing extends Pacer {
	private nextMs = -Infinity;

	protected opensAt(): number {
		return this.nextMs;
	}

	protected left(nowMs: number): void {
		this.nextMs = Math.max(nowMs, this.nextMs + MINUTE_MS / this.limit);
	}

	protected came(): void {}
}

/** At most `limit` of our own requests in any 60 s. */
export class OwnLog extends Pacer {
	private readonly log: number[] = [];
	private first = 0;

	opensAt(nowMs: number): number {
		while ((this.log[this.first] ?? Infinity) <= nowMs - MINUTE_MS) this.first++;
		const isFull = this.log.length - this.first >= this.limit;
		return isFull ? (this.log[this.first] ?? nowMs) + MINUTE_MS : nowMs;
	}

	left(nowMs: number): void {
		this.log.push(nowMs);
	}

	protected came(): void {}
}

/** As fast as possible until nothing remains, then nothing for 60 s. */
export class BurstAndWait extends Pacer {
	private pausedUntilMs = -Infinity;

	protected opensAt(): number {
		return this.pausedUntilMs;
	}

	protected left(): void {}

	protected came(permit: Permit, feedback: Feedback, nowMs: number): void {
		if (!isRefusal(feedback) && feedback.remaining !== 0) return;
		if (permit.sentMs >= this.pausedUntilMs) this.pausedUntilMs = nowMs + MINUTE_MS;
	}
}

/** Additive increase with every response, multiplicative decrease at most once a second. */
export class Aimd extends Pacer {
	private perMinute = this.limit / 2;
	private nextMs = -Infinity;
	private halvedMs = -Infinity;

	protected opensAt(): number {
		return this.nextMs;
	}

	protected left(nowMs: number): void {
		this.nextMs = Math.max(nowMs, this.nextMs + MINUTE_MS / this.perMinute);
	}

	protected came(_permit: Permit, feedback: Feedback, nowMs: number): void {
		if (!isRefusal(feedback)) this.perMinute += 1;
		else if (nowMs - this.halvedMs >= 1_000) {
			this.perMinute = Math.max(this.limit / 20, this.perMinute / 2);
			this.halvedMs = nowMs;
		}
	}
}

/**
 * A simple compromise: what remains according to the newest header, minus what is in flight. At zero or after
 * a 429, one probe with a doubling back-off; `Retry-After` comes first. Without headers, our own log.
 */
export class MiddleWay extends Pacer {
	private remaining?: number;
	private newestSeq = 0;
	private inFlight = 0;
	private backoffMs = 0;
	private probeAtMs = -Infinity;
	private isProbing = false;
	private readonly log = new OwnLog(this.limit);

	protected opensAt(nowMs: number): number {
		if (this.isProbing) return nowMs + 100;
		if (this.backoffMs > 0) return this.probeAtMs;
		if (this.remaining === undefined) return this.log.opensAt(nowMs);
		if (this.remaining - this.inFlight >= 1) return nowMs;
		return nowMs + 100;
	}

	protected left(nowMs: number): void {
		this.isProbing = this.backoffMs > 0;
		this.inFlight++;
		this.log.left(nowMs);
	}

	protected came({ seq }: Permit, feedback: Feedback, nowMs: number): void {
		this.inFlight--;
		const isNewest = seq > this.newestSeq;
		if (!isNewest) return;
		this.newestSeq = seq;
		this.remaining = isRefusal(feedback) ? 0 : feedback.remaining;
		this.isProbing = false;
		if (this.remaining !== 0) this.backoffMs = 0;
		else {
			this.backoffMs = Math.min(15_000, isRefusal(feedback) ? 2 * this.backoffMs || 1_000 : 1_000);
			this.probeAtMs = nowMs + (feedback.retryAfterMs ?? this.backoffMs);
		}
	}
}
