/** How one request ended. */
export type Outcome =
	| {
			outcome: 'accepted';
			statusCode: number;
			response: unknown;
			attempts: number;
			rateLimitRemaining: number | null;
	  }
	| { outcome: 'rejected'; statusCode: number; response: unknown; attempts: number }
	/** Certainly not delivered. `code` is the network's error code if there was one. */
	| { outcome: 'notSent'; reason: NotSentReason; code?: string; message?: string; attempts: number }
	/** Sent, and possibly processed: no response, or a 5xx one. */
	| {
			outcome: 'unknown';
			statusCode?: number;
			response?: unknown;
			code?: string;
			message?: string;
			attempts: number;
	  };

export type NotSentReason =
	/** DNS failed, or the connection was refused or not established. */
	| 'noConnection'
	| 'certificate'
	/** The rate limit outlasted `maxWait`. */
	| 'rateLimit'
	/** The execution was stopped or timed out, or an earlier failure ended the run. */
	| 'stopped';
