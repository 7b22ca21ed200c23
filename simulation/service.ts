import type { Reply } from '../nodes/CustomerMessaging/engine';
import { MINUTE_MS } from '../nodes/CustomerMessaging/shared/slices';
import { seededRandom } from '../sandbox/random';
import { ServerLimit } from './serverLimit';
import type { VirtualClock } from './virtualClock';
import { type Outage, TIMEOUT_MS, trip, type World } from './world';

/** In these outages a request may be processed although it seems to fail. */
const MAYBE_PROCESSED = new Set<Outage['kind']>(['status', 'reset', 'hang', 'webPage']);
const STATUS = { status: 503, unauthorized: 401, forbidden: 403, notFound: 404 };

/** A service with a limit, the other clients of the account, and the network in between. */
export class Service {
	/** How often each request left, was processed, and was answered 429. */
	readonly left = new Map<string, number>();
	readonly processed = new Map<string, number>();
	readonly answered429 = new Map<string, number>();
	refusedAtMs: number[] = [];
	/** When messages left, in the order of their departure. */
	readonly sentAtMs: number[] = [];
	/** When health checks left. */
	readonly checkedAtMs: number[] = [];
	/** The outage in which a message failed, and when that was known. */
	readonly failedIn = new Map<string, { outage: Outage; leftMs: number; atMs: number }>();
	maxInFlight = 0;
	private inFlight = 0;
	private arrived = 0;
	private second = { at: NaN, taken: 0 };
	private readonly startMs: number;
	private readonly limiter: ServerLimit;
	private readonly random: () => number;
	private readonly others: OtherClients;

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
	) {
		this.startMs = clock.now();
		this.limiter = new ServerLimit(world.kind, world.limit);
		this.random = seededRandom(world.seed);
		this.others = new OtherClients(world, this.limiter, clock.now(), this.random);
	}

	/** Requests of other clients that were refused. */
	get othersRefused(): number {
		return this.limiter.refused - this.refusedAtMs.length;
	}

	async send(id: string, hasOldKey = false): Promise<Reply> {
		this.sentAtMs.push(this.clock.now());
		this.maxInFlight = Math.max(this.maxInFlight, ++this.inFlight);
		const reply = await this.deliver(id, hasOldKey);
		this.inFlight--;
		const failed = this.failedIn.get(id);
		if (failed) failed.atMs = this.clock.now();
		return reply;
	}

	/** A request that reaches nobody, to learn whether the service is back. */
	async checkHealth(hasOldKey = false): Promise<Reply> {
		this.checkedAtMs.push(this.clock.now());
		const { tripMs, thereMs } = trip(this.world, this.random);
		await this.clock.sleep(thereMs);
		const outage = this.world.answersHealthChecks ? undefined : this.outage();
		if (outage) return await this.fail(outage, tripMs, thereMs);
		if (hasOldKey) return await this.fail({ kind: 'unauthorized' }, tripMs, thereMs);
		const serverMs = this.clock.now() + this.world.skewMs;
		const passes = this.limiter.take(serverMs);
		const remaining = this.header(serverMs);
		await this.clock.sleep(tripMs - thereMs);
		return { kind: 'answer', statusCode: passes ? 400 : 429, body: null, remaining };
	}

	private async deliver(id: string, hasOldKey: boolean): Promise<Reply> {
		const { faults } = this.world;
		add(this.left, id);
		const leftMs = this.clock.now();
		const { tripMs, thereMs } = trip(this.world, this.random);
		const fate = this.random();
		await this.clock.sleep(thereMs);
		const outage = this.outage();
		if (outage) {
			// Some requests are processed although their response is lost.
			if (MAYBE_PROCESSED.has(outage.kind) && fate < 0.5) add(this.processed, id);
			this.failedIn.set(id, { outage, leftMs, atMs: Infinity });
			return await this.fail(outage, tripMs, thereMs);
		}
		this.failedIn.delete(id);
		if (hasOldKey) return await this.fail({ kind: 'unauthorized' }, tripMs, thereMs);
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

	/** The outage of the moment, if it concerns a request. */
	private outage(): Outage | undefined {
		const ms = this.clock.now() - this.startMs;
		const found = this.world.outages.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs);
		return found?.share === undefined || this.random() < found.share ? found : undefined;
	}

	private async fail(
		{ kind }: Pick<Outage, 'kind'>,
		tripMs: number,
		thereMs: number,
	): Promise<Reply> {
		if (kind === 'refused') {
			return { kind: 'failure', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
		}
		if (kind === 'unknownHost') {
			return { kind: 'failure', code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND' };
		}
		if (kind === 'hang') {
			await this.clock.sleep(TIMEOUT_MS - thereMs);
			return { kind: 'failure', code: 'ECONNABORTED', message: 'timeout exceeded' };
		}
		await this.clock.sleep(tripMs - thereMs);
		if (kind === 'reset')
			return { kind: 'failure', code: 'ECONNRESET', message: 'read ECONNRESET' };
		if (kind === 'webPage')
			return { kind: 'answer', statusCode: 200, body: '<!DOCTYPE html>', isWebPage: true };
		return { kind: 'answer', statusCode: STATUS[kind], body: null };
	}

	private isIn(rows: World['badRows'], id: string): boolean {
		const { from = 0, count = 0 } = rows ?? {};
		const [run, index] = id.split('.').map(Number);
		return run === 0 && index !== undefined && index >= from && index < from + count;
	}

	private answer(id: string, hasFailed: boolean): Reply {
		const { failsEvery } = this.world;
		const serverError =
			hasFailed ||
			this.isIn(this.world.badRows, id) ||
			(failsEvery > 0 && ++this.arrived % failsEvery === 0);
		const nowMs = this.clock.now();
		this.others.until(nowMs);
		const serverMs = nowMs + this.world.skewMs;
		const isFree = !this.isIn(this.world.refusedRows, id) && this.takeSecond(serverMs);
		const passes = isFree && this.limiter.take(serverMs);
		add(passes ? this.processed : this.answered429, id);
		if (!passes) this.refusedAtMs.push(nowMs);
		const statusCode = !passes ? 429 : serverError ? 500 : 200;
		const reply: Reply = { kind: 'answer', statusCode, body: null };
		if (this.random() >= this.world.headerMissing) reply.remaining = this.header(serverMs);
		if (!this.world.dateMissing) reply.dateMs = serverMs - (serverMs % 1000);
		return reply;
	}

	private takeSecond(serverMs: number): boolean {
		const { perSecond = Infinity } = this.world;
		const second = Math.floor(serverMs / 1_000);
		if (second !== this.second.at) this.second = { at: second, taken: 0 };
		return ++this.second.taken <= perSecond;
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
