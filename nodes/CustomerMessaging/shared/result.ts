import type { Addressed, Batch, Delivery, Schedule, SentRequest } from './delivery';

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

export type NotSentReason =
	/** The service does not accept the brand and key, or the token. */
	| 'credentialsRefused'
	/** Nothing is found at the address. */
	| 'addressRefused'
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

/** Invalid input: the parameter's name, and a message that says what is wrong and how to fix it. */
export interface Problem {
	field: string;
	message: string;
}

export function isProblem(value: unknown): value is Problem {
	return typeof value === 'object' && value !== null && 'field' in value && 'message' in value;
}

/** The result of one input item or of one of its deliveries. */
export type Result = InvalidResult | PreviewResult | SkippedResult | SentResult;

export interface InvalidResult {
	kind: 'invalid';
	itemIndex: number;
	problems: Problem[];
	/** Its messages, as far as their recipient can be read. */
	addressed?: readonly Addressed[];
	/** What a mistake of this node threw during the check. The data of the item is then not to blame. */
	internalError?: string;
}

export interface PreviewResult {
	kind: 'preview';
	delivery: Delivery;
	url: string;
	batch?: Batch;
	body: unknown;
	/** Measurements for a preview, such as text lengths and their limits. */
	measured?: {
		characters: Readonly<Record<string, { count: number; limit?: number }>>;
		sms?: { parts?: number };
	};
	/** The message as its recipients will see it, as an HTML page. */
	page?: string;
}

/** Not sent, because this or an earlier execution had sent it. */
export interface SkippedResult {
	kind: 'skipped';
	delivery: SentDelivery;
	reason: 'sentBefore';
	/** How that ended. */
	earlierOutcome: 'accepted' | 'unknown';
	/** Whether another message of this run with the same key says something else. */
	differs?: true;
}

/** How a delivery ended. Later attempts of an execution find it in its data. */
export interface SentRecord {
	outcome: Outcome;
	batch?: Batch;
	request?: SentRequest;
	/** What was decided about its time when it left; absent if that was decided before. */
	scheduled?: Schedule;
}

export interface SentResult extends SentRecord {
	kind: 'sent';
	delivery: SentDelivery;
	/** Set if an earlier attempt sent it. */
	sentBefore?: true;
}

/** The part of a delivery that is reported with its outcome. */
export type SentDelivery = Pick<
	Delivery,
	| 'itemIndex'
	| 'platform'
	| 'recipient'
	| 'number'
	| 'userID'
	| 'to'
	| 'schedule'
	| 'audience'
	| 'onceKey'
	| 'onceContent'
	| 'test'
>;

/** The results of a whole run. */
export interface RunReport {
	/** Number of requests sent, or in a preview, to be sent. */
	requests: number;
	/** One result per delivery, in the order of the deliveries. */
	results: Result[];
	/** Time spent waiting for the rate limit. */
	waitedMs: number;
	/** Time spent waiting for a failing service. */
	pausedMs?: number;
	/** Calls left in the current minute; null if the service did not say. */
	remaining: number | null;
	/** Whether Send Once could not keep out other processes of n8n. */
	isUnlocked?: boolean;
	/** What was known before the first request to keep the run from sending everything. */
	warning?: string;
}

/**
 * The result of an item that a mistake of this node kept from being sent.
 *
 * @param mayHaveLeft whether it may have been sent before the mistake showed
 */
export function internalFailure(
	delivery: SentDelivery,
	message: string,
	mayHaveLeft = false,
): SentResult {
	const outcome = mayHaveLeft ? 'unknown' : 'notSent';
	const attempts = mayHaveLeft ? 1 : 0;
	return {
		kind: 'sent',
		delivery,
		outcome: { outcome, reason: 'internalError', message, attempts },
	};
}

export function getItemIndex(result: Result): number {
	return result.kind === 'invalid' ? result.itemIndex : result.delivery.itemIndex;
}

/** Whether the item goes to the error output or stops the workflow, depending on On Error. */
export function hasFailed(result: Result): boolean {
	return (
		result.kind === 'invalid' || (result.kind === 'sent' && result.outcome.outcome !== 'accepted')
	);
}

/** Whether this run or an earlier attempt has sent it, and it was not surely left undelivered. */
export function mayBeDelivered(result: Result): boolean {
	return result.kind === 'sent' && (!hasFailed(result) || result.outcome.outcome === 'unknown');
}

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
