/** What the end of one request says about the limit. */
export type Feedback =
	/** The service counted the request. */
	| { kind: 'counted'; remaining?: number; dateMs?: number; retryAfterMs?: number }
	/** The service refused the request because of the limit. */
	| { kind: 'refused'; dateMs?: number; retryAfterMs?: number }
	/** No response came, so the service may have counted the request. */
	| { kind: 'unanswered' }
	/** The request did not reach the service. */
	| { kind: 'notCounted' };
