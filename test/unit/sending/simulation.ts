import {
	dispatch,
	type DispatchResult,
	type Pacing,
} from '../../../nodes/CustomerMessaging/sending/dispatch';
import type { Permission, Ticket, Turn } from '../../../nodes/CustomerMessaging/sending/gate';
import type { Clock, Outcome, Reply } from '../../../nodes/CustomerMessaging/sending/types';
import { seededRandom } from '../../../sandbox/random';

/** What is to happen, by time and then by order of asking: a binary heap. */
class Heap {
	private order = 0;
	private readonly heap: Array<{ atMs: number; order: number; run: () => void }> = [];

	get nextMs(): number | undefined {
		return this.heap[0]?.atMs;
	}

	push(atMs: number, run: () => void): void {
		const event = { atMs, order: this.order++, run };
		let index = this.heap.length;
		this.heap.push(event);
		while (index > 0) {
			const parent = (index - 1) >> 1;
			const above = this.heap[parent];
			if (above === undefined || before(above, event)) break;
			this.heap[index] = above;
			index = parent;
		}
		this.heap[index] = event;
	}

	pop(): { atMs: number; run: () => void } | undefined {
		const top = this.heap[0];
		const last = this.heap.pop();
		if (last === undefined || top === undefined || last === top) return top;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			const left = this.heap[child];
			const right = this.heap[child + 1];
			if (left === undefined) break;
			if (right !== undefined && before(right, left)) child++;
			const least = this.heap[child];
			if (least === undefined || before(last, least)) break;
			this.heap[index] = least;
			index = child;
		}
		this.heap[index] = last;
		return top;
	}
}

/** Time that stands still until all that could happen at one instant has happened. */
export class VirtualClock implements Clock {
	private timeMs: number;
	private readonly events = new Heap();

	constructor(startMs: number) {
		this.timeMs = startMs;
	}

	now(): number {
		return this.timeMs;
	}

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.at(this.timeMs + ms, resolve));
	}

	private at(atMs: number, run: () => void): void {
		this.events.push(Math.max(atMs, this.timeMs), run);
	}

	/** Runs until `work` has ended, or throws when nothing is left that could end it. */
	async run<T>(work: Promise<T>, untilMs: number): Promise<T> {
		let ended = false;
		const end = () => {
			ended = true;
		};
		work.then(end, end);
		for (;;) {
			await new Promise<void>((resolve) => setImmediate(resolve));
			if (ended) return await work;
			const next = this.events.pop();
			if (next === undefined) throw new Error('Hangs: nothing is left that could wake it');
			if (next.atMs > untilMs) throw new Error(`Hangs: not ended at ${untilMs}`);
			this.timeMs = next.atMs;
			next.run();
			while (this.events.nextMs === this.timeMs) this.events.pop()?.run();
		}
	}
}

type Ordered = { atMs: number; order: number };
const before = (a: Ordered, b: Ordered) =>
	a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

export const KINDS = ['clock', 'first', 'sliding', 'bucket'] as const;
export type Kind = (typeof KINDS)[number];

const MINUTE_MS = 60_000;
const START_MS = 1_000_000 * MINUTE_MS;

/** How a service may count: by its own clock's minute, from the first request, sliding, or a bucket. */
export class Limiter {
	accepted = 0;
	refused = 0;
	private startMs = -Infinity;
	private count = 0;
	private log: number[] = [];
	private first = 0;
	private tokens: number;
	private filledMs?: number;

	constructor(
		private readonly kind: Kind,
		private readonly limit: number,
	) {
		this.tokens = limit;
	}

	/** Takes one if there is one; times must not decrease. */
	take(nowMs: number): boolean {
		if (this.left(nowMs) < 1) {
			this.refused++;
			return false;
		}
		this.accepted++;
		if (this.kind === 'first' && this.count === 0) this.startMs = nowMs;
		if (this.kind === 'sliding') this.log.push(nowMs);
		this.count++;
		this.tokens--;
		return true;
	}

	left(nowMs: number): number {
		if (this.kind === 'sliding') {
			while ((this.log[this.first] ?? Infinity) <= nowMs - MINUTE_MS) this.first++;
			return this.limit - (this.log.length - this.first);
		}
		if (this.kind === 'bucket') {
			const filled = this.tokens + ((nowMs - (this.filledMs ?? nowMs)) * this.limit) / MINUTE_MS;
			this.tokens = Math.min(this.limit, filled);
			this.filledMs = nowMs;
			return Math.floor(this.tokens + 1e-9);
		}
		const startMs = this.kind === 'clock' ? nowMs - (nowMs % MINUTE_MS) : this.startMs;
		if (this.kind === 'clock' ? startMs !== this.startMs : nowMs >= startMs + MINUTE_MS) {
			this.startMs = startMs;
			this.count = 0;
		}
		return this.limit - this.count;
	}

