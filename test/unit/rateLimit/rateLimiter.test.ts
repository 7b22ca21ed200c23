import fc from 'fast-check';

import type { Feedback } from '../../../nodes/CustomerMessaging/rateLimit/feedback';
import {
	type Client,
	type Decision,
	type Permit,
	RateLimiter,
} from '../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/time';
import { propertyRuns, propertySeed } from '../../propertyRuns';
import { followsItsLog } from './ownLogModel';

/** Ten seconds after a full minute. */
const START_MS = 1_000_000 * MINUTE_MS + 10_000;

const counted = (remaining?: number, dateMs?: number): Feedback => ({
	kind: 'counted',
	remaining,
	dateMs,
});
const refused: Feedback = { kind: 'refused' };

function permitOf(decision: Decision): Permit {
	if (!('permit' in decision)) throw new Error(`No permit: ${decision.reason}`);
	return decision.permit;
}

function acquireAll(limiter: RateLimiter, client: Client, nowMs: number): Permit[] {
	const permits: Permit[] = [];
	for (;;) {
		const decision = limiter.tryAcquire(client, nowMs);
		if (!('permit' in decision)) return permits;
		permits.push(decision.permit);
	}
}

/** Sends one request and takes in its response at the same time. */
function send(limiter: RateLimiter, client: Client, feedback: Feedback, nowMs: number): void {
	limiter.release(permitOf(limiter.tryAcquire(client, nowMs)), feedback, nowMs);
}

/** Sends so much that our own requests explain why nothing remains. */
function exhaust(limiter: RateLimiter, client: Client, nowMs: number): void {
	for (let sent = 0; sent < 200; sent++) send(limiter, client, counted(), nowMs);
	send(limiter, client, counted(0), nowMs);
}

