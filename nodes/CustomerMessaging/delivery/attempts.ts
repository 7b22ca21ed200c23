import type { Permit } from '../rateLimit/rateLimiter';
import { errorMessage } from '../shared/formatting';
import type { Reply } from '../shared/reply';
import type { DispatchDeps, DispatchOptions } from './dispatchOptions';
import type { Gate } from './gate';
import type { Job, JobQueue } from './jobQueue';
import { type Ending, isSplittable, judge, withJitter } from './retryPolicy';

/** Sends the requests of one run, some of them several times, and settles each one. */
export class Attempts<T> {
	/** Number of requests answered 429. */
	rateLimited = 0;

	/** @param ended called after each attempt */
	constructor(
		private readonly jobs: JobQueue<T>,
		private readonly gate: Gate<T>,
		private readonly deps: Pick<DispatchDeps<T>, 'clock' | 'random' | 'send' | 'split' | 'settled'>,
		private readonly options: Pick<DispatchOptions, 'retryUnknown' | 'answerWithinMs'>,
		private readonly ended: () => void,
	) {}

	/** When an attempt exceeds `answerWithinMs`. */
	get overdueAtMs(): number {
		return this.jobs.oldestSentMs + (this.options.answerWithinMs ?? Infinity);
	}

	/** Sends the next request of the queue. */
	async send(permit: Permit): Promise<void> {
		const job = this.jobs.launch(permit);
		if (!job) return;
		job.attempts++;
		this.gate.depart(permit, job);
		let reply: Reply;
		try {
			reply = await this.deps.send(job.request);
		} catch (error) {
			const message = errorMessage(error);
			reply = { kind: 'failure', code: 'UNEXPECTED', message };
		}
		this.complete(job, permit, reply);
		this.ended();
	}

	/** Ends attempts that have exceeded `answerWithinMs`, in case `send` does not end them itself. */
	endOverdue(): void {
		const { answerWithinMs = Infinity } = this.options;
		for (const [job, permit] of this.jobs.inFlightSince(this.deps.clock.now() - answerWithinMs)) {
			const message = `No answer within ${Math.round(answerWithinMs / 1000)} s`;
			this.complete(job, permit, { kind: 'failure', code: 'ETIMEDOUT', message });
		}
	}

	/** Settles what is in flight without waiting for replies. */
	settleInFlight(ending: Ending): void {
		for (const [job, permit] of this.jobs.inFlightSince(Infinity)) {
			if (this.jobs.complete(job, permit)) this.settle(job, ending);
		}
	}

	/** Settles what is not in flight. */
	settleWaiting(ending: Ending): void {
		for (const job of this.jobs.takeWaiting()) this.settle(job, ending);
	}

	private complete(job: Job<T>, permit: Permit, reply: Reply): void {
		if (!this.jobs.complete(job, permit)) return;
		this.gate.receive(permit, job.request, reply);
		if (reply.kind === 'withheld') job.attempts--;
		const verdict = judge(reply, job.failures, this.options);
		if (verdict.next === 'queueAgain') {
			this.rateLimited++;
			this.jobs.requeue(job);
		} else if (verdict.next === 'sendAgain') {
			job.failures++;
			job.unknown = verdict.unknown ?? job.unknown;
			const { clock, random } = this.deps;
			this.jobs.delay(job, clock.now() + withJitter(verdict.afterMs, random()));
		} else if (!this.split(job, verdict.ending)) {
			this.settle(job, verdict.ending);
		}
	}

	/** Replaces a refused request by smaller ones. Returns false if that is not possible. */
	private split(job: Job<T>, ending: Ending): boolean {
		if (job.unknown || !isSplittable(ending)) return false;
		const parts = this.deps.split?.(job.request, ending.statusCode) ?? [];
		if (parts.length > 1) this.jobs.split(job, parts);
		return parts.length > 1;
	}

	private settle(job: Job<T>, ending: Ending): void {
		this.jobs.end(job);
		// "Not sent" and "rejected" mean that nothing was delivered, but an earlier attempt may have been.
		const reported = ending.outcome === 'accepted' ? ending : (job.unknown ?? ending);
		this.deps.settled(job.request, { ...reported, attempts: job.attempts });
	}
}