	/** When one can be taken. */
	opensAt(nowMs: number): number {
		if (this.left(nowMs) >= 1) return nowMs;
		if (this.kind === 'sliding') return (this.log[this.first] ?? nowMs) + MINUTE_MS;
		if (this.kind === 'bucket') {
			return nowMs + Math.ceil(((1 - this.tokens) * MINUTE_MS) / this.limit);
		}
		return this.startMs + MINUTE_MS;
	}
}

/** What a request meets on its way. */
export interface World {
	kind: Kind;
	limit: number;
	/** What others take, as a share of the limit. */
	others: number;
	/** Service's clock less ours, in milliseconds. */
	skewMs: number;
	/** Share of answers without `X-RateLimit-Remaining`. */
	headerMissing: number;
	dateMissing: boolean;
	/** There and back. */
	latencyMs: { from: number; to: number };
	/** Shares of requests that never arrive, that break without an answer, that are answered 500. */
	faults: { refused: number; broken: number; serverError: number };
	seed: number;
}

export const PLAIN: Omit<World, 'kind' | 'limit' | 'seed'> = {
	others: 0,
	skewMs: 0,
	headerMissing: 0,
	dateMissing: false,
	latencyMs: { from: 20, to: 800 },
	faults: { refused: 0, broken: 0, serverError: 0 },
};

/** A service with a limit, its other users, and the network before it. */
export class Service {
	/** How often each request left, was processed, and was answered 429. */
	readonly left = new Map<string, number>();
	readonly processed = new Map<string, number>();
	readonly answered429 = new Map<string, number>();
	refusedAtMs: number[] = [];
	private readonly limiter: Limiter;
	private readonly random: () => number;
	private readonly others: Others;

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
	) {
		this.limiter = new Limiter(world.kind, world.limit);
		this.random = seededRandom(world.seed);
		this.others = new Others(world, this.limiter, clock.now(), this.random);
	}

	/** Requests of others that were refused. */
	get othersRefused(): number {
		return this.limiter.refused - this.refusedAtMs.length;
	}

	async send(id: string): Promise<Reply> {
		const { faults } = this.world;
		add(this.left, id);
		const { tripMs, thereMs } = trip(this.world, this.random);
		const fate = this.random();
		await this.clock.sleep(thereMs);
		if (fate < faults.refused) {
			return { kind: 'failure', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
		}
		const reply = this.answer(id, fate < faults.refused + faults.serverError);
		await this.clock.sleep(tripMs - thereMs);
		if (fate >= 1 - faults.broken) {
			return { kind: 'failure', code: 'ECONNRESET', message: 'read ECONNRESET' };
		}
		return reply;
	}

	private answer(id: string, serverError: boolean): Reply {
		const nowMs = this.clock.now();
		this.others.until(nowMs);
		const serverMs = nowMs + this.world.skewMs;
		const passes = this.limiter.take(serverMs);
		add(passes ? this.processed : this.answered429, id);
		if (!passes) this.refusedAtMs.push(nowMs);
		const statusCode = !passes ? 429 : serverError ? 500 : 200;
		const reply: Reply = { kind: 'answer', statusCode, body: null };
		if (this.random() >= this.world.headerMissing) reply.remaining = this.limiter.left(serverMs);
		if (!this.world.dateMissing) reply.dateMs = serverMs - (serverMs % 1000);
		return reply;
	}
}

/** Those who use the same key: they come at random, and what is refused them is lost. */
class Others {
	private nextMs: number;

	constructor(
		private readonly world: World,
		private readonly limiter: Limiter,
		startMs: number,
		private readonly random: () => number,
	) {
		this.nextMs = startMs + this.gap();
	}

	until(nowMs: number): void {
		while (this.nextMs <= nowMs) {
			this.limiter.take(this.nextMs + this.world.skewMs);
			this.nextMs += this.gap();
		}
	}

	private gap(): number {
		const perMs = (this.world.others * this.world.limit) / MINUTE_MS;
		return perMs === 0 ? Infinity : -Math.log(1 - this.random()) / perMs;
	}
}

/** How long one request takes, and how much of it there. */
function trip({ latencyMs: { from, to } }: World, random: () => number) {
	const tripMs = from + (to - from) * random();
	return { tripMs, thereMs: tripMs * (0.3 + 0.4 * random()) };
}

function add(counts: Map<string, number>, id: string): void {
	counts.set(id, (counts.get(id) ?? 0) + 1);
}

/** One run of the node. */
export interface Plan {
	startMs: number;
	requests: number;
	concurrency: number;
	/** Which gate it goes through; processes that don't share memory have one each. */
	gate: number;
	maxWaitMs?: number;
	retryUnknown?: boolean;
}

