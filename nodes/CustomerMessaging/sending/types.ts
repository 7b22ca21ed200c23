/** The APIs that have a limit of their own (spec §8). */
export type Api = 'user' | 'event' | 'campaign' | 'reporting' | 'push' | 'email' | 'sms';

/** What came back from one attempt to send one request. */
export type Reply =
	| {
			kind: 'answer';
			statusCode: number;
			/** The body as the service sent it: parsed JSON, else text, else null. */
			body: unknown;
			/** `X-RateLimit-Remaining` (spec §8), where it was a whole number. */
			remaining?: number;
			/** The answer's `Date` header in epoch milliseconds, where it was readable. */
			dateMs?: number;
	  }
	| { kind: 'withheld'; reason: NotSentReason }
	/** No whole answer came: `code` is Node's or axios' error code, `message` is fit for a person. */
	| { kind: 'failure'; code: string; message: string };

/** How one request ended. */
export type Outcome =
	| {
			outcome: 'accepted';
			/** Absent where another retry of the execution sent it. */
			statusCode?: number;
			response: unknown;
			attempts: number;
			rateLimitRemaining: number | null;
	  }
	| { outcome: 'rejected'; statusCode: number; response: unknown; attempts: number }
	/** Surely not delivered. `code` is the network's error code where there was one. */
	| { outcome: 'notSent'; reason: NotSentReason; code?: string; message?: string; attempts: number }
	/** Sent, and it may have been processed: no answer, or a 5xx one. */
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
	/** DNS, refused, not established. */
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

/** Time, passed in so that all that decides runs on a virtual clock in tests. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	sleep(ms: number): Promise<void>;
}
