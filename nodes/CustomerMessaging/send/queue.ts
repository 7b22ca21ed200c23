import type { Journal } from '../journal/journal';
import type { SentRecords } from '../journal/reconcile';
import type { Permit } from '../pace/pace';
import type { Clock } from '../shared/apis';
import type { Delivery } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import type { Ending } from './answer';
import type { Batches } from './batches';
import type { Outcomes } from './outcomes';
import type { ApiRequest } from './requests';

/** How often a run looks whether a key that is in use is free. */
const LOOK_AFTER_MS = 500;

/** One request, across all its attempts. */
export interface Job {
	readonly request: ApiRequest;
	attempts: number;
	/** Attempts without a response, or with one that leaves open whether the request was processed. */
	failures: number;
	/** It must not leave earlier. */
	dueMs: number;
	/** What to report unless a later attempt is accepted. Set if an earlier attempt may have been processed. */
	unknown?: Ending;
}

function toJob(request: ApiRequest): Job {
	return { request, attempts: 0, failures: 0, dueMs: -Infinity };
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
	/** When to claim again; set if the last claim got nothing, because the keys of all deliveries are in use. */
	lookAgainMs?: number;
	/** A claim that has begun and not ended. */
	claiming?: Promise<void>;
	private readonly waiting: Job[] = [];
	private readonly journal?: Journal;
	private toMake: Iterator<ApiRequest>;
	/** Deliveries that the journal has not claimed for this run yet. */
	private unclaimed: readonly Delivery[];

	/**
	 * @param repeated by user, the rows that leave one after another, each once the earlier ones have ended
	 * @param wake called when a claim has ended
	 */
	constructor(
		toSend: readonly Delivery[],
		private readonly repeated: ReadonlyMap<string, Delivery[]>,
		{ journal, unrecorded }: SentRecords,
		private readonly batches: Batches,
		private readonly outcomes: Outcomes,
		private readonly clock: Clock,
		private readonly wake: () => void,
	) {
		this.journal = journal;
		this.unrecorded = unrecorded;
		this.unclaimed = journal ? toSend : [];
		this.toMake = batches.requests(journal || unrecorded !== undefined ? [] : toSend);
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
		while (this.unfinished < places) {
			const made = this.toMake.next();
			if (made.done) return this.claimMore(nowMs);
			this.waiting.push(toJob(made.value));
		}
	}

	/** The request to send next; undefined if all wait for a response, a retry or an earlier request. */
	next(nowMs: number): Job | undefined {
		return this.waiting.find((job) => this.isReady(job, nowMs));
	}

	/** The newest request that has never left. */
	newest(nowMs: number): Job | undefined {
		return this.waiting.filter((job) => job.attempts === 0 && this.isReady(job, nowMs)).at(-1);
	}

	/** When the next retry is due, or Infinity if none is. */
	nextDueMs(nowMs: number): number {
		return Math.min(...this.waiting.map(({ dueMs }) => dueMs).filter((dueMs) => dueMs > nowMs));
	}

	/** A request leaves. */
	depart(job: Job, permit: Permit): void {
		this.waiting.splice(this.waiting.indexOf(job), 1);
		this.inFlight.set(permit, job);
		job.attempts++;
	}

	/** Returns a request whose attempt has ended to the queue: at its front, or later. */
	sendAgain(job: Job, dueMs?: number): void {
		if (dueMs === undefined) return void this.waiting.unshift(job);
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
		return [...new Set(inUse.flatMap((delivery) => this.journal?.heldBy(delivery) ?? []))];
	}

	/** Leaves out the deliveries whose keys other runs hold for longer than this one may wait. */
	leaveOutInUse(): void {
		this.unclaimed = this.unclaimed.filter((delivery) => {
			const holder = this.journal?.heldBy(delivery);
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
		if (!this.journal || this.claiming || this.unclaimed.length === 0) return;
		if (nowMs < (this.lookAgainMs ?? nowMs)) return;
		this.lookAgainMs = undefined;
		if (this.journal.roomFor(this.unclaimed.length) === 0) return;
		this.claiming = this.claimFrom(this.journal);
	}

	private async claimFrom(journal: Journal): Promise<void> {
		try {
			const claim = await journal.claim(this.unclaimed);
			// Another run may wait for what has ended here.
			if (claim.claimed.length === 0) await journal.flush();
			this.unclaimed = claim.later;
			this.toMake = this.batches.requests(this.outcomes.takeClaimed(claim));
			if (claim.claimed.length === 0 && claim.known.size === 0)
				this.lookAgainMs = this.clock.now() + LOOK_AFTER_MS;
		} catch (error) {
			this.unrecorded = errorMessage(error);
			this.unclaimed = [];
		}
		this.claiming = undefined;
		this.wake();
	}
}
