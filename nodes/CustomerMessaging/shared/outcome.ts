/** How one request ended. */
export type Outcome =
	| {
			outcome: 'accepted';
			/** Absent if another attempt of the same execution sent the request. */
			statusCode?: number;
			response: unknown;
			attempts: number;
			rateLimitRemaining: number | null;
	  }
	| { outcome: 'rejected'; statusCode: number; response: unknown; attempts: number }
	/** Certainly not delivered. `code` is the network error code, if there was one. */
	| { outcome: 'notSent'; reason: NotSentReason; code?: string; message?: string; attempts: number }
	/** Sent, and possibly processed: there was no response, or its status was 5xx. */
	| {
			outcome: 'unknown';
			/** `interrupted`: the attempt ended before it could store the response. */
			reason?: 'interrupted';
			statusCode?: number;
			response?: unknown;
			code?: string;
			message?: string;
			attempts: number;
	  };

export type NotSentReason =
	/** DNS resolution failed, or no connection was established. */
	| 'noConnection'
	/** The TLS handshake failed. */
	| 'certificate'
	/** The wait for the rate limit exceeded `maxWait`. */
	| 'rateLimit'
	/** The execution was stopped or timed out, or an earlier failure ended the run. */
	| 'stopped'
	/** The scheduled time passed while the request waited for the rate limit. */
	| 'schedulePassed'
	/** n8n could not store that the request was about to be sent, so a retry might have repeated it. */
	| 'notRecorded';
