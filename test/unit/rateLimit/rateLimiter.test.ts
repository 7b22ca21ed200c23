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
import { followsItsLog } from './support/ownLogModel';

/** Ten seconds after a full minute. */
const START_MS = 1_000_000 * MINUTE_MS + 10_000;

const counted = (remaining?: number, dateMs?: number): Feedback => ({
	kind: 'counted',
	remaining,
	dateMs,
});
const refused: Feedback = { kind: 'refused' };

function permitIn(decision: Decision): Permit {
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
	limiter.release(permitIn(limiter.tryAcquire(client, nowMs)), feedback, nowMs);
}

/** Sends so many requests that they explain why nothing remains. */
function exhaust(limiter: RateLimiter, client: Client, nowMs: number): void {
	for (let sent = 0; sent < 200; sent++) send(limiter, client, counted(), nowMs);
	send(limiter, client, counted(0), nowMs);
}

/** When each of the next probes leaves, if all are refused. */
function refuseProbes(
	limiter: RateLimiter,
	client: Client,
	nowMs: number,
	probes: number,
): number[] {
	const waitsMs: number[] = [];
	let atMs = nowMs;
	for (let probe = 0; probe < probes; probe++) {
		const decision = limiter.tryAcquire(client, atMs);
		if ('permit' in decision) throw new Error('Nothing is blocked');
		waitsMs.push(decision.askAgainAtMs - nowMs);
		atMs = decision.askAgainAtMs;
		send(limiter, client, refused, atMs);
	}
	return waitsMs;
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

	it('sends one probe when nothing remains, and goes on when it is accepted', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(10);
		exhaust(limiter, client, START_MS);
		const decision = limiter.tryAcquire(client, START_MS);
		expect(decision).toEqual({ askAgainAtMs: START_MS + 50_000, reason: 'limit' });
		const probeMs = START_MS + 50_000;
		const [probe, ...others] = acquireAll(limiter, client, probeMs);
		expect(others).toHaveLength(0);
		if (probe === undefined) throw new Error('No probe');
		expect(limiter.tryAcquire(client, probeMs)).toMatchObject({ reason: 'probe' });
		limiter.release(probe, counted(499), probeMs + 100);
		expect(acquireAll(limiter, client, probeMs + 100)).toHaveLength(10);
	});

	it('probes at the full minute and when our oldest request is a minute old, and then backs off', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(10);
		exhaust(limiter, client, START_MS);
		expect(refuseProbes(limiter, client, START_MS, 6)).toEqual([
			50_000, 60_000, 64_000, 72_000, 87_000, 102_000,
		]);
	});

	it('probes after a second if others must have used the limit up', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(10);
		send(limiter, client, counted(0), START_MS);
		expect(refuseProbes(limiter, client, START_MS, 3)).toEqual([1_000, 50_000, 60_000]);
	});

	it('does not probe at a full minute again for ten minutes after it was refused then', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(10);
		exhaust(limiter, client, START_MS);
		refuseProbes(limiter, client, START_MS, 1);
		send(limiter, client, counted(300), START_MS + 60_000);
		for (const [laterMs, waitMs] of [
			[5 * MINUTE_MS, 60_000],
			[11 * MINUTE_MS, 50_000],
		] as const) {
			exhaust(limiter, client, START_MS + laterMs);
			expect(limiter.tryAcquire(client, START_MS + laterMs)).toMatchObject({
				askAgainAtMs: START_MS + laterMs + waitMs,
			});
			send(limiter, client, counted(300), START_MS + laterMs + waitMs);
		}
	});

	it('waits as long as Retry-After says, whatever other responses say', () => {
		for (const feedback of [
			{ kind: 'refused', retryAfterMs: 90_000 },
			{ kind: 'counted', remaining: 300, retryAfterMs: 90_000 },
		] as const) {
			const limiter = new RateLimiter(500);
			const client = limiter.register(10);
			const later = [client, client].map((each) => permitIn(limiter.tryAcquire(each, START_MS)));
			send(limiter, client, feedback, START_MS);
			for (const permit of later) limiter.release(permit, counted(299), START_MS + 100);
			expect(limiter.tryAcquire(client, START_MS)).toEqual({
				reason: 'retryAfter',
				askAgainAtMs: START_MS + 90_000,
			});
			expect(acquireAll(limiter, client, START_MS + 90_000 - 1)).toHaveLength(0);
			expect(acquireAll(limiter, client, START_MS + 90_000)).toHaveLength(1);
		}
	});

	it('probes after five minutes at the latest, however long Retry-After says', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(10);
		send(limiter, client, { kind: 'refused', retryAfterMs: 999_999_999_000 }, START_MS);
		expect(limiter.tryAcquire(client, START_MS)).toMatchObject({
			askAgainAtMs: START_MS + 5 * MINUTE_MS,
		});
	});

	it('still backs off when Retry-After always says 0', () => {
		const limiter = new RateLimiter(500);
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
			followsItsLog((limit) => new RateLimiter(limit)),
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

	it('gives the reserve to the long run little by little, until its own requests make room again', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(1_000);
		for (let left = 499; left >= 25; left--) send(limiter, client, counted(left), START_MS);
		const sentAfter = (ms: number) => acquireAll(limiter, client, START_MS + ms).length;
		expect(sentAfter(0)).toBe(0);
		expect(sentAfter(20_000)).toBe(25 - 17);
		expect(sentAfter(40_000)).toBe(17 - 9);
		expect(sentAfter(58_001)).toBe(9);
	});

	/** How many requests a run of this size sends at once, if so many other runs were seen. */
	function sentAtOnce(size: number, others = 0, atMs = START_MS): number {
		const limiter = new RateLimiter(500);
		const client = limiter.register(1_000, undefined, size);
		for (let other = 0; other < others; other++) limiter.register(1);
		return acquireAll(limiter, client, atMs).length;
	}

	it('keeps from a lone run what the run can spare without taking a minute longer', () => {
		expect(sentAtOnce(1_925)).toBe(475);
		expect(sentAtOnce(1_940)).toBe(480);
		expect(sentAtOnce(1_999)).toBe(500);
		expect(sentAtOnce(2_000)).toBe(500);
		expect(sentAtOnce(4_500)).toBe(500);
		expect(sentAtOnce(5_400)).toBe(490);
	});

	it('keeps the whole reserve once another run was seen, except from the last requests', () => {
		expect(sentAtOnce(2_000, 1)).toBe(475);
		expect(sentAtOnce(475 + 25, 1)).toBe(500);
	});

	it('keeps the whole reserve from a long run that can spare nothing, until a full minute is near', () => {
		expect(sentAtOnce(5_000)).toBe(475);
		expect(sentAtOnce(5_000, 0, START_MS + 47_000)).toBe(475);
		expect(sentAtOnce(5_000, 0, START_MS + 47_001)).toBe(500);
		expect(sentAtOnce(5_000, 1, START_MS + 47_001)).toBe(475);
	});

	it('keeps the reserve at a full minute at which no minute of the service begins', () => {
		const limiter = new RateLimiter(500);
		const client = limiter.register(1_000, undefined, 5_000);
		exhaust(limiter, client, START_MS);
		refuseProbes(limiter, client, START_MS, 1);
		// All earlier requests are a minute old, and a full minute is a second away.
		const laterMs = START_MS + 4 * MINUTE_MS + 49_000;
		send(limiter, client, counted(499), laterMs);
		expect(acquireAll(limiter, client, laterMs)).toHaveLength(499 - 25);
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
		permitIn(limiter.tryAcquire(leaving, START_MS + 2_000));
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
		const permit = permitIn(limiter.tryAcquire(client, START_MS));
		limiter.release(permit, counted(400), START_MS);
		limiter.release(permit, counted(0), START_MS);
		expect(limiter.remaining(START_MS)).toBe(400);
		const late = permitIn(limiter.tryAcquire(client, START_MS));
		// It may have been counted, but no response says so.
		limiter.unregister(client, START_MS);
		limiter.release(late, counted(0), START_MS);
		expect(limiter.remaining(START_MS)).toBe(399);
	});

	it('follows its own log if a header never changes although requests are accepted', () => {
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
