import type { RateLimiter } from '../rateLimit/rateLimiter';
import type { Clock } from '../shared/clock';
import type { Outcome } from '../shared/outcome';
import type { Reply } from '../shared/reply';

export interface DispatchOptions {
	/** Maximum number of requests in flight. */
	concurrency: number;
	/** How long the run may wait for the rate limit in total. */
	maxWaitMs: number;
	/** Whether to send again what may have been processed. */
	retryUnknown: boolean;
	/** How many requests there are, if that is known. */
	size?: number;
	/** When to give up on a request without a response; `send` has a timeout of its own. */
	answerWithinMs?: number;
}

/** Decides when a request may leave. */
export type Limiter = Pick<RateLimiter, 'register' | 'tryAcquire' | 'release' | 'unregister'>;

export interface DispatchDeps<T> {
	limiter: Limiter;
	clock: Clock;
	/** 0 to 1, for the jitter of retries. */
	random(): number;
	send(request: T): Promise<Reply>;
	/** Stop or execution timeout. Responses under way are then awaited for half a second at most. */
	stopped(): boolean;
	/** Whether an earlier failure ends the run. Nothing more leaves; all responses are awaited. */
	ended?(): boolean;
	/** What to send instead of a request that was answered 400, if it can be split. */
	split?(request: T): T[] | undefined;
	/** Called once for each request that was pulled, except for those that were split. */
	settled(request: T, outcome: Outcome): void;
	/** Called when the run starts to wait for the limit for a second or longer. */
	waiting?(wait: { untilMs: number; waitedMs: number }): void;
}

export interface DispatchResult {
	/** Time in which a request was ready and the limit did not let it leave. */
	waitedMs: number;
	/** Attempts that left, including those answered 429. */
	requests: number;
	rateLimited: number;
	/** Why the run ended early. Requests that were not pulled by then were not settled either. */
	endedBecause?: EndReason;
}

export type EndReason = 'stopped' | 'rateLimit';