export interface RunReport extends DispatchResult {
	startMs: number;
	endMs: number;
	/** How often each request was settled, and how it ended last. */
	settled: Map<string, { times: number; outcome: Outcome }>;
	mostInFlight: number;
}

export interface Report {
	runs: RunReport[];
	service: Service;
	/** Most probes in flight at once, over all gates. */
	mostProbes: number;
	/** From the first start to the last end. */
	tookMs: number;
	/** Most 429s in any 60 s. */
	most429AMinute: number;
}

/** Runs the plans through real `dispatch` loops in one world. Ends, or throws if a run hangs. */
export async function simulate(
	world: World,
	plans: Plan[],
	makeGate: (random: () => number) => Pacing,
	startMs = START_MS,
): Promise<Report> {
	const clock = new VirtualClock(startMs);
	const service = new Service(world, clock);
	const random = seededRandom(world.seed + 1);
	const gates = new Map<number, Watched>();
	const runs = plans.map(async (plan, run): Promise<RunReport> => {
		const gate = gates.get(plan.gate) ?? new Watched(makeGate(random));
		gates.set(plan.gate, gate);
		await clock.sleep(plan.startMs);
		const settled: RunReport['settled'] = new Map();
		let inFlight = 0;
		let mostInFlight = 0;
		const result = await dispatch(
			names(run, plan.requests),
			{
				gate,
				clock,
				random,
				stopped: () => false,
				async send(id) {
					mostInFlight = Math.max(mostInFlight, ++inFlight);
					const reply = await service.send(id);
					inFlight--;
					return reply;
				},
				settled(id, outcome) {
					settled.set(id, { times: (settled.get(id)?.times ?? 0) + 1, outcome });
				},
			},
			{
				concurrency: plan.concurrency,
				maxWaitMs: plan.maxWaitMs ?? Infinity,
				retryUnknown: plan.retryUnknown ?? false,
				size: plan.requests,
			},
		);
		return { ...result, startMs: startMs + plan.startMs, endMs: clock.now(), settled, mostInFlight };
	});
	const reports = await clock.run(Promise.all(runs), startMs + 24 * 60 * MINUTE_MS);
	return {
		runs: reports,
		service,
		mostProbes: Math.max(...[...gates.values()].map((gate) => gate.mostProbes)),
		tookMs:
			Math.max(...reports.map(({ endMs }) => endMs)) -
			Math.min(...reports.map((report) => report.startMs)),
		most429AMinute: mostInAMinute(service.refusedAtMs),
	};
}

/**
 * The time that a client would take which knows the service's window: the same requests, latencies
 * and concurrency, each waiting at the service's door until it may enter.
 */
export function idealMs(world: World, plans: Plan[], startMs = START_MS): number {
	const random = seededRandom(world.seed);
	const limiter = new Limiter(world.kind, world.limit);
	const others = new Others(world, limiter, startMs, random);
	const arrivals = new Heap();
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

function* names(run: number, requests: number): Iterable<string> {
	for (let index = 0; index < requests; index++) yield `${run}.${index}`;
}

function mostInAMinute(atMs: number[]): number {
	let most = 0;
	let first = 0;
	atMs.forEach((ms, index) => {
		while ((atMs[first] ?? ms) <= ms - MINUTE_MS) first++;
		most = Math.max(most, index - first + 1);
	});
	return most;
}

/** Sees from outside what leaves while the newest answer said that nothing is left. */
class Watched implements Pacing {
	mostProbes = 0;
	private exhausted = false;
	private newest = 0;
	private readonly probes = new Set<Ticket>();

	constructor(private readonly gate: Pacing) {}

	join(concurrency: number, wake?: () => void, size?: number): Turn {
		return this.gate.join(concurrency, wake, size);
	}

	ask(turn: Turn, nowMs: number): Permission {
		const permission = this.gate.ask(turn, nowMs);
		if (this.exhausted && 'ticket' in permission) {
			this.probes.add(permission.ticket);
			this.mostProbes = Math.max(this.mostProbes, this.probes.size);
		}
		return permission;
	}

	settle(ticket: Ticket, reply: Reply, nowMs: number): void {
		const wasProbe = this.probes.delete(ticket);
		if (reply.kind === 'answer' && ticket.seq > this.newest) {
			const left = reply.statusCode === 429 ? 0 : (reply.remaining ?? (wasProbe ? 1 : undefined));
			if (left !== undefined) {
				this.newest = ticket.seq;
				this.exhausted = left <= 0;
			}
		}
		this.gate.settle(ticket, reply, nowMs);
	}

	leave(turn: Turn): void {
		for (const ticket of turn.tickets) this.probes.delete(ticket);
		this.gate.leave(turn);
	}
}
