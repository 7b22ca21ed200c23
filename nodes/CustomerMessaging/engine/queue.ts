import type { Sent } from './record/sent';
import { RefusedRun } from './record/marks';
import type { Permit } from './pace/pace';
import type { Clock } from '../shared/apis';
import type { Delivery } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import type { Ending, Problem } from '../shared/result';
import type { Batches } from './batches';
import type { Outcomes } from './outcomes';
import type { ApiRequest } from '../send/wire';

/** How often a run looks whether a key that is in use is free. */
const LOOK_AFTER_MS = 500;

/** One request, across all its attempts. */
export interface Job {
	readonly request: ApiRequest;
	/** Stands for it where a pause counts failures. */
	readonly row: object;
	attempts: number;
	/** Attempts without a response, or with one that leaves open whether the request was processed. */
	failures: number;
	/** It was answered 429, so others go first. */
	isRefused?: boolean;
	/** How often it was answered 429 although others were accepted. */
	refusedAlone?: number;
	/** It must not leave earlier. */
	dueMs: number;
	/** What to report unless a later attempt is accepted. Set if an earlier attempt may have been processed. */
	unknown?: Ending;
}

function toJob(request: ApiRequest): Job {
	return { request, row: {}, attempts: 0, failures: 0, dueMs: -Infinity };
}

/**
 * The requests of a run that have not ended. They are made as they are needed: of all its deliveries, or of
 * those that the journal has claimed for it.
 */
export class Queue {
	/** In the order in which they left. */
	readonly inFlight = new Map<Permit, Job>();
	/** Why nothing can be recorded, so that nothing more may be sent. */
	unrecorded?: string;
	/** Why the whole run must not send anything. */
	refused?: Problem;
	/** When to claim again; set if the last claim got nothing, because the keys of all deliveries are in use. */
	lookAgainMs?: number;
	/** A claim that has begun and not ended. */
	claiming?: Promise<void>;
	private readonly waiting: Job[] = [];
	/** What was given back, by its first delivery, to go on counting attempts. */
	private readonly givenBack = new Map<Delivery, Job>();
	private toMake: Iterator<ApiRequest>;
	/** Deliveries to be claimed next. */
	private unclaimed: readonly Delivery[];
	/** Those after them, in the batches that they will be sent in. */
	private readonly later?: Iterator<ApiRequest>;

	/**
	 * @param repeated by user, the rows that leave one after another, each once the earlier ones have ended
	 * @param wake called when a claim has ended
	 */
	constructor(
		toSend: readonly Delivery[],
		private readonly repeated: ReadonlyMap<string, Delivery[]>,
		private readonly sent: Sent,
		private readonly batches: Batches,
		private readonly outcomes: Outcomes,
		private readonly clock: Clock,
		private readonly wake: () => void,
	) {
		this.unrecorded = sent.unrecorded;
		// A batch is claimed as a whole, whatever rows are between its own.
		if (sent.claims && batches.isBatched) this.later = batches.plan(toSend);
		this.unclaimed = sent.claims && !this.later ? toSend : [];
		this.planClaim();
		this.toMake = batches.requests(sent.claims || sent.unrecorded !== undefined ? [] : toSend);
	}

	/** Number of requests that were made and have not ended. */
	get unfinished(): number {
		return this.inFlight.size + this.waiting.length;
	}

	/** Whether nothing is left to send, once {@link fill} was called. */
	get isEmpty(): boolean {
		return this.unfinished === 0 && this.unclaimed.length === 0;
	}

	/** Makes requests until so many have not ended. If there are too few, the journal claims more deliveries. */
	fill(places: number, nowMs: number): void {
		// What was refused keeps no place, so that a few rows cannot stop the others.
		while (this.inFlight.size + this.waiting.filter((job) => !job.isRefused).length < places) {
			const made = this.toMake.next();
			if (made.done) return this.claimMore(nowMs);
			const job = toJob(made.value);
			const [first] = made.value.deliveries;
			const before = first && this.givenBack.get(first);
			if (first && before) this.givenBack.delete(first);
			this.waiting.push(before ? { ...before, request: job.request } : job);
		}
	}

	/**
	 * The request to send next; undefined if all wait for a response, a retry or an earlier request.
	 *
	 * @param mayRepeat whether one that was refused may leave before those that were not. They leave one by
	 * one, so that each shows whether it is refused for itself.
	 */
	next(nowMs: number, mayRepeat: boolean): Job | undefined {
		const first = (isRefused: boolean) =>
			this.waiting.find((job) => !!job.isRefused === isRefused && this.isReady(job, nowMs));
		const [fresh, refused] = [first(false), first(true)];
		const underWay = [...this.inFlight.values()];
		if (fresh && refused && mayRepeat)
			return underWay.some(({ isRefused }) => isRefused) ? fresh : refused;
		if (fresh || mayRepeat || this.unclaimed.length === 0) return fresh ?? refused;
		// The journal gives others once those in flight have ended.
		const waits = this.claiming || underWay.some(({ isRefused }) => !isRefused);
		return waits ? undefined : refused;
	}

	/** The newest request that has never left. */
	newest(nowMs: number): Job | undefined {
		return this.waiting.filter((job) => job.attempts === 0 && this.isReady(job, nowMs)).at(-1);
	}

	/** When the next retry is due, or Infinity if none is. */
	nextDueMs(nowMs: number): number {
		return Math.min(...this.waiting.map(({ dueMs }) => dueMs).filter((dueMs) => dueMs > nowMs));
	}

