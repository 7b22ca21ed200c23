import { Alarm } from './alarm';
import type { Gate, Ticket, Turn } from './gate';
import { LimitWait } from './limitWait';
import { judge, type Ending } from './retry';
import type { Clock, NotSentReason, Outcome, Reply } from './types';

/** Stop must be noticed within half a second, and answers are waited for as long after it. */
const SLICE_MS = 500;
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
	/** After how long without an answer a request is given up on; `send` has a timeout of its own. */
	answerWithinMs?: number;
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
	endedBecause?: 'stopped' | 'rateLimit';
}

/**
 * Sends the requests of one run through the gate, up to `concurrency` at once, and says of each how
 * it ended. Requests are pulled only as there is room for them.
 *
 * @throws what `requests`, `settled`, `split` or `waiting` threw, once every request has ended
 */
export async function dispatch<T>(
	requests: Iterable<T> | AsyncIterable<T>,
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
	private readonly pulled: Iterator<T> | AsyncIterator<T>;
	private pulling = false;
	private endedBecause?: 'stopped' | 'rateLimit';
	private exhausted = false;
	/** Pulled and ready to go, first in front. */
	private readonly ready: Array<Job<T>> = [];
	/** Failed, and to be sent again after a while. */
	private readonly resting = new Set<Job<T>>();
	private readonly inFlight = new Map<Job<T>, Ticket>();
	private readonly turn: Turn;
	private requests = 0;
	private rateLimited = 0;
	private thrown?: { error: unknown };
	private readonly alarm: Alarm;
	private readonly wait: LimitWait;

	constructor(
		requests: Iterable<T> | AsyncIterable<T>,
		private readonly deps: DispatchDeps<T>,
		private readonly options: DispatchOptions,
	) {
		this.pulled = Symbol.asyncIterator in requests ? requests[Symbol.asyncIterator]() : requests[Symbol.iterator]();
		this.alarm = new Alarm(deps.clock, SLICE_MS);
		this.wait = new LimitWait((wait) => this.guarded(() => deps.waiting?.(wait)));
		this.turn = deps.gate.join(options.concurrency, () => this.alarm.ring(), options.size);
	}

	async toEnd(): Promise<DispatchResult> {
		try {
			while (await this.goesOn());
		} finally {
			this.deps.gate.leave(this.turn);
		}
		if (this.thrown) throw this.thrown.error;
		const waitedMs = this.wait.totalMs(this.deps.clock.now());
		return { waitedMs, requests: this.requests, rateLimited: this.rateLimited, endedBecause: this.endedBecause };
	}

	/** Sends one request, or waits until one may go; false at the end of the run. */
	private async goesOn(): Promise<boolean> {
		const nowMs = this.deps.clock.now();
		if (this.thrown || this.deps.stopped()) return await this.stop();
		if (this.deps.ended?.()) return await this.giveUp('stopped');

		this.wakeRested(nowMs);
		this.endOverdue(nowMs);
		const job = this.next();
		if (job === undefined) {
			if (this.inFlight.size === 0 && this.resting.size === 0 && !this.pulling) return false;
			await this.alarm.pause(this.restedAt());
			return true;
		}
		const permission = this.deps.gate.ask(this.turn, nowMs);
		if ('ticket' in permission) {
			this.wait.end(nowMs);
			this.ready.shift();
			this.launch(job, permission.ticket);
			return true;
		}
		// With answers still to come, there may be room as soon as they are in.
		if (permission.reason === 'limit' && this.inFlight.size === 0) {
			this.wait.goesOn(permission.askAgainAtMs, nowMs);
			if (this.wait.totalMs(nowMs) > this.options.maxWaitMs) return await this.giveUp('rateLimit');
		}
		await this.alarm.pause(Math.min(permission.askAgainAtMs, this.restedAt()));
		return true;
	}

	/** The job in front; the next is pulled only if there is a place for it. */
	private next(): Job<T> | undefined {
		const taken = this.inFlight.size + this.resting.size;
		if (this.ready.length === 0 && taken < this.options.concurrency) this.pull();
		return this.ready[0];
	}

	private pull(): void {
		if (this.exhausted || this.pulling) return;
		const take = ({ done, value }: IteratorResult<T>) => {
			if (done) this.exhausted = true;
			else this.ready.push(newJob(value));
		};
		this.guarded(() => {
			const next = this.pulled.next();
			if (!('then' in next)) return take(next);
			this.pulling = true;
			void next.then(take, (error: unknown) => (this.exhausted = true, this.thrown ??= { error })).finally(() => {
				this.pulling = false;
				this.alarm.ring();
			});
		});
	}

	private launch(job: Job<T>, ticket: Ticket): void {
		job.attempts++;
		this.requests++;
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
		this.answered(job, ticket, reply);
		this.alarm.ring();
	}

	private answered(job: Job<T>, ticket: Ticket, reply: Reply): void {
		// Given up on: it has been settled, and its place at the gate is gone.
		if (this.inFlight.get(job) !== ticket) return;
		this.inFlight.delete(job);
		const nowMs = this.deps.clock.now();
		this.deps.gate.settle(ticket, reply, nowMs);
		this.follow(job, reply, nowMs);
	}

	/** Gives up on requests that `send` itself did not end in time; the oldest stand first. */
	private endOverdue(nowMs: number): void {
		const { answerWithinMs = Infinity } = this.options;
		for (const [job, ticket] of this.inFlight) {
			if (nowMs - ticket.sentMs < answerWithinMs) return;
			const message = `No answer within ${Math.round(answerWithinMs / 1000)} s`;
			this.answered(job, ticket, { kind: 'failure', code: 'ETIMEDOUT', message });
		}
	}

	private follow(job: Job<T>, reply: Reply, nowMs: number): void {
		const verdict = judge(reply, job.failures, this.options);
		if (verdict.next === 'queueAgain') {
			this.rateLimited++;
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
		if (ending.outcome !== 'rejected' || ending.statusCode !== 400 || job.unsure) return false;
		let parts: T[] | undefined;
		this.guarded(() => {
			parts = this.deps.split?.(job.request);
		});
		if (parts === undefined || parts.length < 2) return false;
		this.ready.unshift(...parts.map(newJob));
		return true;
	}

	private end(job: Job<T>, ending: Ending): void {
		// "Not sent" and "rejected" promise that nothing was delivered, which an earlier attempt may belie.
		const told = ending.outcome === 'accepted' ? ending : (job.unsure ?? ending);
		this.guarded(() => this.deps.settled(job.request, { ...told, attempts: job.attempts }));
	}

	/** Waits shortly for the answers under way; what is left then is unknown, and the rest not sent. */
	private async stop(): Promise<false> {
		this.wait.end(this.deps.clock.now());
		const untilMs = this.deps.clock.now() + SLICE_MS;
		while (this.inFlight.size > 0 && this.deps.clock.now() < untilMs) await this.alarm.pause(untilMs);
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
		return false;
	}

	/** Sends nothing more, and waits for all answers under way. */
	private async giveUp(reason: NotSentReason): Promise<false> {
		this.wait.end(this.deps.clock.now());
		this.abandon(reason);
		while (this.inFlight.size > 0) {
			await this.alarm.pause(Infinity);
			this.endOverdue(this.deps.clock.now());
			if (this.deps.stopped()) return await this.stop();
		}
		this.abandon(reason);
		return false;
	}

	/** Ends all that is not in flight, pulled or not. */
	private abandon(reason: NotSentReason): void {
		const jobs = [...this.resting, ...this.ready.splice(0)];
		this.resting.clear();
		for (const job of jobs) this.end(job, { outcome: 'notSent', reason });
		this.endedBecause = reason === 'rateLimit' ? 'rateLimit' : 'stopped';
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
