import type { Gate, Ticket, Turn } from './gate';
import { judge, type Ending } from './retry';
import type { Clock, NotSentReason, Outcome, Reply } from './types';

/** Stop must be noticed within half a second, and answers are waited for as long after it. */
const SLICE_MS = 500;
/** Shorter waits are the normal course of things and not worth a line in a log. */
const LONG_WAIT_MS = 1_000;
/** Retries of requests that failed together are spread over this share of their wait. */
const RETRY_JITTER = 0.25;

export interface DispatchOptions {
	/** Requests in flight at once. */
	concurrency: number;
	/** How long the run may wait for the rate limit, all waits together. */
	maxWaitMs: number;
	/** Whether what may have been processed is sent again. */
	retryUnknown: boolean;
	/** How many requests there are, where that is known: the last of many need not be held back. */
	size?: number;
}

/** What decides when a request may leave. */
export type Pacing = Pick<Gate, 'join' | 'ask' | 'settle' | 'leave'>;

export interface DispatchDeps<T> {
	gate: Pacing;
	clock: Clock;
	/** 0 to 1, for the jitter of retries. */
	random(): number;
	send(request: T): Promise<Reply>;
	/** Stop or execution time-out: the answers under way are waited for half a second at most. */
	stopped(): boolean;
	/** Whether an earlier failure ends the run: nothing more leaves, and the answers are waited for. */
	ended?(): boolean;
	/** On a 400: what to ask instead, in order; undefined where the request stands alone. */
	split?(request: T): T[] | undefined;
	/** Called once for each request, save for those that were split. */
	settled(request: T, outcome: Outcome): void;
	/** Called when the run begins to wait for the limit for a second or longer. */
	waiting?(wait: { untilMs: number; waitedMs: number }): void;
}

export interface DispatchResult {
	/** Time in which a request was ready and the limit did not let it go. */
	waitedMs: number;
	/** Requests that left, those answered 429 among them. */
	requests: number;
	rateLimited: number;
}

/**
 * Sends the requests of one run through the gate, up to `concurrency` at once, and says of each how
 * it ended. Requests are pulled only as there is room for them.
 *
 * @throws what `requests`, `settled`, `split` or `waiting` threw, once every request has ended
 */
export async function dispatch<T>(
	requests: Iterable<T>,
	deps: DispatchDeps<T>,
	options: DispatchOptions,
): Promise<DispatchResult> {
	return await new Run(requests, deps, options).toEnd();
}

/** One request on its way, over all its attempts. */
interface Job<T> {
	request: T;
	attempts: number;
	failures: number;
	notBeforeMs: number;
	/** What to report if no further attempt is answered: an earlier one may have been processed. */
	unsure?: Ending;
}

class Run<T> {
	private readonly pulled: Iterator<T>;
	private exhausted = false;
	/** Pulled and ready to go, first in front. */
	private readonly ready: Array<Job<T>> = [];
	/** Failed, and to be sent again after a while. */
	private readonly resting = new Set<Job<T>>();
	private readonly inFlight = new Map<Job<T>, Ticket>();
	private readonly turn: Turn;
	private readonly result: DispatchResult = { waitedMs: 0, requests: 0, rateLimited: 0 };
	private waitingSinceMs?: number;
	private announced = false;
	private thrown?: { error: unknown };

	/** When the sleeps under way end: they can't be cancelled, so none is begun needlessly. */
	private readonly sleepsUntilMs = new Set<number>();
	private signalled = false;
	private resume?: () => void;

	constructor(
		requests: Iterable<T>,
		private readonly deps: DispatchDeps<T>,
		private readonly options: DispatchOptions,
	) {
		this.pulled = requests[Symbol.iterator]();
		this.turn = deps.gate.join(options.concurrency, () => this.signal(), options.size);
	}

	async toEnd(): Promise<DispatchResult> {
		const { clock, gate } = this.deps;
		try {
			for (;;) {
				const nowMs = clock.now();
				if (this.thrown || this.deps.stopped()) {
					await this.stop();
					break;
				}
				if (this.deps.ended?.()) {
					this.endWait(nowMs);
					await this.giveUp('stopped');
					break;
				}
				this.wakeRested(nowMs);
				const job = this.next();
				if (job === undefined) {
					if (this.inFlight.size === 0 && this.resting.size === 0) break;
					await this.pause(this.restedAt());
					continue;
				}
				const permission = gate.ask(this.turn, nowMs);
				if ('ticket' in permission) {
					this.endWait(nowMs);
					this.ready.shift();
					this.launch(job, permission.ticket);
					continue;
				}
				// With answers still to come, there may be room as soon as they are in.
				if (permission.reason === 'limit' && this.inFlight.size === 0) {
					this.wait(permission.askAgainAtMs, nowMs);
					if (this.waitedMs(nowMs) > this.options.maxWaitMs) {
						this.endWait(nowMs);
						await this.giveUp('rateLimit');
						break;
					}
				}
				await this.pause(Math.min(permission.askAgainAtMs, this.restedAt()));
			}
		} finally {
			gate.leave(this.turn);
		}
		if (this.thrown) throw this.thrown.error;
		return this.result;
	}

	/** The job in front; the next is pulled only if there is a place for it. */
	private next(): Job<T> | undefined {
		const taken = this.inFlight.size + this.resting.size;
		if (this.ready.length === 0 && taken < this.options.concurrency) this.pull();
		return this.ready[0];
	}

	private pull(): boolean {
		if (this.exhausted) return false;
		this.guarded(() => {
			// Whatever it throws, it is not asked again.
			this.exhausted = true;
			const { done, value } = this.pulled.next();
			if (done) return;
			this.exhausted = false;
			this.ready.push(newJob(value));
		});
		return !this.exhausted;
	}

