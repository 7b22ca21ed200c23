import type { Permit } from '../pace/pace';
import type { ApiRequest } from './requests';
import type { Ending } from './answer';

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
		let firstMs = Infinity;
		for (const { dueMs } of this.waiting) if (dueMs > nowMs) firstMs = Math.min(firstMs, dueMs);
		return firstMs;
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
