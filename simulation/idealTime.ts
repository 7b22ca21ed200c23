import { seededRandom } from '../sandbox/random';
import { EventQueue } from './eventQueue';
import { ServerLimit } from './serverLimit';
import { OtherClients } from './service';
import type { Plan } from './pacedRun';
import { START_MS } from './simulatePace';
import { trip, type World } from './world';

/**
 * The time of a client that knows the service's window: with the same requests, latencies and
 * concurrency, each request waits at the service until it is accepted.
 */
export function idealMs(world: World, plans: Plan[], startMs = START_MS): number {
	const random = seededRandom(world.seed);
	const limiter = new ServerLimit(world.kind, world.limit);
	const others = new OtherClients(world, limiter, startMs, random);
	const arrivals = new EventQueue();
	let left = plans.reduce((sum, { requests }) => sum + requests, 0);
	let endMs = startMs;
	const leave = (nowMs: number) => {
		if (left-- <= 0) return;
		const { tripMs, thereMs } = trip(world, random);
		arrivals.push(nowMs + thereMs, () => arrive(nowMs + thereMs, tripMs - thereMs));
	};
	const arrive = (nowMs: number, backMs: number) => {
		others.until(nowMs);
		const serverMs = nowMs + world.skewMs;
		if (limiter.take(serverMs)) {
			endMs = Math.max(endMs, nowMs + backMs);
			leave(nowMs + backMs);
		} else {
			const opensMs = limiter.opensAt(serverMs) - world.skewMs;
			arrivals.push(opensMs, () => arrive(opensMs, backMs));
		}
	};
	const places = plans.reduce((sum, { concurrency }) => sum + concurrency, 0);
	for (let place = 0; place < places; place++) leave(startMs);
	for (let next = arrivals.pop(); next; next = arrivals.pop()) next.run();
	return endMs - startMs;
}
