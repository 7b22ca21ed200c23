import type { Clock } from '../shared/apis';
import { errorMessage } from '../shared/formatting';
import type { SentEnding } from '../shared/ending';
import type { Batches } from './batches';
import type { Message, Request, Wire } from './message';
import type { Outcomes } from './outcomes';
import type { Permit } from './pace/pace';
import type { Policy } from './policy';
import { RanAgain } from './record/marks';
import type { Sent } from './record/sent';
/** How often a run looks whether a key that is in use is free. */
const LOOK_AFTER_MS = 500;

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
	/** How often it was answered 429 although others were accepted. */
	limitedAlone?: number;
	/** It must not leave earlier. */
	dueMs: number;
	/** What to report unless a later attempt is accepted. Set if an earlier attempt may have been processed. */
	unknown?: SentEnding;
}

function toJob<M extends Message>(request: Request<M>): Job<M> {
	return { request, row: {}, attempts: 0, failures: 0, dueMs: -Infinity };
}

/**
 * The requests of a run that have not ended. They are made as they are needed: of all its messages, or of
 * those that the record has claimed for it.
 */
export class Queue<R extends Message, M extends R> {
	/** In the order in which they left. */
	readonly inFlight = new Map<Permit, Job<M>>();
	/** Why nothing can be recorded, so that nothing more may be sent. */
	unrecorded?: string;
	/** Whether n8n runs an interrupted execution again from its start, so that nothing may be sent. */
	ranAgain = false;
	/** When to claim again; set if the last claim got nothing, because the keys of all messages are in use. */
	lookAgainMs?: number;
	/** A claim that has begun and not ended. */
	claiming?: Promise<void>;
	private readonly wire: Wire<M>;
	private readonly policy: Policy;
	private readonly sent: Sent<R>;
	private readonly clock: Clock;
	private readonly waiting: Array<Job<M>> = [];
	/** What was given back, by its first message, to go on counting attempts. */
	private readonly givenBack = new Map<M, Job<M>>();
	private toMake: Iterator<Request<M>>;
	/** Messages to be claimed next. */
	private unclaimed: readonly M[];
	/** Those after them, in the batches that they will be sent in. */
	private readonly later?: Iterator<Request<M>>;

