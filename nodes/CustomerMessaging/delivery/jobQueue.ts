import type { Permit } from '../rateLimit/rateLimiter';
import type { Ending } from './retryPolicy';
import { SendOrder } from './sendOrder';

/** One request, across all its attempts. */
export interface Job<T> {
	readonly request: T;
	/** Jobs with a common key are sent one after another. */
	readonly keys: readonly string[];
	attempts: number;
	/** Attempts that got no response or a 5xx one. */
	failures: number;
	/** What to report unless a later attempt is accepted. Set if an earlier attempt may have been processed. */
	unsure?: Ending;
}

/** The requests of a run that were pulled and have not ended yet. */
export class JobQueue<T> {
	/** Ready to be sent, the next one first. */
	private readonly ready: Array<Job<T>> = [];
	/** Waiting for a retry, with the time at which they become ready. */
	private readonly resting = new Map<Job<T>, number>();
	private readonly inFlight = new Map<Job<T>, Permit>();
	private readonly order = new SendOrder<Job<T>>();

	/** @param keysOf the keys of a request; requests with a common key are sent one after another */
	constructor(private readonly keysOf: (request: T) => readonly string[]) {}

	/** Number of jobs that have not ended. */
	get unfinished(): number {
		return this.inFlight.size + this.resting.size + this.ready.length;
	}

	get hasInFlight(): boolean {
		return this.inFlight.size > 0;
	}

	/** The job to be sent next; undefined if all wait for a response, a retry or an earlier job. */
	get next(): Job<T> | undefined {
		return this.ready.find((job) => this.order.mayLeave(job));
	}

	/** When the next resting job becomes ready, or Infinity if none is resting. */
	get nextReadyAtMs(): number {
		return Math.min(Infinity, ...this.resting.values());
	}

	append(request: T): void {
		const job = this.jobOf(request);
		this.ready.push(job);
		this.order.add(job);
	}

	/** Replaces a job that has landed by its parts, as new jobs at the front. */
	split(job: Job<T>, parts: readonly T[]): void {
		const jobs = parts.map((part) => this.jobOf(part));
		this.ready.unshift(...jobs);
		this.order.replace(job, jobs);
	}

	/** Releases the jobs that wait for this one. */
	end(job: Job<T>): void {
		this.order.end(job);
	}

	/** Returns a job to the front of the queue. */
	putBack(job: Job<T>): void {
		this.ready.unshift(job);
	}

	rest(job: Job<T>, untilMs: number): void {
		this.resting.set(job, untilMs);
	}

	wakeRested(nowMs: number): void {
		for (const [job, untilMs] of this.resting) {
			if (untilMs > nowMs) continue;
			this.resting.delete(job);
			this.ready.push(job);
		}
	}

	/** Moves the next job into flight. */
	launch(permit: Permit): Job<T> | undefined {
		const job = this.next;
		if (!job) return undefined;
		this.ready.splice(this.ready.indexOf(job), 1);
		this.inFlight.set(job, permit);
		return job;
	}

	/** Ends an attempt. Returns false if it had already ended. */
	land(job: Job<T>, permit: Permit): boolean {
		return this.inFlight.get(job) === permit && this.inFlight.delete(job);
	}

	/** The jobs in flight that were sent no later than `ms` (epoch milliseconds), the oldest first. */
	inFlightSince(ms: number): Array<[Job<T>, Permit]> {
		return [...this.inFlight].filter(([, { sentMs }]) => sentMs <= ms);
	}

	/** Removes and returns all jobs that are not in flight. */
	drain(): Array<Job<T>> {
		const jobs = [...this.resting.keys(), ...this.ready.splice(0)];
		this.resting.clear();
		return jobs;
	}

	private jobOf(request: T): Job<T> {
		const keys = [...new Set(this.keysOf(request))];
		return { request, keys, attempts: 0, failures: 0 };
	}
}
