import type { Feedback } from '../../../nodes/CustomerMessaging/rateLimit/feedback';
import { type Client, RateLimiter } from '../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/time';

/** Ten seconds after a full minute. */
const START_MS = 1_000_000 * MINUTE_MS + 10_000;

const counted = (remaining?: number): Feedback => ({ kind: 'counted', remaining });

function acquire(limiter: RateLimiter, client: Client, nowMs: number) {
	const decision = limiter.tryAcquire(client, nowMs);
	if (!('permit' in decision)) throw new Error(`No permit: ${decision.reason}`);
	return decision.permit;
}

/** Sends one request and takes in its response at the same time. */
function send(limiter: RateLimiter, client: Client, feedback: Feedback, nowMs: number): void {
	limiter.release(acquire(limiter, client, nowMs), feedback, nowMs);
}

function limiterWithClient(limitPerMinute = 500) {
	const limiter = new RateLimiter(limitPerMinute);
	return { limiter, client: limiter.register(100) };
}

describe('A run is told when to ask again:', () => {
	it('half a second later if all its own requests are under way', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(1);
		acquire(limiter, client, START_MS);
		expect(limiter.tryAcquire(client, START_MS)).toEqual({
			askAgainAtMs: START_MS + 500,
			reason: 'concurrency',
		});
	});

	it('half a second later if a probe or the responses of other requests decide', () => {
		const { limiter, client } = limiterWithClient(20);
		const permits = Array.from({ length: 20 }, () => acquire(limiter, client, START_MS));
		const later = { askAgainAtMs: START_MS + 500, reason: 'limit' };
		expect(limiter.tryAcquire(client, START_MS)).toEqual(later);
		for (const permit of permits) limiter.release(permit, { kind: 'refused' }, START_MS);
		acquire(limiter, client, START_MS + 1_000);
		expect(limiter.tryAcquire(client, START_MS + 1_000)).toEqual({
			askAgainAtMs: START_MS + 1_500,
			reason: 'probe',
		});
	});

	it('when its oldest request is a minute old if all places are taken', () => {
		const { limiter, client } = limiterWithClient(20);
		for (let sent = 0; sent < 20; sent++) send(limiter, client, counted(), START_MS + sent);
		expect(limiter.tryAcquire(client, START_MS + 100)).toEqual({
			askAgainAtMs: START_MS + MINUTE_MS,
			reason: 'limit',
		});
	});
});

describe('While nothing remains,', () => {
	it('the probe leaves at the full minute of the service, whose clock may differ from ours', () => {
		const { limiter, client } = limiterWithClient();
		// Thirty seconds ahead: its next minute begins in 20 s.
		const dateMs = START_MS + 30_000;
		for (let sent = 0; sent < 60; sent++) send(limiter, client, counted(), START_MS);
		send(limiter, client, { kind: 'counted', remaining: 0, dateMs }, START_MS);
		expect(limiter.tryAcquire(client, START_MS)).toMatchObject({
			askAgainAtMs: START_MS + 20_000,
		});
	});

	it('another response with nothing left does not put the probe off', () => {
		const { limiter, client } = limiterWithClient();
		const [first, second] = [
			acquire(limiter, client, START_MS),
			acquire(limiter, client, START_MS),
		];
		limiter.release(first, counted(0), START_MS);
		limiter.release(second, counted(0), START_MS + 500);
		expect(limiter.tryAcquire(client, START_MS + 500)).toEqual({
			askAgainAtMs: START_MS + 1_000,
			reason: 'limit',
		});
	});

	it('a response with much left opens the limit at once', () => {
		const { limiter, client } = limiterWithClient();
		const [first, second] = [
			acquire(limiter, client, START_MS),
			acquire(limiter, client, START_MS),
		];
		limiter.release(first, counted(0), START_MS);
		limiter.release(second, counted(300), START_MS + 100);
		expect(limiter.tryAcquire(client, START_MS + 100)).toHaveProperty('permit');
	});

	it('only the response to the probe opens the limit while the probe is under way', () => {
		const { limiter, client } = limiterWithClient();
		const [first, second] = [
			acquire(limiter, client, START_MS),
			acquire(limiter, client, START_MS),
		];
		limiter.release(first, counted(0), START_MS);
		const probe = acquire(limiter, client, START_MS + 1_000);
		limiter.release(second, counted(300), START_MS + 1_100);
		expect(limiter.tryAcquire(client, START_MS + 1_100)).toMatchObject({ reason: 'probe' });
		limiter.release(probe, counted(299), START_MS + 1_200);
		expect(limiter.tryAcquire(client, START_MS + 1_200)).toHaveProperty('permit');
	});

	it('a probe that is accepted without a header leaves us to our own log', () => {
		const { limiter, client } = limiterWithClient();
		send(limiter, client, counted(0), START_MS);
		send(limiter, client, counted(), START_MS + 1_000);
		expect(limiter.remaining(START_MS + 1_000)).toBeNull();
		expect(limiter.tryAcquire(client, START_MS + 1_000)).toHaveProperty('permit');
	});

	it('a request that was in flight and is accepted without a header does not end the block', () => {
		const { limiter, client } = limiterWithClient();
		const [first, second] = [
			acquire(limiter, client, START_MS),
			acquire(limiter, client, START_MS),
		];
		limiter.release(first, counted(0), START_MS);
		limiter.release(second, counted(), START_MS + 100);
		expect(limiter.tryAcquire(client, START_MS + 100)).toEqual({
			askAgainAtMs: START_MS + 1_000,
			reason: 'limit',
		});
	});

	it('a refusal without Retry-After is one without it', () => {
		const { limiter, client } = limiterWithClient();
		send(limiter, client, { kind: 'refused', retryAfterMs: undefined }, START_MS);
		expect(limiter.tryAcquire(client, START_MS)).toEqual({
			askAgainAtMs: START_MS + 1_000,
			reason: 'limit',
		});
	});

	it('a probe after Retry-After may be refused although no header was ever seen', () => {
		const { limiter, client } = limiterWithClient();
		send(limiter, client, { kind: 'counted', retryAfterMs: 5_000 }, START_MS);
		send(limiter, client, { kind: 'refused' }, START_MS + 5_000);
		expect(limiter.remaining(START_MS + 5_000)).toBe(0);
		expect(limiter.tryAcquire(client, START_MS + 5_000)).toMatchObject({ reason: 'limit' });
	});
});

test('Neither a refused request nor one that was not counted uses up the priority of a run.', () => {
	const { limiter, client } = limiterWithClient();
	send(limiter, client, { kind: 'notCounted' }, START_MS);
	expect(client.sent).toBe(0);
	send(limiter, client, { kind: 'refused' }, START_MS);
	expect(client.sent).toBe(0);
	send(limiter, client, { kind: 'unanswered' }, START_MS + 1_000);
	expect(client.sent).toBe(1);
});

test('A response without a header keeps what is known, less one.', () => {
	const { limiter, client } = limiterWithClient();
	send(limiter, client, counted(400), START_MS);
	send(limiter, client, counted(), START_MS);
	expect(limiter.remaining(START_MS)).toBe(399);
});
