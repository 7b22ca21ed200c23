import { RateLimiter } from '../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import {
	type LimitOwner,
	rateLimiterFor,
	RateLimiterRegistry,
} from '../../../nodes/CustomerMessaging/rateLimit/rateLimiterRegistry';

const owner: LimitOwner = {
	host: 'https://api.example',
	identity: 'brand-1234567',
	api: 'push',
	limitPerMinute: 500,
};

describe('The registry of rate limiters', () => {
	it('returns one limiter for the same host, identity and API, and another one for any other', () => {
		const registry = new RateLimiterRegistry();
		const limiter = registry.limiterFor(owner);
		expect(registry.limiterFor({ ...owner })).toBe(limiter);
		expect(registry.limiterFor({ ...owner, host: 'https://other.example' })).not.toBe(limiter);
		expect(registry.limiterFor({ ...owner, identity: 'brand-7654321' })).not.toBe(limiter);
		expect(registry.limiterFor({ ...owner, api: 'email' })).not.toBe(limiter);
		expect(registry.size).toBe(4);
	});

	it('does not confuse owners whose host and identity read the same when joined', () => {
		const registry = new RateLimiterRegistry();
		expect(registry.limiterFor({ ...owner, host: 'a', identity: 'bc' })).not.toBe(
			registry.limiterFor({ ...owner, host: 'ab', identity: 'c' }),
		);
	});

	it('is shared by all executions of the process', () => {
		expect(rateLimiterFor(owner)).toBeInstanceOf(RateLimiter);
		expect(rateLimiterFor(owner)).toBe(rateLimiterFor({ ...owner }));
	});

	it('updates a limit that was changed in the credential', () => {
		const registry = new RateLimiterRegistry();
		const limiter = registry.limiterFor(owner);
		registry.limiterFor({ ...owner, limitPerMinute: 900 });
		const client = limiter.register(1_000, undefined, 900);
		let permits = 0;
		while ('permit' in limiter.tryAcquire(client, 0)) permits++;
		expect(permits).toBe(900);
	});

	it('keeps no identity in clear text', () => {
		const registry = new RateLimiterRegistry();
		registry.limiterFor(owner);
		const seen: unknown[] = [];
		const keys = JSON.stringify(registry, (_key, value: unknown) => {
			if (value instanceof Map) seen.push(...value.keys());
			return value instanceof Map ? [...value.keys()] : value;
		});
		expect(seen).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
		expect(keys).not.toContain('1234567');
	});

	it('forgets limiters that are out of use, and never one that is in use', () => {
		const registry = new RateLimiterRegistry();
		const used = registry.limiterFor(owner);
		used.register(1);
		const idle = registry.limiterFor({ ...owner, api: 'sms' });
		for (let index = 0; index < 5_000; index++) {
			registry.limiterFor({ ...owner, identity: `${index}` });
		}
		expect(registry.size).toBe(200);
		expect(registry.limiterFor(owner)).toBe(used);
		expect(registry.limiterFor({ ...owner, api: 'sms' })).not.toBe(idle);
	});
});
