import { RateLimiter } from '../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import {
	type LimitOwner,
	rateLimiterFor,
} from '../../../nodes/CustomerMessaging/rateLimit/rateLimiterRegistry';

const owner: LimitOwner = {
	host: 'https://api.example',
	identity: 'brand-1234567',
	api: 'push',
	limitPerMinute: 500,
};

describe('The rate limiter of an account and API', () => {
	it('is shared by all executions of the process', () => {
		expect(rateLimiterFor(owner)).toBeInstanceOf(RateLimiter);
		expect(rateLimiterFor(owner)).toBe(rateLimiterFor({ ...owner }));
	});

	it('is another one for any other host, identity or API', () => {
		const limiter = rateLimiterFor(owner);
		expect(rateLimiterFor({ ...owner, host: 'https://other.example' })).not.toBe(limiter);
		expect(rateLimiterFor({ ...owner, identity: 'brand-7654321' })).not.toBe(limiter);
		expect(rateLimiterFor({ ...owner, api: 'email' })).not.toBe(limiter);
	});

	it('takes in a limit that was changed in the credential', () => {
		const limiter = rateLimiterFor(owner);
		rateLimiterFor({ ...owner, limitPerMinute: 900 });
		const client = limiter.register(1_000, undefined, 900);
		let permits = 0;
		while ('permit' in limiter.tryAcquire(client, 0)) permits++;
		expect(permits).toBe(900);
		limiter.unregister(client, 0);
	});
});
