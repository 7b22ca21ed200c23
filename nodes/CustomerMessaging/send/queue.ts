import type { Permit } from '../pace/pace';
import type { Ending } from './answer';
import type { Outcomes } from './outcomes';
import type { ApiRequest } from './requests';
import type { Journal } from '../journal/journal';
import type { SentRecords } from '../journal/reconcile';
import type { Delivery } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import type { Batches } from './batches';
import type { Clock } from '../shared/apis';

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
	/** Earlier requests for the same users, which have to end first. */
	after: Job[];
	/** The requests that took its place. */
	parts?: Job[];
	hasEnded: boolean;
}

/** The requests of a run that were made and have not ended yet. */
export class Queue {
	/** In the order in which the messages left. */
	readonly inFlight = new Map<Permit, Job>();
	private readonly waiting: Job[] = [];
	/** By user, the last request that has a row of theirs. */
	private readonly last = new Map<string, Job>();

	/** @param ordered users whose requests leave one after another, each once the earlier ones have ended */
	constructor(private readonly ordered: ReadonlyMap<string, unknown>) {}

	/** Number of requests that have not ended. */
	get unfinished(): number {
		return this.inFlight.size + this.waiting.length;
	}

	add(request: ApiRequest): Job {
		const job = this.follow(this.last, request);
		this.waiting.push(job);
		return job;
	}

	/** The request to send next; undefined if all wait for a response, a retry or an earlier request. */
	next(nowMs: number): Job | undefined {
		return this.waiting.find((job) => mayLeave(job, nowMs));
	}

	/** The newest request that has never left. */
	newest(nowMs: number): Job | undefined {
		return this.waiting.filter((job) => job.attempts === 0 && mayLeave(job, nowMs)).at(-1);
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
		if (dueMs === undefined) {
			this.waiting.unshift(job);
		} else {
			job.dueMs = dueMs;
			this.waiting.push(job);
		}
	}

	/** Replaces a request by its parts, which come next and keep the order of its users. */
	split(job: Job, parts: readonly ApiRequest[]): void {
		const last = new Map<string, Job>();
		job.parts = parts.map((part) => this.follow(last, part));
		this.waiting.unshift(...job.parts);
	}

	/** Removes and returns the requests that are not in flight. */
	takeWaiting(): Job[] {
		return this.waiting.splice(0);
	}

	private follow(last: Map<string, Job>, request: ApiRequest): Job {
		const job: Job = {
			request,
			attempts: 0,
			failures: 0,
			dueMs: -Infinity,
			after: [],
			hasEnded: false,
		};
		for (const { userID = '' } of request.deliveries) {
			if (!this.ordered.has(userID)) continue;
			const earlier = last.get(userID);
			if (earlier && earlier !== job) job.after.push(earlier);
			last.set(userID, job);
		}
		return job;
	}
}

function mayLeave(job: Job, nowMs: number): boolean {
	if (job.dueMs > nowMs) return false;
	job.after = job.after.filter((earlier) => !hasEnded(earlier));
	return job.after.length === 0;
}

function hasEnded(job: Job): boolean {
	return job.parts ? job.parts.every(hasEnded) : job.hasEnded;
}

/** How often a run looks whether a key that is in use is free. */
const LOOK_AFTER_MS = 500;

/** Makes the requests of a run: for all its deliveries, or for those that the journal has claimed for it. */
export class Source {
	/** Why nothing can be recorded, so that nothing more may be sent. */
	unrecorded?: string;
	/** When to claim again; set if the last claim got nothing, because the keys of all deliveries are in use. */
	lookAgainMs?: number;
	/** A claim that has begun and not ended. */
	claiming?: Promise<void>;
	private readonly journal?: Journal;
	private made: Iterator<ApiRequest>;
	/** Deliveries that the journal has not claimed for this run yet. */
	private unclaimed: readonly Delivery[];

	/** @param wake called when a claim has ended */
	constructor(
		toSend: readonly Delivery[],
		{ journal, unrecorded }: SentRecords,
		private readonly batches: Batches,
		private readonly outcomes: Outcomes,
		private readonly clock: Clock,
		private readonly wake: () => void,
	) {
		this.journal = journal;
		this.unrecorded = unrecorded;
		this.unclaimed = journal ? toSend : [];
		this.made = batches.all(journal || unrecorded !== undefined ? [] : toSend);
	}

	/** The next request, if one can be made now. */
	next(): ApiRequest | undefined {
		const next = this.made.next();
		return next.done ? undefined : next.value;
	}

	/** Whether no more requests will come once none can be made now. */
	get isExhausted(): boolean {
		return this.unclaimed.length === 0;
	}

	/** Lets the journal claim more deliveries, unless it does so already. */
	claimMore(nowMs: number): void {
		if (!this.journal || this.claiming || this.isExhausted) return;
		if (nowMs < (this.lookAgainMs ?? nowMs)) return;
		this.lookAgainMs = undefined;
		if (this.journal.roomFor(this.unclaimed.length) === 0) return;
		this.claiming = this.claimFrom(this.journal);
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

	private async claimFrom(journal: Journal): Promise<void> {
		try {
			const claim = await journal.claim(this.unclaimed);
			// Another run may wait for what has ended here.
			if (claim.claimed.length === 0) await journal.flush();
			this.unclaimed = claim.later;
			this.made = this.batches.all(this.outcomes.takeClaimed(claim));
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

/** Sleeps until a time or until it is woken, on a clock whose sleeps cannot be cancelled. */
export class WakeUp {
	/** When the current sleeps end, so that no unnecessary one is started. */
	private readonly sleepsUntilMs = new Set<number>();
	private isDue = false;
	private resume = () => {};

	constructor(private readonly clock: Clock) {}

	/** Ends the current sleep, or the next one immediately. */
	readonly wake = (): void => {
		this.isDue = true;
		this.resume();
	};

	/** @param untilMs epoch milliseconds, or Infinity */
	async sleepUntil(untilMs: number): Promise<void> {
		if (!this.isDue) {
			const nowMs = this.clock.now();
			const isSet = [...this.sleepsUntilMs].some((ms) => ms <= untilMs);
			if (untilMs < Infinity && !isSet) this.set(Math.max(nowMs + 1, untilMs), nowMs);
			await new Promise<void>((resolve) => {
				this.resume = resolve;
			});
		}
		this.isDue = false;
	}

	private set(untilMs: number, nowMs: number): void {
		this.sleepsUntilMs.add(untilMs);
		void this.clock.sleep(untilMs - nowMs).then(() => {
			this.sleepsUntilMs.delete(untilMs);
			this.wake();
		});
	}
}
