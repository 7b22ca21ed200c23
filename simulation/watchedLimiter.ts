import type { Limiter } from '../nodes/CustomerMessaging/delivery/dispatchOptions';
import type { Feedback } from '../nodes/CustomerMessaging/rateLimit/feedback';
import type { Client, Decision, Permit } from '../nodes/CustomerMessaging/rateLimit/rateLimiter';

/** Counts the requests that leave after the newest response reported that none are left. */
export class WatchedLimiter implements Limiter {
	maxProbes = 0;
	private exhausted = false;
	private newest = 0;
	private readonly probes = new Set<Permit>();

	constructor(private readonly limiter: Limiter) {}

	register(concurrency: number, wake?: () => void, size?: number): Client {
		return this.limiter.register(concurrency, wake, size);
	}

	tryAcquire(client: Client, nowMs: number): Decision {
		const decision = this.limiter.tryAcquire(client, nowMs);
		if (this.exhausted && 'permit' in decision) {
			this.probes.add(decision.permit);
			this.maxProbes = Math.max(this.maxProbes, this.probes.size);
		}
		return decision;
	}

	release(permit: Permit, feedback: Feedback, nowMs: number): void {
		const wasProbe = this.probes.delete(permit);
		const isAnswer = feedback.kind === 'counted' || feedback.kind === 'refused';
		if (isAnswer && permit.seq > this.newest) {
			const left =
				feedback.kind === 'refused' ? 0 : (feedback.remaining ?? (wasProbe ? 1 : undefined));
			if (left !== undefined) {
				this.newest = permit.seq;
				this.exhausted = left <= 0;
			}
		}
		this.limiter.release(permit, feedback, nowMs);
	}

	unregister(client: Client, nowMs: number): void {
		for (const permit of client.permits) this.probes.delete(permit);
		this.limiter.unregister(client, nowMs);
	}
}
