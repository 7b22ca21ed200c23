import { type AccountApi, AccountRegistry } from '../shared/accountRegistry';
import { RateLimiter } from './rateLimiter';

export interface LimitOwner extends AccountApi {
	limitPerMinute: number;
}

/** Belongs to the module because all executions of a process share one limit. */
const limiters = new AccountRegistry<RateLimiter>();

/** The limiter of a host, identity and API, because that is what the service counts by (spec §8). */
export function rateLimiterFor({ limitPerMinute, ...account }: LimitOwner): RateLimiter {
	const limiter = limiters.get(account, () => new RateLimiter(limitPerMinute));
	limiter.stateLimit(limitPerMinute);
	return limiter;
}
