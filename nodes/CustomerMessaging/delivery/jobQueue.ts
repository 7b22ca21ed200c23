import type { Permit } from '../rateLimit/rateLimiter';
import type { Ending } from './retryPolicy';

/** One request over all its attempts. */
export interface Job<T> {
	readonly request: T;
	attempts: number;
	failures: number;
	/** What to report if no later attempt is accepted: an earlier one may have been processed. */
	unsure?: Ending;
}

/** The requests of a run that were pulled and have not ended. */
export class JobQueue<T> {
	/** Ready to leave, the next one first. */
	private readonly ready: Array<Job<T>> = [];
	/** Waiting to be sent again, with the time at which they become ready. */
	private readonly resting = new Map<Job<T>, number>();
	private readonly inFlight = new Map<Job<T>, Permit>();

	/** Jobs that a response or the passing of time will make ready or end. */
	get busy(): number {
		return this.inFlight.size + this.resting.size;
	}

	get hasInFlight(): boolean {
		return this.inFlight.size > 0;
	}

	get first(): Job<T> | undefined {
		return this.ready[0];
	}

	/** When the next resting job becomes ready; infinite if none rests. */
	get nextReadyAtMs(): number {
		return Math.min(Infinity, ...this.resting.values());
	}

	append(request: T): void {
		this.ready.push({ request, attempts: 0, failures: 0 });
	}

	/** Puts parts of a request in front, as new jobs. */
	prepend(requests: readonly T[]): void {
		this.ready.unshift(...requests.map((request) => ({ request, attempts: 0, failures: 0 })));
	}

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

	/** Takes a job out of flight; false if this attempt has ended already. */
	land(job: Job<T>, permit: Permit): boolean {
		return this.inFlight.get(job) === permit && this.inFlight.delete(job);
	}

	/** What is in flight and left before `ms`, the oldest first. */
	inFlightSince(ms: number): Array<[Job<T>, Permit]> {
		return [...this.inFlight].filter(([, { sentMs }]) => sentMs <= ms);
	}

	/** Takes out everything that is not in flight. */
	drain(): Array<Job<T>> {
		const jobs = [...this.resting.keys(), ...this.ready.splice(0)];
		this.resting.clear();
		return jobs;
	}
}
