import type { NotSentReason } from './outcome';

/** The result of one attempt to send one request. */
export type Reply =
	| {
			kind: 'answer';
			statusCode: number;
			/** The body as the service sent it: parsed JSON, otherwise text, otherwise null. */
			body: unknown;
			/** The `X-RateLimit-Remaining` header (spec §8), if it is a whole number. */
			remaining?: number;
			/** The `Date` header in epoch milliseconds, if it can be parsed. */
			dateMs?: number;
			/** The wait that the `Retry-After` header asks for, in milliseconds, if it can be parsed. */
			retryAfterMs?: number;
	  }
	/** No complete response. `code` is the error code of Node.js or axios; `message` is for people. */
	| { kind: 'failure'; code: string; message: string }
	/** The sender decided not to send the request. */
	| { kind: 'withheld'; reason: NotSentReason };
