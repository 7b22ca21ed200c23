import { createHash } from 'node:crypto';

import { RateLimiter } from './rateLimiter';

export interface LimitOwner {
	host: string;
	/** What the service knows the account by; only its hash is kept. */
	identity: string;
	/** The part of the service that has a limit of its own. */
	api: string;
	limitPerMinute: number;
}

/** Unused limiters to remember, so that a process with many accounts does not grow without end. */
const MAX_IDLE_LIMITERS = 200;

/** One limiter per host, identity and API, because that is what the service counts by (spec §8). */
export class RateLimiterRegistry {
	private readonly limiters = new Map<string, RateLimiter>();

	get size(): number {
		return this.limiters.size;
	}

	/** The limiter of this owner, which takes in the limit that is stated here. */
	limiterFor({ host, identity, api, limitPerMinute }: LimitOwner): RateLimiter {
		const key = createHash('sha256')
			.update(JSON.stringify([host, identity, api]))
			.digest('hex');
		const limiter = this.limiters.get(key) ?? new RateLimiter(limitPerMinute);
		limiter.stateLimit(limitPerMinute);
		// Adding it again at the end keeps the map in order of use, with the least recent first.
		this.limiters.delete(key);
		this.removeIdle();
		this.limiters.set(key, limiter);
		return limiter;
	}

	private removeIdle(): void {
		for (const [key, limiter] of this.limiters) {
			if (this.limiters.size < MAX_IDLE_LIMITERS) return;
			if (!limiter.inUse) this.limiters.delete(key);
		}
	}
}

/** Belongs to the module because all executions of a process share one limit. */
const sharedRegistry = new RateLimiterRegistry();

/** The limiter that all executions of this process share for a host, identity and API. */
export function rateLimiterFor(owner: LimitOwner): RateLimiter {
	return sharedRegistry.limiterFor(owner);
}
