import type { RateLimiter } from '../rateLimit/rateLimiter';
import type { Clock } from '../shared/clock';
import type { Outcome } from '../shared/outcome';
import type { Reply } from '../shared/reply';

export interface DispatchOptions {
	/** Maximum number of requests in flight. */
	concurrency: number;
	/** Maximum total time that the run may wait for the rate limit. */
	maxWaitMs: number;
	/** Whether to resend requests that may have been processed. */
	retryUnknown: boolean;
	/** Total number of requests, if it is known. */
	size?: number;
	/** Maximum time to wait for `send`, as a safeguard in addition to its own timeout. */
	answerWithinMs?: number;
}

/** Decides when a request may be sent. */
export type Limiter = Pick<RateLimiter, 'register' | 'tryAcquire' | 'release' | 'unregister'>;

export interface DispatchDeps<T> {
	limiter: Limiter;
	clock: Clock;
	/** A number from 0 to 1, for the jitter of retries. */
	random(): number;
	send(request: T): Promise<Reply>;
	/** Whether the execution was stopped or timed out. Pending responses are then awaited for up to 0.5 s. */
	stopped(): boolean;
	/** Whether an earlier failure ends the run. Nothing more is sent, and all responses are awaited. */
	ended?(): boolean;
	/** Splits a request that was answered 400 or 413 into smaller ones; undefined if that is not possible. */
	split?(request: T, statusCode: number): T[] | undefined;
	/**
	 * Requests with a common key are sent in the order in which they were pulled, each once the earlier
	 * ones have ended. The parts of a split request have its keys.
	 */
	orderKeys?(this: void, request: T): readonly string[];
	/** Called once for each request that was pulled, except those that were split. */
	settled(request: T, outcome: Outcome): void;
	/** Called when the run begins to wait for the rate limit for a second or longer. */
	waiting?(wait: { untilMs: number; waitedMs: number }): void;
}

export interface DispatchResult {
	/** Time in which a request was ready but the rate limit held it back. */
	waitedMs: number;
	/** Number of requests sent, including retries and those answered 429. */
	requests: number;
	/** Number of requests answered 429. */
	rateLimited: number;
	/** Why the run ended early. Requests that had not been pulled by then are not settled. */
	endedBecause?: EndReason;
}

export type EndReason = 'stopped' | 'rateLimit';
