import type { CircuitBreaker } from '../outage/circuitBreaker';
import type { Feedback } from '../rateLimit/feedback';
import type { RateLimiter } from '../rateLimit/rateLimiter';
import type { Clock } from '../shared/clock';
import type { AccountRefusal, Outcome } from '../shared/outcome';
import type { Reply } from '../shared/reply';

export interface DispatchOptions {
	/** Maximum number of requests in flight. */
	concurrency: number;
	/** Maximum total time that the run may wait for the rate limit and for a failing service. */
	maxWaitMs: number;
	/** Maximum total time that the run may wait for a failing service, if it is less. */
	maxOutageWaitMs?: number;
	/** Whether to resend requests that may have been processed. */
	retryUnknown: boolean;
	/** Total number of requests, if it is known. */
	size?: number;
	/** Maximum time to wait for `send`, as a safeguard in addition to its own timeout. */
	answerWithinMs?: number;
}

/** Decides when a request may be sent. */
export type Limiter = Pick<RateLimiter, 'register' | 'tryAcquire' | 'release' | 'unregister'>;

/** Decides whether the service works well enough to send anything. */
export type Breaker = Pick<
	CircuitBreaker,
	'join' | 'leave' | 'decide' | 'depart' | 'end' | 'ask' | 'answer' | 'retryAtMs'
>;

/** The reply to a question, and what it says about the rate limit of the run. */
export interface QuestionReply {
	reply: Reply;
	feedback: Feedback;
}

export interface DispatchDeps<T> {
	limiter: Limiter;
	breaker: Breaker;
	clock: Clock;
	/** A number from 0 to 1, for the jitter of retries. */
	random(): number;
	send(request: T): Promise<Reply>;
	/** Asks, by a request that reaches nobody, whether the service would answer a request like this. */
	ask(request: T): Promise<QuestionReply>;
	/** Writes a time of the clock for the user. */
	writeTime(ms: number): string;
	/** Aborted when the execution is stopped or times out. Replies are then awaited for up to 0.5 s. */
	stop?: AbortSignal;
	/** Whether an earlier failure ends the run. Nothing more is sent, and all responses are awaited. */
	ended?(): boolean;
	/** Splits a request that was answered 400 or 413 into smaller ones; undefined if that is not possible. */
	split?(this: void, request: T, statusCode: number): T[] | undefined;
	/**
	 * Requests with a common key are sent in the order in which they were pulled, each once the earlier
	 * ones have ended. The parts of a split request have its keys.
	 */
	orderKeys?(this: void, request: T): readonly string[];
	/** Called once for each request that was pulled, except those that were split. */
	settled(this: void, request: T, outcome: Outcome): void;
	/** Called when the run begins to wait for the rate limit for a second or longer. */
	waiting?(this: void, wait: { untilMs: number; waitedMs: number }): void;
	/** Called when the run begins to wait for a failing service. */
	paused?(this: void): void;
	/** Called when the run goes on after that. So far it has waited so long for the service. */
	resumed?(this: void, pausedMs: number): void;
}

export interface DispatchResult {
	/** Time in which a request was ready but the rate limit held it back. */
	waitedMs: number;
	/** Time in which a request was ready but the service failed. */
	pausedMs: number;
	/** Number of requests sent, including retries, questions and those answered 429. */
	requests: number;
	/** Number of requests answered 429. */
	rateLimited: number;
	/** Why the run ended early. Requests that had not been pulled by then are not settled. */
	endedBecause?: EndReason;
	/** When it is worth sending the rest, if waiting helps. */
	retryAt?: string;
}

export type EndReason = 'stopped' | 'rateLimit' | 'serviceUnavailable' | AccountRefusal;
