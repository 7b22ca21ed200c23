import type { NotSentReason } from './outcome';

/** The code of a failure that has none of its own: a proxy refused to connect, so nothing was sent. */
export const proxyRefusal = 'PROXY_REFUSED';

/** The code of a request that the credential refused to authenticate, so nothing was sent. */
export const unnamedHost = 'HOST_NOT_NAMED';

/** The result of one attempt to send one request. */
export type Reply =
	| {
			kind: 'answer';
			statusCode: number;
			/** The body as the service sent it: parsed JSON, otherwise text, otherwise null. Null also if it stopped arriving. */
			body: unknown;
			/** Whether the body was longer. What is kept is then text. */
			isTruncated?: true;
			/** Whether the body is a web page, which the service never sends: see {@link isWebPage}. */
			isWebPage?: boolean;
			/** The `X-RateLimit-Remaining` header (spec §8), if it is a whole number. */
			remaining?: number;
			/** The `Date` header in epoch milliseconds, if it can be parsed. */
			dateMs?: number;
			/** The wait that the `Retry-After` header asks for, in milliseconds, if it can be parsed. */
			retryAfterMs?: number;
	  }
	/** No response. `code` is the error code of Node.js or axios; `message` is for people. */
	| { kind: 'failure'; code: string; message: string }
	/** The sender decided not to send the request. */
	| { kind: 'withheld'; reason: NotSentReason };

/**
 * Whether a body is a web page, such as a login page or that of a proxy. The content type does not tell: services send
 * JSON with that of text or of a page.
 */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*<(!doctype|html)\b/i.test(body);
}
