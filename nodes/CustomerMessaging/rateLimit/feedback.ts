/** What the end of one request says about the limit. */
export interface Feedback {
	/**
	 * `counted`: the service counted it. `refused`: the service refused it because of the limit.
	 * `unanswered`: no response came, so it may have been counted. `notCounted`: it did not reach the service.
	 */
	kind: 'counted' | 'refused' | 'unanswered' | 'notCounted';
	/** The header `X-RateLimit-Remaining`. */
	remaining?: number;
	/** The header `Date`, in epoch milliseconds. */
	dateMs?: number;
	/** The header `Retry-After`. */
	retryAfterMs?: number;
}
