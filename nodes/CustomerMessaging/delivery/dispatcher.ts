import type { Client, Permit } from '../rateLimit/rateLimiter';
import { errorMessage } from '../shared/formatting';
import type { Clock } from '../shared/clock';
import type { Reply } from '../shared/reply';
import { Alarm } from './alarm';
import type { DispatchDeps, DispatchOptions, DispatchResult, EndReason } from './dispatchOptions';
import { type Job, JobQueue } from './jobQueue';
import { LimitWait } from './limitWait';
import { RequestSource } from './requestSource';
import { type Ending, feedbackFrom, isSplittable, judge, withJitter } from './retryPolicy';
import { abandonOverdue, type EndableRun, giveUp, stop, STOP_WITHIN_MS } from './shutdown';

/**
 * Sends the requests of one run within a rate limit, up to `concurrency` at once, and reports the
 * outcome of each. Requests are pulled one at a time, and only when they can be sent. If the run ends
 * early, the remaining requests are not pulled, and `endedBecause` says why.
 *
 * @throws what `requests`, `settled`, `split` or `waiting` threw, once all pulled requests have ended
 */
export async function dispatch<T>(
	requests: Iterable<T> | AsyncIterable<T>,
	deps: DispatchDeps<T>,
	options: DispatchOptions,
): Promise<DispatchResult> {
	return await new Run(requests, deps, options).toEnd();
}

class Run<T> implements EndableRun<T> {
	readonly jobs: JobQueue<T>;
	readonly source: RequestSource<T>;
	readonly alarm: Alarm;
	readonly clock: Clock;
	readonly answerWithinMs: number;
	private readonly wait: LimitWait;
	private readonly client: Client;
	private requests = 0;
	private rateLimited = 0;
	private endedBecause?: EndReason;
	private thrown?: { error: unknown };

	constructor(
		requests: Iterable<T> | AsyncIterable<T>,
		private readonly deps: DispatchDeps<T>,
		private readonly options: DispatchOptions,
	) {
		this.clock = deps.clock;
		this.jobs = new JobQueue(deps.orderKeys ?? (() => []));
		this.answerWithinMs = options.answerWithinMs ?? Infinity;
		this.alarm = new Alarm(deps.clock, STOP_WITHIN_MS);
		this.wait = new LimitWait((wait) => this.guard(() => deps.waiting?.(wait)));
		this.source = new RequestSource(requests, {
			pulled: (request) => this.jobs.append(request),
			failed: (error) => {
				this.thrown ??= { error };
			},
			changed: () => this.alarm.ring(),
		});
		const { concurrency, size } = options;
		this.client = deps.limiter.register(concurrency, () => this.alarm.ring(), size);
	}

	async toEnd(): Promise<DispatchResult> {
		try {
			while (await this.step());
		} finally {
			this.deps.limiter.unregister(this.client, this.clock.now());
		}
		if (this.thrown) throw this.thrown.error;
		const { requests, rateLimited, endedBecause } = this;
		return { waitedMs: this.wait.totalMs(this.clock.now()), requests, rateLimited, endedBecause };
	}

	isStopped(): boolean {
		return this.thrown !== undefined || this.deps.stopped();
	}

	receive(job: Job<T>, permit: Permit, reply: Reply): void {
		if (!this.land(job, permit, reply)) return;
		if (reply.kind === 'withheld') {
			job.attempts--;
			this.requests--;
		}
		const verdict = judge(reply, job.failures, this.options);
		if (verdict.next === 'queueAgain') {
			this.rateLimited++;
			this.jobs.putBack(job);
		} else if (verdict.next === 'sendAgain') {
			job.failures++;
			job.unsure = verdict.unsure ?? job.unsure;
			this.jobs.rest(job, this.clock.now() + withJitter(verdict.afterMs, this.deps.random()));
		} else if (!this.splits(job, verdict.ending)) {
			this.settle(job, verdict.ending);
		}
	}