	/**
	 * @param lanes messages that leave one after another, each once the earlier ones have ended
	 * @param wake called when a claim has ended
	 */
	constructor(
		toSend: readonly M[],
		private readonly lanes: ReadonlyMap<string, M[]>,
		around: { wire: Wire<M>; policy: Policy; sent: Sent<R>; clock: Clock },
		private readonly batches: Batches<M>,
		private readonly outcomes: Outcomes<R, M>,
		private readonly wake: () => void,
	) {
		const { wire, policy, sent, clock } = around;
		[this.wire, this.policy, this.sent, this.clock] = [wire, policy, sent, clock];
		this.unrecorded = sent.unrecorded;
		// A batch is claimed as a whole, whatever rows are between its own.
		if (sent.claims && policy.isBatched) this.later = batches.plan(toSend);
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

	/** Makes requests until so many have not ended. If there are too few, more messages are claimed. */
	fill(places: number, nowMs: number): void {
		// What was answered 429 keeps no place, so that a few rows cannot stop the others.
		while (this.inFlight.size + this.waiting.filter((job) => !job.isLimited).length < places) {
			const made = this.toMake.next();
			if (made.done) return this.claimMore(nowMs);
			const job = toJob(made.value);
			const [first] = made.value.messages;
			const before = first && this.givenBack.get(first);
			if (first && before) this.givenBack.delete(first);
			this.waiting.push(before ? { ...before, request: job.request } : job);
		}
	}

	/**
	 * The request to send next; undefined if all wait for a response, a retry or an earlier request.
	 *
	 * @param mayRepeat whether one that was answered 429 may leave before those that were not. They leave one
	 * by one, so that each shows whether it is limited for itself.
	 */
	next(nowMs: number, mayRepeat: boolean): Job<M> | undefined {
		const first = (isLimited: boolean) =>
			this.waiting.find((job) => !!job.isLimited === isLimited && this.isReady(job, nowMs));
		const [fresh, limited] = [first(false), first(true)];
		const underWay = [...this.inFlight.values()];
		if (fresh && limited && mayRepeat)
			return underWay.some(({ isLimited }) => isLimited) ? fresh : limited;
		if (fresh || mayRepeat || this.unclaimed.length === 0) return fresh ?? limited;
		// The journal gives others once those in flight have ended.
		const waits = this.claiming || underWay.some(({ isLimited }) => !isLimited);
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
		const parts = this.batches.split(job.request, maxRows);
		const [first, rest] = parts.map((request) => ({ ...job, request, row: {} }));
		if (!first || !rest) return job;
		this.waiting.splice(this.waiting.indexOf(job), 1, first, rest);
		return first;
	}

	/** A request leaves. */
	depart(job: Job<M>, permit: Permit): void {
		this.waiting.splice(this.waiting.indexOf(job), 1);
		this.inFlight.set(permit, job);
		job.attempts++;
	}

	/** Returns a request whose attempt has ended to the back of the queue. */
	sendAgain(job: Job<M>, dueMs = -Infinity): void {
		job.isLimited = dueMs === -Infinity;
		job.dueMs = dueMs;
		this.waiting.push(job);
	}

	/** The parts of a request that was split come next. */
	sendNext(parts: readonly Request<M>[]): void {
		this.waiting.unshift(...parts.map(toJob));
	}

	/** Removes and returns the requests that are not in flight. */
	takeWaiting(): Job<M>[] {
		return this.waiting.splice(0);
	}

	/** The executions that hold the keys of everything that is left; none if something else is waited for. */
	get holders(): string[] {
		const inUse = this.lookAgainMs === undefined ? [] : this.unclaimed;
		return [...new Set(inUse.flatMap((message) => this.sent.heldBy(message) ?? []))];
	}

	/** Leaves out the messages whose keys other runs hold for longer than this one may wait. */
	leaveOutInUse(): void {
		this.unclaimed = this.unclaimed.filter((each) => {
			const holder = this.sent.heldBy(each);
			if (holder === undefined) return true;
			const message = `execution ${holder} is sending it`;
			const ending = { kind: 'notSent', code: 'keyInUse', values: { message } } as const;
			this.outcomes.leaveOut([each], { ending, attempts: 0 });
			return false;
		});
		this.lookAgainMs = undefined;
	}

	/** Whether a request is due, and the earlier rows of its users have ended. */
	private isReady({ request: { messages }, dueMs }: Job<M>, nowMs: number): boolean {
		if (dueMs > nowMs) return false;
		return messages.every((message) => {
			const rows = this.lanes.get(this.wire.laneOf(message) ?? '') ?? [];
			while (rows[0] && this.outcomes.has(rows[0])) rows.shift();
			return !rows[0] || messages.includes(rows[0]);
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
		while (this.later && planned.length < this.policy.rowsPerRequest) {
			const next = this.later.next();
			if (next.done) break;
			planned.push(...next.value.messages);
		}
		this.unclaimed = planned;
	}

	private countInFlight(): number {
		let messages = 0;
		for (const { request } of this.inFlight.values()) messages += request.messages.length;
		return messages;
	}

	/** A crash leaves all claimed messages in doubt. Those of batches that the window has no place for are given back. */
	giveBackTooMany(): void {
		const { sent } = this;
		if (!sent.claims || !this.policy.isBatched || this.claiming) return;
		const due = this.waiting.filter(({ dueMs, unknown }) => dueMs === -Infinity && !unknown);
		const beyond = sent.beyondWindow(due, ({ request }) => request.messages.length);
		const back = new Set(beyond.filter(({ isLimited }) => isLimited));
		if (back.size === 0) return;
		this.waiting.splice(0, Infinity, ...this.waiting.filter((job) => !back.has(job)));
		const messages = [...back].flatMap(({ request }) => request.messages);
		for (const job of back)
			if (job.request.messages[0]) this.givenBack.set(job.request.messages[0], job);
		sent.giveBack(messages);
		this.unclaimed = [...messages, ...this.unclaimed];
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
			if (error instanceof RanAgain) this.ranAgain = true;
			this.unrecorded = errorMessage(error);
			this.unclaimed = [];
		}
		this.claiming = undefined;
		this.wake();
	}
}
