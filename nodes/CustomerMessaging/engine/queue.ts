import type { SentEnding } from '../shared/ending';
import type { Batches } from './batches';
import type { Claims } from './claims';
import type { Message, Request, Wire } from './interfaces';
import type { Permit } from './pace/pace';

/** One request, across all its attempts. */
export interface Job<M extends Message> {
	readonly request: Request<M>;
	/** Stands for it where a pause counts failures. */
	readonly row: object;
	attempts: number;
	/** Attempts without a response, or with one that leaves open whether the request was processed. */
	failures: number;
	/** It was answered 429, so others go first. */
	isLimited?: boolean;
	/** Number of 429s although others were accepted. */
	limitedAlone: number;
	dueMs: number;
	/** The ending unless a later attempt is accepted. Set if an earlier attempt may have been processed. */
	unknown?: SentEnding;
}

/** Messages of one lane leave one after another, each once the earlier ones have ended. */
interface Order<M> {
	lanes: ReadonlyMap<string, M[]>;
	laneOf: Wire<M>['laneOf'];
	hasEnded: (message: M) => boolean;
}

function toJob<M extends Message>(request: Request<M>): Job<M> {
	return { request, row: {}, attempts: 0, failures: 0, limitedAlone: 0, dueMs: -Infinity };
}

/** The requests of a run that have not ended, and which of them leaves next. */
export class Queue<M extends Message> {
	private readonly waiting: Array<Job<M>> = [];
	/** In the order in which they left. */
	private readonly departed = new Map<Permit, Job<M>>();
	/** Requests that were given back, by their first message, to go on counting attempts. */
	private readonly givenBack = new Map<M, Job<M>>();

	constructor(
		private readonly claims: Pick<
			Claims<M, M>,
			'canRelease' | 'claimMore' | 'isClaiming' | 'isEmpty' | 'nextRequest' | 'release'
		>,
		private readonly batches: Pick<Batches<M>, 'split'>,
		private readonly order: Order<M>,
	) {}

	get unfinished(): number {
		return this.departed.size + this.waiting.length;
	}

	/** Nothing is left to send, once {@link fill} was called. */
	get isEmpty(): boolean {
		return this.unfinished === 0 && this.claims.isEmpty;
	}

	get inFlight(): Array<Job<M>> {
		return [...this.departed.values()];
	}

	/** Makes requests until so many have not ended. If there are too few, more messages are claimed. */
	fill(places: number, nowMs: number): void {
		// Requests that were answered 429 keep no place, so that a few rows cannot stop the others.
		while (this.departed.size + this.waiting.filter((job) => !job.isLimited).length < places) {
			const request = this.claims.nextRequest();
			if (!request) {
				const messages = this.inFlight.reduce((sum, job) => sum + job.request.messages.length, 0);
				return this.claims.claimMore(nowMs, messages);
			}
			const [first] = request.messages;
			const before = first && this.givenBack.get(first);
			if (before) this.givenBack.delete(first);
			this.waiting.push(before ? { ...before, request } : toJob(request));
		}
	}

	/**
	 * The request to send next; undefined if all wait for a response, a retry or an earlier request.
	 *
	 * @param mayRepeat lets one that was answered 429 leave before those that were not. They leave one by one, so that
	 * each shows whether it is limited for itself.
	 */
	next(nowMs: number, mayRepeat: boolean): Job<M> | undefined {
		const first = (isLimited: boolean) =>
			this.waiting.find((job) => !!job.isLimited === isLimited && this.isReady(job, nowMs));
		const [fresh, limited] = [first(false), first(true)];
		const { inFlight, claims } = this;
		if (fresh && limited && mayRepeat)
			return inFlight.some(({ isLimited }) => isLimited) ? fresh : limited;
		if (fresh || mayRepeat || claims.isEmpty) return fresh ?? limited;
		// The journal gives others once those in flight have ended.
		const waits = claims.isClaiming || inFlight.some(({ isLimited }) => !isLimited);
		return waits ? undefined : limited;
	}

	/** The newest request that has never left. */
	newest(nowMs: number): Job<M> | undefined {
		return this.waiting.filter((job) => job.attempts === 0 && this.isReady(job, nowMs)).at(-1);
	}

	/** When the next retry is due, or Infinity if none is. */
	nextDueMs(nowMs: number): number {
		return Math.min(...this.waiting.map(({ dueMs }) => dueMs).filter((dueMs) => dueMs > nowMs));
	}

	/** The first part of a request with more than `maxRows` rows; the rest is sent next. */
	cut(job: Job<M>, maxRows: number): Job<M> {
		if (job.request.messages.length <= maxRows) return job;
		const [request, rest] = this.batches.split(job.request.messages, maxRows);
		const first = { ...job, request, row: {} };
		this.waiting.splice(this.waiting.indexOf(job), 1, first, { ...first, request: rest, row: {} });
		return first;
	}

	depart(job: Job<M>, permit: Permit): void {
		this.waiting.splice(this.waiting.indexOf(job), 1);
		this.departed.set(permit, job);
		job.attempts++;
	}

	/** Removes and returns the request that left with a permit; undefined if a health check did. */
	land(permit: Permit): Job<M> | undefined {
		const job = this.departed.get(permit);
		this.departed.delete(permit);
		return job;
	}

	/** Returns a request whose attempt has ended to the back of the queue. */
	retry(job: Job<M>, dueMs = -Infinity): void {
		job.isLimited = dueMs === -Infinity;
		job.dueMs = dueMs;
		this.waiting.push(job);
	}

	sendNext(parts: readonly Request<M>[]): void {
		this.waiting.unshift(...parts.map(toJob));
	}

	takeWaiting(): Job<M>[] {
		return this.waiting.splice(0);
	}

	/** Gives back batches that were answered 429 and are not first: a crash leaves all claimed messages in doubt. */
	releaseExcess(): void {
		if (!this.claims.canRelease) return;
		const due = this.waiting.filter(({ dueMs, unknown }) => dueMs === -Infinity && !unknown);
		const back = due.slice(1).filter(({ isLimited }) => isLimited);
		if (back.length === 0) return;
		for (const job of back) {
			this.waiting.splice(this.waiting.indexOf(job), 1);
			if (job.request.messages[0]) this.givenBack.set(job.request.messages[0], job);
		}
		this.claims.release(back.flatMap(({ request }) => request.messages));
	}

	/** A request is due, and the earlier rows of its users have ended. */
	private isReady({ request: { messages }, dueMs }: Job<M>, nowMs: number): boolean {
		if (dueMs > nowMs) return false;
		const { lanes, laneOf, hasEnded } = this.order;
		return messages.every((message) => {
			const rows = lanes.get(laneOf(message) ?? '') ?? [];
			while (rows[0] && hasEnded(rows[0])) rows.shift();
			return !rows[0] || messages.includes(rows[0]);
		});
	}
}