	receiveLast(job: Job<T>, permit: Permit, reply: Reply, ending: Ending): void {
		if (this.land(job, permit, reply)) this.settle(job, ending);
	}

	settle(job: Job<T>, ending: Ending): void {
		this.jobs.end(job);
		// "Not sent" and "rejected" mean that nothing was delivered, but an earlier attempt may have been.
		const reported = ending.outcome === 'accepted' ? ending : (job.unsure ?? ending);
		this.guard(() => this.deps.settled(job.request, { ...reported, attempts: job.attempts }));
	}

	/** Sends a request or waits until one may be sent. Returns false at the end of the run. */
	private async step(): Promise<boolean> {
		const { jobs, source } = this;
		const nowMs = this.clock.now();
		if (this.isStopped()) return await this.endEarly('stopped', async () => await stop(this));
		if (this.deps.ended?.()) return await this.finishEarly('stopped');

		jobs.wakeRested(nowMs);
		abandonOverdue(this);
		while (!jobs.next && jobs.unfinished < this.options.concurrency && source.pull());
		if (!jobs.next) {
			if (jobs.unfinished === 0 && source.isClosed) return false;
			await this.alarm.pause(jobs.nextReadyAtMs);
			return true;
		}
		const decision = this.deps.limiter.tryAcquire(this.client, nowMs);
		if ('permit' in decision) {
			this.wait.end(nowMs);
			this.launch(decision.permit);
			return true;
		}
		// A pending response may free capacity, so waiting for one does not count.
		const isTold = decision.reason === 'retryAfter';
		if ((decision.reason === 'limit' || isTold) && !jobs.hasInFlight) {
			this.wait.continueUntil(decision.askAgainAtMs, nowMs);
			// A wait that the service itself asks for cannot end early, so it is known beforehand.
			if (this.wait.totalMs(isTold ? decision.askAgainAtMs : nowMs) > this.options.maxWaitMs) {
				return await this.finishEarly('rateLimit');
			}
		}
		await this.alarm.pause(Math.min(decision.askAgainAtMs, jobs.nextReadyAtMs));
		return true;
	}

	private async finishEarly(reason: EndReason): Promise<false> {
		return await this.endEarly(reason, async () => await giveUp(this, reason));
	}

	private async endEarly(reason: EndReason, end: () => Promise<void>): Promise<false> {
		this.wait.end(this.clock.now());
		this.endedBecause = reason;
		await end();
		return false;
	}

	private launch(permit: Permit): void {
		const job = this.jobs.launch(permit);
		if (!job) return;
		job.attempts++;
		this.requests++;
		void this.attempt(job, permit);
	}

	private async attempt(job: Job<T>, permit: Permit): Promise<void> {
		let reply: Reply;
		try {
			reply = await this.deps.send(job.request);
		} catch (error) {
			const message = errorMessage(error);
			reply = { kind: 'failure', code: 'UNEXPECTED', message };
		}
		this.receive(job, permit, reply);
		this.alarm.ring();
	}

	/** Returns false if the attempt was abandoned before its reply arrived. */
	private land(job: Job<T>, permit: Permit, reply: Reply): boolean {
		if (!this.jobs.land(job, permit)) return false;
		this.deps.limiter.release(permit, feedbackFrom(reply), this.clock.now());
		return true;
	}

	private splits(job: Job<T>, ending: Ending): boolean {
		if (job.unsure || !isSplittable(ending)) return false;
		let isSplit = false;
		this.guard(() => {
			const parts = this.deps.split?.(job.request, ending.statusCode) ?? [];
			isSplit = parts.length > 1;
			if (isSplit) this.jobs.split(job, parts);
		});
		return isSplit;
	}

	/** Ends the run if a function of the caller throws. Otherwise the run would hang. */
	private guard(call: () => void): void {
		try {
			call();
		} catch (error) {
			this.thrown ??= { error };
		}
	}
}
