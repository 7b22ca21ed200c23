import { Alarm } from './alarm';
import { Attempts } from './attempts';
import type { DispatchDeps, DispatchOptions, DispatchResult, EndReason } from './dispatchOptions';
import { Gate } from './gate';
import { JobQueue } from './jobQueue';

/** n8n expects a stopped node to end within about half a second. */
const STOP_WITHIN_MS = 500;

/**
 * Sends the requests of one run within a rate limit, up to `concurrency` at once, and reports the
 * outcome of each. Requests are pulled one at a time, and only when they can be sent. If the run ends
 * early, the remaining requests are not pulled, and `endedBecause` says why.
 *
 * @throws what `requests` or a function of `deps` threw, once all pulled requests have ended
 */
export async function dispatch<T>(
	requests: Iterable<T> | AsyncIterable<T>,
	deps: DispatchDeps<T>,
	options: DispatchOptions,
): Promise<DispatchResult> {
	const run = new Run(requests, deps, options);
	return await run.toEnd();
}

class Run<T> {
	private readonly requests: Iterator<T> | AsyncIterator<T>;
	private readonly jobs: JobQueue<T>;
	private readonly alarm: Alarm;
	private readonly gate: Gate<T>;
	private readonly attempts: Attempts<T>;
	private isPulling = false;
	/** Whether there are no more requests, or no more are wanted. */
	private isExhausted = false;
	private ending?: { endedBecause: EndReason; retryAt?: string };
	/** What `requests` and functions of the caller threw. */
	private readonly thrown: unknown[] = [];

	constructor(
		requests: Iterable<T> | AsyncIterable<T>,
		private readonly deps: DispatchDeps<T>,
		private readonly options: DispatchOptions,
	) {
		this.requests =
			Symbol.asyncIterator in requests
				? requests[Symbol.asyncIterator]()
				: requests[Symbol.iterator]();
		this.jobs = new JobQueue(deps.orderKeys ?? (() => []));
		this.alarm = new Alarm(deps.clock);
		const guarded = {
			...deps,
			split: this.guard(deps.split),
			settled: this.guard(deps.settled),
			waiting: this.guard(deps.waiting),
			paused: this.guard(deps.paused),
			resumed: this.guard(deps.resumed),
		};
		this.gate = new Gate(guarded, options, this.wake);
		this.attempts = new Attempts(this.jobs, this.gate, guarded, options, this.wake);
	}

	async toEnd(): Promise<DispatchResult> {
		const { stop } = this.deps;
		stop?.addEventListener('abort', this.wake);
		try {
			while (await this.step());
		} finally {
			stop?.removeEventListener('abort', this.wake);
			this.gate.close();
		}
		if (this.thrown.length > 0) throw this.thrown[0];
		const { requests } = this.gate;
		const { rateLimited } = this.attempts;
		return { ...this.gate.waited(), requests, rateLimited, ...this.ending };
	}

	private readonly wake = () => this.alarm.ring();

	/** Sends a request or waits until one may be sent. Returns false at the end of the run. */
	private async step(): Promise<boolean> {
		const { jobs, attempts } = this;
		if (this.isStopped) return await this.stop();
		const reason = this.deps.ended?.() ? 'stopped' : this.gate.refusal;
		if (reason) return await this.drain(reason);

		jobs.requeueDue(this.deps.clock.now());
		attempts.endOverdue();
		const { next } = jobs;
		if (!next) {
			if (jobs.unfinished === 0 && this.isExhausted) return false;
			if (jobs.unfinished < this.options.concurrency) void this.pull();
			await this.pause(jobs.nextDueAtMs);
			return true;
		}
		const step = this.gate.next(jobs.hasInFlight);
		if (step.kind === 'end') return await this.drain(step.reason, step.retryAtMs);
		if (step.kind === 'wait') await this.pause(Math.min(step.untilMs, jobs.nextDueAtMs));
		else if (step.kind === 'ask') void this.gate.ask(step.permit, next.request);
		else void attempts.send(step.permit);
		return true;
	}

	/** Pulls the next request, unless a pull is in progress. */
	private async pull(): Promise<void> {
		if (this.isPulling || this.isExhausted) return;
		this.isPulling = true;
		try {
			const next = await this.requests.next();
			if (next.done) this.isExhausted = true;
			else if (!this.isExhausted) this.jobs.append(next.value);
		} catch (error) {
			if (!this.isExhausted) this.thrown.push(error);
			this.isExhausted = true;
		}
		this.isPulling = false;
		this.wake();
	}

	private async pause(untilMs: number): Promise<void> {
		await this.alarm.pause(Math.min(untilMs, this.attempts.overdueAtMs));
	}

	private get isStopped(): boolean {
		return this.thrown.length > 0 || this.deps.stop?.aborted === true;
	}

	/** Sends nothing more, and waits for the replies to what is in flight. */
	private async drain(reason: EndReason, retryAtMs?: number): Promise<false> {
		const retryAt = retryAtMs === undefined ? {} : { retryAt: this.deps.writeTime(retryAtMs) };
		this.end({ endedBecause: reason, ...retryAt });
		for (;;) {
			this.attempts.settleWaiting({ outcome: 'notSent', reason, ...retryAt });
			if (!this.jobs.hasInFlight && !this.isPulling) return false;
			await this.pause(Infinity);
			this.attempts.endOverdue();
			if (this.isStopped) return await this.stop();
		}
	}

	/**
	 * Waits briefly for replies, and for a request that is being pulled. Requests that are then still in
	 * flight are reported as unknown, the others as not sent.
	 */
	private async stop(): Promise<false> {
		const { jobs, attempts, alarm } = this;
		const { clock } = this.deps;
		this.end({ endedBecause: 'stopped' });
		const untilMs = clock.now() + STOP_WITHIN_MS;
		while ((jobs.hasInFlight || this.isPulling) && clock.now() < untilMs)
			await alarm.pause(untilMs);
		this.isExhausted = true;
		const message = 'The execution ended before the response arrived';
		attempts.settleInFlight({ outcome: 'unknown', code: 'STOPPED', message });
		attempts.settleWaiting({ outcome: 'notSent', reason: 'stopped' });
		return false;
	}

	private end(ending: NonNullable<typeof this.ending>): void {
		this.gate.endWaits();
		this.ending ??= ending;
	}

	/** If a function of the caller throws, the run ends. Otherwise it would hang. */
	private guard<A extends unknown[], R>(call?: (...args: A) => R) {
		return (...args: A): R | undefined => {
			try {
				return call?.(...args);
			} catch (error) {
				this.thrown.push(error);
				return undefined;
			}
		};
	}
}
