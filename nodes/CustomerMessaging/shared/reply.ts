import type { NotSentReason } from './outcome';

/** The result of one attempt to send one request. */
export type Reply =
	| {
			kind: 'answer';
			statusCode: number;
			/** The body as the service sent it: parsed JSON, otherwise text, otherwise null. */
			body: unknown;
			/** `X-RateLimit-Remaining` (spec §8), if it was a whole number. */
			remaining?: number;
			/** The `Date` header in epoch milliseconds, if it was readable. */
			dateMs?: number;
			/** How long `Retry-After` asks to wait, if it was readable. */
			retryAfterMs?: number;
	  }
	/** No complete response. `code` is the error code of Node or axios; `message` is for people. */
	| { kind: 'failure'; code: string; message: string }
	/** The sender decided not to let the request leave. */
	| { kind: 'withheld'; reason: NotSentReason };
