/** How one request ended. */
export type Outcome =
	| {
			outcome: 'accepted';
			/** Absent if another attempt of the execution sent it. */
			statusCode?: number;
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
			/** `interrupted`: the attempt ended before it could note what the service answered. */
			reason?: 'interrupted';
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
	| 'stopped'
	/** While it waited for the rate limit, the time it was scheduled for passed. */
	| 'schedulePassed'
	/** n8n could not store that it was about to be sent, so a retry might have sent it again. */
	| 'notRecorded';
