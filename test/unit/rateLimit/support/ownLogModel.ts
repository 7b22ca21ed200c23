import fc from 'fast-check';

import type {
	Decision,
	RateLimiter,
} from '../../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import { MINUTE_MS } from '../../../../nodes/CustomerMessaging/shared/time';

/**
 * Without headers, the limiter lets as many requests leave at once as the limit allows, minus those
 * accepted in the last 60 s. The histories consist of accepted and refused requests and of pauses.
 */
export function followsItsLog(make: (limit: number) => RateLimiter) {
	return fc.property(
		fc.integer({ min: 1, max: 19 }),
		fc.array(
			fc.record({
				kind: fc.constantFrom('counted' as const, 'refused' as const),
				pauseMs: fc.integer({ min: 1, max: 5_000 }),
			}),
			{ maxLength: 40 },
		),
		(limit, history) => {
			const limiter = make(limit);
			const client = limiter.register(1_000);
			let nowMs = 1_000_000 * MINUTE_MS;
			let acceptedMs: number[] = [];
			const attempt = (kind: 'counted' | 'refused', afterMs: number): Decision => {
				nowMs += afterMs;
				const decision = limiter.tryAcquire(client, nowMs);
				if ('permit' in decision) {
					limiter.release(decision.permit, { kind }, nowMs);
					if (kind === 'counted') acceptedMs.push(nowMs);
				}
				return decision;
			};
			// Afterwards the client has no priority any more, and its reserve is 0 with so small a limit.
			for (const { kind, pauseMs } of history) attempt(kind, pauseMs);
			// If a refusal exhausted the limiter, the next accepted probe opens it.
			let last = attempt('counted', 1);
			while (!('permit' in last)) last = attempt('counted', last.askAgainAtMs - nowMs);
			acceptedMs = acceptedMs.filter((ms) => ms > nowMs - MINUTE_MS);
			let permits = 0;
			while ('permit' in limiter.tryAcquire(client, nowMs)) permits++;
			expect(permits).toBe(Math.max(0, limit - acceptedMs.length));
		},
	);
}