	/** The first part of a request with more than `maxRows` rows; the rest is sent next. */
	cut(job: Job, maxRows: number): Job {
		if (job.request.deliveries.length <= maxRows) return job;
		const parts = this.batches.split(job.request, maxRows);
		const [first, rest] = parts.map((request) => ({ ...job, request, row: {} }));
		if (!first || !rest) return job;
		this.waiting.splice(this.waiting.indexOf(job), 1, first, rest);
		return first;
	}

	/** A request leaves. */
	depart(job: Job, permit: Permit): void {
		this.waiting.splice(this.waiting.indexOf(job), 1);
		this.inFlight.set(permit, job);
		job.attempts++;
	}

	/** Returns a request whose attempt has ended to the back of the queue. */
	sendAgain(job: Job, dueMs = -Infinity): void {
		job.isRefused = dueMs === -Infinity;
		job.dueMs = dueMs;
		this.waiting.push(job);
	}

	/** The parts of a request that was split come next. */
	sendNext(parts: readonly ApiRequest[]): void {
		this.waiting.unshift(...parts.map(toJob));
	}

	/** Removes and returns the requests that are not in flight. */
	takeWaiting(): Job[] {
		return this.waiting.splice(0);
	}

	/** The executions that hold the keys of everything that is left; none if something else is waited for. */
	get holders(): string[] {
		const inUse = this.lookAgainMs === undefined ? [] : this.unclaimed;
		return [...new Set(inUse.flatMap((delivery) => this.sent.heldBy(delivery) ?? []))];
	}

	/** Leaves out the deliveries whose keys other runs hold for longer than this one may wait. */
	leaveOutInUse(): void {
		this.unclaimed = this.unclaimed.filter((delivery) => {
			const holder = this.sent.heldBy(delivery);
			if (holder === undefined) return true;
			const message = `execution ${holder} is sending it`;
			const outcome = { outcome: 'notSent', reason: 'keyInUse', message, attempts: 0 } as const;
			this.outcomes.leaveOut([delivery], outcome);
			return false;
		});
		this.lookAgainMs = undefined;
	}

	/** Whether a request is due, and the earlier rows of its users have ended. */
	private isReady({ request: { deliveries }, dueMs }: Job, nowMs: number): boolean {
		if (dueMs > nowMs) return false;
		return deliveries.every(({ userID = '' }) => {
			const rows = this.repeated.get(userID) ?? [];
			while (rows[0] && this.outcomes.has(rows[0])) rows.shift();
			return !rows[0] || deliveries.includes(rows[0]);
		});
	}

	private claimMore(nowMs: number): void {
		if (this.claiming || this.unclaimed.length === 0) return;
		if (nowMs < (this.lookAgainMs ?? nowMs)) return;
		this.lookAgainMs = undefined;
		if (this.sent.hasRoomFor(this.unclaimed.length, this.countInFlight()))
			this.claiming = this.claim();
	}

	/** Takes batches to be claimed next, so many that they have about as many rows as a full one. */
	private planClaim(): void {
		const planned = [...this.unclaimed];
		while (this.later && planned.length < this.batches.size) {
			const next = this.later.next();
			if (next.done) break;
			planned.push(...next.value.deliveries);
		}
		this.unclaimed = planned;
	}

	private countInFlight(): number {
		let deliveries = 0;
		for (const { request } of this.inFlight.values()) deliveries += request.deliveries.length;
		return deliveries;
	}

	/** A crash leaves all claimed messages in doubt, and batches hold many. Of those that were answered 429, the rest is given back. */
	giveBackTooMany(): void {
		const { sent } = this;
		if (!sent.claims || !this.batches.isBatched || this.claiming) return;
		const due = this.waiting.filter(({ dueMs, unknown }) => dueMs === -Infinity && !unknown);
		let ahead = 0;
		const back: Job[] = [];
		for (const job of due) {
			const isFirst = ahead === 0;
			ahead += job.request.deliveries.length;
			if (ahead > sent.maxAhead && !isFirst && job.isRefused) back.push(job);
		}
		if (back.length === 0) return;
		const isBack = new Set(back);
		this.waiting.splice(0, Infinity, ...this.waiting.filter((job) => !isBack.has(job)));
		const deliveries = back.flatMap(({ request }) => request.deliveries);
		for (const job of back)
			if (job.request.deliveries[0]) this.givenBack.set(job.request.deliveries[0], job);
		sent.giveBack(deliveries);
		this.unclaimed = [...deliveries, ...this.unclaimed];
		this.claiming = sent.flush().finally(() => {
			this.claiming = undefined;
			this.wake();
		});
	}

	private async claim(): Promise<void> {
		try {
			const claim = await this.sent.claim(this.unclaimed, this.countInFlight());
			// Another run may wait for what has ended here.
			if (claim.claimed.length === 0) await this.sent.flush();
			this.unclaimed = claim.later;
			this.planClaim();
			this.toMake = this.batches.requests(this.outcomes.takeClaimed(claim));
			if (claim.claimed.length === 0 && claim.known.size === 0)
				this.lookAgainMs = this.clock.now() + LOOK_AFTER_MS;
		} catch (error) {
			if (error instanceof RefusedRun) this.refused = error.problem;
			this.unrecorded = errorMessage(error);
			this.unclaimed = [];
		}
		this.claiming = undefined;
		this.wake();
	}
}
