/** How one request ended. */
export type Outcome =
	| {
			outcome: 'accepted';
			/** Absent if another attempt of the same execution sent the request. */
			statusCode?: number;
			response: unknown;
			/** Whether only the beginning of the response was kept. */
			responseTruncated?: true;
			attempts: number;
			rateLimitRemaining: number | null;
	  }
	| {
			outcome: 'rejected';
			statusCode: number;
			response: unknown;
			responseTruncated?: true;
			attempts: number;
	  }
	/** Certainly not delivered. `code` is the network error code, if there was one. */
	| {
			outcome: 'notSent';
			reason: NotSentReason;
			code?: string;
			message?: string;
			/** When it is worth sending it again, with the offset of the workflow's zone; absent if waiting does not help. */
			retryAt?: string;
			attempts: number;
	  }
	/** Sent, and possibly processed: there was no response, or its status was 5xx, 408, 302 or 303. */
	| {
			outcome: 'unknown';
			/**
			 * `interrupted`: the attempt ended before it could store the response. `internalError`: a mistake of
			 * this node ended the run before the response was known.
			 */
			reason?: 'interrupted' | 'internalError';
			statusCode?: number;
			response?: unknown;
			responseTruncated?: true;
			code?: string;
			message?: string;
			attempts: number;
	  };

/** Why the service would refuse every message of a run. */
export type AccountRefusal =
	/** It does not accept the brand and key, or the token. */
	| 'credentialsRefused'
	/** Nothing is found at the address. */
	| 'addressRefused';

export type NotSentReason =
	| AccountRefusal
	/** DNS resolution failed, or no connection was established. */
	| 'noConnection'
	/** The TLS handshake failed. */
	| 'certificate'
	/** The wait for the rate limit exceeded `maxWait`. */
	| 'rateLimit'
	/** The service failed for longer than the run may wait for it. */
	| 'serviceUnavailable'
	/** The execution was stopped or timed out, or an earlier failure ended the run. */
	| 'stopped'
	/** The scheduled time passed while the request waited for the rate limit. */
	| 'schedulePassed'
	/** n8n could not store that the request was about to be sent, so a retry might have repeated it. */
	| 'notRecorded'
	/** Another run was sending a message with the same key of Send Once for longer than `maxWait`. */
	| 'keyInUse'
	/** A mistake of this node prevented it. */
	| 'internalError';
