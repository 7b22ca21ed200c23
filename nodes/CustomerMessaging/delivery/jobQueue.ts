import type { Permit } from '../rateLimit/rateLimiter';
import type { Ending } from './retryPolicy';

/** One request, across all its attempts. */
export interface Job<T> {
	readonly request: T;
	/** Jobs with a common key are sent one after another. */
	readonly keys: readonly string[];
	attempts: number;
	/** Attempts without a response, or with one that leaves open whether the request was processed. */
	failures: number;
	/** What to report unless a later attempt is accepted. Set if an earlier attempt may have been processed. */
	unknown?: Ending;
}

/** The requests of a run that were pulled and have not ended yet. */
export class JobQueue<T> {
	/** Ready to be sent, the next one first. */
	private readonly ready: Array<Job<T>> = [];
	/** Waiting for a retry, with the time at which it is due. */
	private readonly delayed = new Map<Job<T>, number>();
	private readonly inFlight = new Map<Job<T>, Permit>();
	private readonly order = new SendOrder<Job<T>>();

	/** @param keysOf the keys of a request; requests with a common key are sent one after another */
	constructor(private readonly keysOf: (request: T) => readonly string[]) {}

	/** Number of jobs that have not ended. */
	get unfinished(): number {
		return this.inFlight.size + this.delayed.size + this.ready.length;
	}

	get hasInFlight(): boolean {
		return this.inFlight.size > 0;
	}

	/** The job to be sent next; undefined if all wait for a response, a retry or an earlier job. */
	get next(): Job<T> | undefined {
		return this.ready.find((job) => this.order.mayLeave(job));
	}

	/** When the next retry is due, or Infinity if none is. */
	get nextDueAtMs(): number {
		let firstMs = Infinity;
		// Not Math.min(...): a call takes no more than about 100,000 arguments.
		for (const dueAtMs of this.delayed.values()) firstMs = Math.min(firstMs, dueAtMs);
		return firstMs;
	}

	append(request: T): void {
		const job = this.toJob(request);
		this.ready.push(job);
		this.order.add(job);
	}

	/** Replaces a job whose attempt has ended by its parts, as new jobs at the front. */
	split(job: Job<T>, parts: readonly T[]): void {
		const jobs = parts.map((part) => this.toJob(part));
		this.ready.unshift(...jobs);
		this.order.replace(job, jobs);
	}

	/** Releases the jobs that wait for this one. */
	end(job: Job<T>): void {
		this.order.end(job);
	}

	/** Returns a job to the front of the queue. */
	requeue(job: Job<T>): void {
		this.ready.unshift(job);
	}

	delay(job: Job<T>, untilMs: number): void {
		this.delayed.set(job, untilMs);
	}

	requeueDue(nowMs: number): void {
		for (const [job, untilMs] of this.delayed) {
			if (untilMs > nowMs) continue;
			this.delayed.delete(job);
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
	complete(job: Job<T>, permit: Permit): boolean {
		return this.inFlight.get(job) === permit && this.inFlight.delete(job);
	}

	/** When the oldest attempt in flight was sent, or Infinity if none is in flight. */
	get oldestSentMs(): number {
		let oldestMs = Infinity;
		for (const { sentMs } of this.inFlight.values()) oldestMs = Math.min(oldestMs, sentMs);
		return oldestMs;
	}

	/** The jobs in flight that were sent no later than `ms` (epoch milliseconds), the oldest first. */
	inFlightSince(ms: number): Array<[Job<T>, Permit]> {
		return [...this.inFlight].filter(([, { sentMs }]) => sentMs <= ms);
	}

	/** Removes and returns all jobs that are not in flight. */
	takeWaiting(): Array<Job<T>> {
		const jobs = [...this.delayed.keys(), ...this.ready.splice(0)];
		this.delayed.clear();
		return jobs;
	}

	private toJob(request: T): Job<T> {
		const keys = [...new Set(this.keysOf(request))];
		return { request, keys, attempts: 0, failures: 0 };
	}
}

/**
 * Keeps requests with a common key in order: each one waits until the earlier ones have ended. The
 * earliest request never waits, so they cannot all wait for each other.
 */
class SendOrder<R extends { readonly keys: readonly string[] }> {
	/** By key, the requests that have not ended, the earliest first. */
	private readonly queues = new Map<string, R[]>();

	/** Adds a request after all others. */
	add(request: R): void {
		for (const key of request.keys) {
			const queue = this.queues.get(key);
			if (queue) queue.push(request);
			else this.queues.set(key, [request]);
		}
	}

	/** Whether all earlier requests that share a key with this one have ended. */
	mayLeave(request: R): boolean {
		return request.keys.every((key) => this.queues.get(key)?.[0] === request);
	}

	/** Puts the parts of a request in its place. Together they must have the keys of the request. */
	replace(request: R, parts: readonly R[]): void {
		for (const key of request.keys) {
			const queue = this.queues.get(key) ?? [];
			const withKey = parts.filter(({ keys }) => keys.includes(key));
			queue.splice(queue.indexOf(request), 1, ...withKey);
		}
	}

	/** Ends a request, whether or not it was sent. */
	end(request: R): void {
		for (const key of request.keys) {
			const queue = (this.queues.get(key) ?? []).filter((other) => other !== request);
			if (queue.length > 0) this.queues.set(key, queue);
			else this.queues.delete(key);
		}
	}
}