	private launch(job: Job<T>, ticket: Ticket): void {
		job.attempts++;
		this.result.requests++;
		this.inFlight.set(job, ticket);
		void this.attempt(job, ticket);
	}

	private async attempt(job: Job<T>, ticket: Ticket): Promise<void> {
		let reply: Reply;
		try {
			reply = await this.deps.send(job.request);
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			reply = { kind: 'failure', code: 'UNEXPECTED', message };
		}
		// Given up on: it has been settled, and its place at the gate is gone.
		if (!this.inFlight.delete(job)) return;
		const nowMs = this.deps.clock.now();
		this.deps.gate.settle(ticket, reply, nowMs);
		this.follow(job, reply, nowMs);
		this.signal();
	}

	private follow(job: Job<T>, reply: Reply, nowMs: number): void {
		const verdict = judge(reply, job.failures, this.options);
		if (verdict.next === 'queueAgain') {
			this.result.rateLimited++;
			this.ready.unshift(job);
		} else if (verdict.next === 'sendAgain') {
			job.failures++;
			job.unsure = verdict.unsure ?? job.unsure;
			job.notBeforeMs = nowMs + verdict.afterMs * (1 + RETRY_JITTER * this.deps.random());
			this.resting.add(job);
		} else if (!this.splits(job, verdict.ending)) {
			this.end(job, verdict.ending);
		}
	}

	private splits(job: Job<T>, ending: Ending): boolean {
		if (ending.outcome !== 'rejected' || ending.statusCode !== 400) return false;
		let parts: T[] | undefined;
		this.guarded(() => {
			parts = this.deps.split?.(job.request);
		});
		if (parts === undefined || parts.length < 2) return false;
		this.ready.unshift(...parts.map(newJob));
		return true;
	}

	private end(job: Job<T>, ending: Ending): void {
		// "Not sent" promises that nothing was delivered, which an earlier attempt may belie.
		const told = ending.outcome === 'notSent' ? (job.unsure ?? ending) : ending;
		this.guarded(() => this.deps.settled(job.request, { ...told, attempts: job.attempts }));
	}

	private async stop(): Promise<void> {
		this.endWait(this.deps.clock.now());
		const untilMs = this.deps.clock.now() + SLICE_MS;
		while (this.inFlight.size > 0 && this.deps.clock.now() < untilMs) await this.pause(untilMs);
		for (const [job, ticket] of this.inFlight) {
			this.inFlight.delete(job);
			const message = 'The execution ended before the answer came';
			this.deps.gate.settle(
				ticket,
				{ kind: 'failure', code: 'STOPPED', message },
				this.deps.clock.now(),
			);
			this.end(job, { outcome: 'unknown', code: 'STOPPED', message });
		}
		this.abandon('stopped');
	}

	private async giveUp(reason: NotSentReason): Promise<void> {
		this.abandon(reason);
		while (this.inFlight.size > 0) {
			await this.pause(Infinity);
			if (this.deps.stopped()) return await this.stop();
		}
		this.abandon(reason);
	}

	/** Ends all that is not in flight, pulled or not. */
	private abandon(reason: NotSentReason): void {
		const jobs = [...this.resting, ...this.ready.splice(0)];
		this.resting.clear();
		for (const job of jobs) this.end(job, { outcome: 'notSent', reason });
		while (this.pull()) {
			for (const job of this.ready.splice(0)) this.end(job, { outcome: 'notSent', reason });
		}
	}

	private wakeRested(nowMs: number): void {
		for (const job of this.resting) {
			if (job.notBeforeMs > nowMs) continue;
			this.resting.delete(job);
			this.ready.push(job);
		}
	}

	private restedAt(): number {
		let atMs = Infinity;
		for (const job of this.resting) atMs = Math.min(atMs, job.notBeforeMs);
		return atMs;
	}

	private wait(untilMs: number, nowMs: number): void {
		this.waitingSinceMs ??= nowMs;
		if (this.announced || untilMs - nowMs < LONG_WAIT_MS) return;
		this.announced = true;
		this.guarded(() => this.deps.waiting?.({ untilMs, waitedMs: this.waitedMs(nowMs) }));
	}

	private endWait(nowMs: number): void {
		this.result.waitedMs = this.waitedMs(nowMs);
		this.waitingSinceMs = undefined;
		this.announced = false;
	}

	private waitedMs(nowMs: number): number {
		return this.result.waitedMs + nowMs - (this.waitingSinceMs ?? nowMs);
	}

	/** Until a signal comes or `untilMs`, but never longer than a slice. */
	private async pause(untilMs: number): Promise<void> {
		if (!this.signalled) {
			const nowMs = this.deps.clock.now();
			this.sleep(Math.max(nowMs + 1, Math.min(untilMs, nowMs + SLICE_MS)), nowMs);
			await new Promise<void>((resolve) => {
				this.resume = resolve;
			});
			this.resume = undefined;
		}
		this.signalled = false;
	}

	private sleep(untilMs: number, nowMs: number): void {
		for (const sleepMs of this.sleepsUntilMs) if (sleepMs <= untilMs) return;
		this.sleepsUntilMs.add(untilMs);
		void this.deps.clock.sleep(untilMs - nowMs).then(() => {
			this.sleepsUntilMs.delete(untilMs);
			this.signal();
		});
	}

	private signal(): void {
		this.signalled = true;
		this.resume?.();
	}

	/** What the caller's functions throw ends the run, and must not hang it. */
	private guarded(call: () => void): void {
		try {
			call();
		} catch (error) {
			this.thrown ??= { error };
		}
	}
}

function newJob<T>(request: T): Job<T> {
	return { request, attempts: 0, failures: 0, notBeforeMs: -Infinity };
}
