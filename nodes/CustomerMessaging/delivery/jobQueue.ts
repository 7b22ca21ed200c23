import type { Permit } from '../rateLimit/rateLimiter';
import type { Ending } from './retryPolicy';

/** One request, across all its attempts. */
export interface Job<T> {
	readonly request: T;
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

	/** Number of jobs that are waiting for a response or a retry. */
	get busy(): number {
		return this.inFlight.size + this.resting.size;
	}

	get hasInFlight(): boolean {
		return this.inFlight.size > 0;
	}

	get first(): Job<T> | undefined {
		return this.ready[0];
	}

	/** When the next resting job becomes ready, or Infinity if none is resting. */
	get nextReadyAtMs(): number {
		return Math.min(Infinity, ...this.resting.values());
	}

	append(request: T): void {
		this.ready.push({ request, attempts: 0, failures: 0 });
	}

	/** Adds the parts of a split request at the front, as new jobs. */
	prepend(requests: readonly T[]): void {
		this.ready.unshift(...requests.map((request) => ({ request, attempts: 0, failures: 0 })));
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

	/** Moves the first ready job into flight. */
	launch(permit: Permit): Job<T> | undefined {
		const job = this.ready.shift();
		if (job) this.inFlight.set(job, permit);
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
}