describe('The rate limiter', () => {
	it('permits at most `concurrency` requests of a client at once', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(3);
		const permits = acquireAll(limiter, client, START_MS);
		expect(permits).toHaveLength(3);
		expect(limiter.tryAcquire(client, START_MS)).toMatchObject({ reason: 'concurrency' });
		for (const permit of permits) limiter.release(permit, counted(490), START_MS + 50);
		expect(acquireAll(limiter, client, START_MS + 50)).toHaveLength(3);
	});

	it('subtracts what is in flight from what the header says remains', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(15, undefined, 30);
		const newest = acquireAll(limiter, client, START_MS).at(-1);
		if (newest === undefined) throw new Error('No permit');
		limiter.release(newest, counted(15), START_MS + 50);
		for (const permit of [...client.permits].slice(1)) {
			limiter.release(permit, counted(), START_MS + 50);
		}
		expect(client.permits.size).toBe(1);
		expect(acquireAll(limiter, client, START_MS + 50)).toHaveLength(14);
	});

	it('sends one probe when nothing remains, and opens when it is accepted', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(10);
		exhaust(limiter, client, START_MS);
		const full = START_MS + 50_000;
		expect(limiter.tryAcquire(client, START_MS)).toMatchObject({
			reason: 'limit',
			askAgainAtMs: full,
		});
		const [probe, ...others] = acquireAll(limiter, client, full);
		expect(others).toHaveLength(0);
		if (probe === undefined) throw new Error('No probe');
		expect(limiter.tryAcquire(client, full)).toMatchObject({ reason: 'probe' });
		limiter.release(probe, counted(499), full + 100);
		expect(acquireAll(limiter, client, full + 100)).toHaveLength(10);
	});

	it('waits 1, 2, 4, 8 and then 15 s after each refused probe, but not beyond the next full minute', () => {
		const limiter = new RateLimiter(500, () => 1);
		const client = limiter.register(10);
		// Just after a full minute, so that the first waits are not cut short by the next one.
		let nowMs = START_MS - 10_000;
		send(limiter, client, refused, nowMs);
		const waitsMs: number[] = [];
		for (let probe = 0; probe < 9; probe++) {
			const decision = limiter.tryAcquire(client, nowMs);
			if ('permit' in decision) throw new Error('Not exhausted');
			waitsMs.push(decision.askAgainAtMs - nowMs);
			nowMs = decision.askAgainAtMs;
			send(limiter, client, refused, nowMs);
		}
		// The first wait is the short one after a refusal that our own requests do not explain.
		expect(waitsMs).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 14_000, 15_000]);
	});

	it('waits as long as Retry-After says, whatever else it expects', () => {
		for (const feedback of [
			{ kind: 'refused', retryAfterMs: 90_000 },
			{ kind: 'counted', remaining: 300, retryAfterMs: 90_000 },
		] as const) {
			const limiter = new RateLimiter(500);
			const client = limiter.register(10);
			send(limiter, client, feedback, START_MS);
			expect(limiter.tryAcquire(client, START_MS)).toMatchObject({
				reason: 'limit',
				askAgainAtMs: START_MS + 90_000,
			});
			expect(acquireAll(limiter, client, START_MS + 90_000)).toHaveLength(1);
		}
	});

	it('still backs off when Retry-After always says 0', () => {
		const limiter = new RateLimiter(500, () => 1);
		const client = limiter.register(10);
		const now: Feedback = { kind: 'refused', retryAfterMs: 0 };
		send(limiter, client, now, START_MS);
		send(limiter, client, now, START_MS);
		expect(limiter.tryAcquire(client, START_MS)).toMatchObject({ askAgainAtMs: START_MS + 1_000 });
		send(limiter, client, now, START_MS + 1_000);
		expect(limiter.tryAcquire(client, START_MS + 1_000)).toMatchObject({
			askAgainAtMs: START_MS + 3_000,
		});
	});

	it('follows its own log of the last 60 s if there is no header', () => {
		fc.assert(
			followsItsLog((limit) => new RateLimiter(limit, () => 0.5)),
			{
				numRuns: propertyRuns,
				seed: propertySeed,
			},
		);
	});

	it('keeps 5 % of the limit from a long run, and lets the first 20 requests of another run use it', () => {
		const limiter = new RateLimiter(500);
		expect(acquireAll(limiter, limiter.register(1_000), START_MS)).toHaveLength(475);
		expect(acquireAll(limiter, limiter.register(1_000), START_MS)).toHaveLength(20);
	});

	it('lets a run use the reserve for its last requests', () => {
		const limiter = new RateLimiter(500);
		expect(acquireAll(limiter, limiter.register(2_000, undefined, 500), START_MS)).toHaveLength(
			500,
		);
	});

	it('lets a run use the reserve just before a reset if the run would otherwise take a minute longer', () => {
		const sentBeforeReset = (size: number) => {
			const limiter = new RateLimiter(500);
			const client = limiter.register(2_000, undefined, size);
			for (let left = 499; left >= 25; left--) send(limiter, client, counted(left), START_MS);
			expect(acquireAll(limiter, client, START_MS + 47_999)).toHaveLength(0);
			return acquireAll(limiter, client, START_MS + 48_000).length;
		};
		expect(sentBeforeReset(1_000)).toBe(25);
		expect(sentBeforeReset(1_001)).toBe(0);
	});

	it('does not count a request that did not reach the service', () => {
		const limiter = new RateLimiter(20);
		const client = limiter.register(100);
		for (let index = 0; index < 50; index++) {
			send(limiter, client, { kind: 'notCounted' }, START_MS);
		}
		expect(acquireAll(limiter, client, START_MS)).toHaveLength(20);
	});

	it('sends another probe at once if the first one did not reach the service', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(10);
		send(limiter, client, refused, START_MS);
		send(limiter, client, { kind: 'notCounted' }, START_MS + 1_000);
		expect(acquireAll(limiter, client, START_MS + 1_000)).toHaveLength(1);
	});

	it('serves waiting runs in turn', () => {
		const limiter = new RateLimiter(500);
		const clients = ['a', 'b', 'c'].map((name) => ({ name, client: limiter.register(100) }));
		const holder = limiter.register(1);
		send(limiter, holder, counted(0), START_MS);
		for (const { client } of clients) {
			expect(limiter.tryAcquire(client, START_MS)).toMatchObject({ reason: 'limit' });
		}
		const laterMs = START_MS + 3_000;
		send(limiter, holder, counted(7), laterMs);
		const order: string[] = [];
		for (let round = 0; round < 20; round++) {
			for (const { name, client } of [...clients].reverse()) {
				if ('permit' in limiter.tryAcquire(client, laterMs)) order.push(name);
			}
		}
		expect(order).toHaveLength(7);
		for (const { name } of clients) {
			expect(order.filter((other) => other === name).length).toBeGreaterThanOrEqual(2);
		}
	});

	it('does not let a waiting client that stopped asking hold up the others', () => {
		const limiter = new RateLimiter(500);
		const silent = limiter.register(10);
		const client = limiter.register(10);
		send(limiter, client, counted(0), START_MS);
		limiter.tryAcquire(silent, START_MS);
		limiter.tryAcquire(client, START_MS);
		expect('permit' in limiter.tryAcquire(client, START_MS + 1_000)).toBe(false);
		expect('permit' in limiter.tryAcquire(client, START_MS + 1_001)).toBe(true);
	});

	it('wakes waiting runs when a response arrives', () => {
		const limiter = new RateLimiter(500);
		let woken = 0;
		const waiting = limiter.register(10, () => woken++);
		const other = limiter.register(1);
		send(limiter, other, counted(0), START_MS);
		expect(limiter.tryAcquire(waiting, START_MS)).toMatchObject({ reason: 'limit' });
		expect(woken).toBe(0);
		send(limiter, other, counted(7), START_MS + 3_000);
		expect(woken).toBeGreaterThan(0);
	});

	it('takes back the permits of a client that unregisters, including the probe', () => {
		const limiter = new RateLimiter(500);
		const leaving = limiter.register(10);
		send(limiter, leaving, counted(0), START_MS);
		permitOf(limiter.tryAcquire(leaving, START_MS + 2_000));
		const other = limiter.register(10);
		expect(limiter.tryAcquire(other, START_MS + 2_000)).toMatchObject({ reason: 'probe' });
		limiter.unregister(leaving, START_MS + 2_000);
		expect('permit' in limiter.tryAcquire(other, START_MS + 2_000)).toBe(true);
		expect(limiter.inUse).toBe(true);
		limiter.unregister(other, START_MS + 2_000);
		expect(limiter.inUse).toBe(false);
	});

	it('takes in each response once, and none after its client has unregistered', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(10);
		const permit = permitOf(limiter.tryAcquire(client, START_MS));
		limiter.release(permit, counted(400), START_MS);
		limiter.release(permit, counted(0), START_MS);
		const late = permitOf(limiter.tryAcquire(client, START_MS));
		limiter.unregister(client, START_MS);
		limiter.release(late, counted(0), START_MS);
		expect(limiter.remaining(START_MS)).toBe(400);
	});

	it('looks with one request when the reserve leaves no room and nothing is in flight', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(30);
		for (let sent = 0; sent < 200; sent++) send(limiter, client, counted(), START_MS);
		send(limiter, client, counted(25), START_MS);
		const full = START_MS + 50_000;
		expect(limiter.tryAcquire(client, START_MS)).toMatchObject({
			reason: 'limit',
			askAgainAtMs: full,
		});
		const [probe, ...others] = acquireAll(limiter, client, full);
		expect(others).toHaveLength(0);
		if (probe === undefined) throw new Error('No probe');
		limiter.release(probe, counted(499), full + 100);
		expect(acquireAll(limiter, client, full + 100)).toHaveLength(30);
	});

	it('goes by its own log after a header that never changes although requests are accepted', () => {
		for (const header of [0, 10, 30]) {
			const limiter = new RateLimiter(500);
			const client = limiter.register(600, undefined, 501);
			let nowMs = START_MS;
			for (let index = 0; index < 9; index++) {
				nowMs += 2_000;
				send(limiter, client, counted(header), nowMs);
			}
			expect(acquireAll(limiter, client, nowMs)).toHaveLength(500 - 25 - 9);
		}
	});
});
