import type { Reply } from '../nodes/CustomerMessaging/shared/reply';
import { MINUTE_MS } from '../nodes/CustomerMessaging/shared/time';
import { seededRandom } from '../sandbox/random';
import { ServerLimit } from './serverLimit';
import type { VirtualClock } from './virtualClock';
import { trip, type World } from './world';

/** A service with a limit, the other clients of the account, and the network in between. */
export class Service {
	/** How often each request left, was processed, and was answered 429. */
	readonly left = new Map<string, number>();
	readonly processed = new Map<string, number>();
	readonly answered429 = new Map<string, number>();
	refusedAtMs: number[] = [];
	private readonly limiter: ServerLimit;
	private readonly random: () => number;
	private readonly others: OtherClients;

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
	) {
		this.limiter = new ServerLimit(world.kind, world.limit);
		this.random = seededRandom(world.seed);
		this.others = new OtherClients(world, this.limiter, clock.now(), this.random);
	}

	/** Requests of other clients that were refused. */
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
		if (this.random() >= this.world.headerMissing) reply.remaining = this.header(serverMs);
		if (!this.world.dateMissing) reply.dateMs = serverMs - (serverMs % 1000);
		return reply;
	}

	private header(serverMs: number): number {
		switch (this.world.header) {
			case 'remaining':
				return this.limiter.left(serverMs);
			case 'zero':
				return 0;
			case 'constant':
				return 10;
			case 'daily':
				return 100_000 - this.limiter.accepted;
			case 'growing':
				return this.limiter.accepted;
		}
	}
}

/** Other clients of the account. They send at random times, and do not retry what was refused. */
export class OtherClients {
	private nextMs: number;

	constructor(
		private readonly world: World,
		private readonly limiter: ServerLimit,
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

function add(counts: Map<string, number>, id: string): void {
	counts.set(id, (counts.get(id) ?? 0) + 1);
}
