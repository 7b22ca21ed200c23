import type { Addressed, Batch, Delivery, Schedule, SentRequest } from './delivery';

/** How one request ended, after how many attempts. */
export type Outcome = Ending & { attempts: number };

interface Answered {
	response: unknown;
	/** Whether only the beginning of the response was kept. */
	responseTruncated?: true;
}

type Ending =
	/** `statusCode` is absent if another attempt of the same execution sent the request. */
	| ({ outcome: 'accepted'; statusCode?: number; rateLimitRemaining: number | null } & Answered)
	| ({ outcome: 'rejected'; statusCode: number } & Answered)
	/** Certainly not delivered. `code` is the network error code, if there was one. */
	| {
			outcome: 'notSent';
			reason: NotSentReason;
			code?: string;
			message?: string;
			/** When it is worth sending it again, with the offset of the workflow's zone; absent if waiting does not help. */
			retryAt?: string;
	  }
	/** Sent, and possibly processed: there was no response, or its status was 5xx, 408, 302 or 303. */
	| ({
			outcome: 'unknown';
			/** What ended the attempt before it knew the response: a kill, or a mistake of this node. */
			reason?: 'interrupted' | 'internalError';
			statusCode?: number;
			code?: string;
			message?: string;
	  } & Partial<Answered>);

export type NotSentReason =
	/** The service does not accept the brand and key, or the token. */
	| 'credentialsRefused'
	/** Nothing is found at the address. */
	| 'addressRefused'
	/** DNS resolution failed, or no connection was established. */
	| 'noConnection'
	/** The TLS handshake failed. */
	| 'certificate'
	/** One of these lasted longer than `maxWait`. `keyInUse`: another run was sending its key of Send Once. */
	| 'rateLimit'
	| 'serviceUnavailable'
	| 'keyInUse'
	/** The execution was stopped or timed out, or an earlier failure ended the run. */
	| 'stopped'
	/** The scheduled time passed while the request waited for the rate limit. */
	| 'schedulePassed'
	/** n8n could not store that the request was about to be sent, so a retry might have repeated it. */
	| 'notRecorded'
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
	/** Text lengths and their limits. */
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

/** A delivery, or what is known of one whose row was not read again. */
export type SentDelivery = Pick<Delivery, 'itemIndex'> & Partial<Delivery>;

/** The results of a whole run. */
export interface RunReport {
	/** Number of requests sent, or in a preview, to be sent. */
	requests: number;
	/** One for each delivery, in the same order. */
	results: Result[];
	/** Time spent waiting for the rate limit, and for a failing service. */
	waitedMs: number;
	pausedMs?: number;
	/** Calls left in the current minute; null if the service did not say. */
	remaining: number | null;
	/** Whether Send Once could not keep out other processes of n8n. */
	isUnlocked?: boolean;
	/** What was known before the first request to keep the run from sending everything. */
	warning?: string;
}

/** The result of an item that a mistake of this node kept from being sent, or before which it may have left. */
export function internalFailure(
	delivery: SentDelivery,
	message: string,
	mayHaveLeft = false,
): SentResult {
	const how = mayHaveLeft
		? ({ outcome: 'unknown', attempts: 1 } as const)
		: ({ outcome: 'notSent', attempts: 0 } as const);
	return { kind: 'sent', delivery, outcome: { ...how, reason: 'internalError', message } };
}

export function getItemIndex(result: Result): number {
	return result.kind === 'invalid' ? result.itemIndex : result.delivery.itemIndex;
}

/** Whether the item goes to the error output or stops the workflow, depending on On Error. */
export function hasFailed(result: Result): boolean {
	if (result.kind !== 'sent') return result.kind === 'invalid';
	return result.outcome.outcome !== 'accepted';
}

/** Whether this run or an earlier attempt has sent it, and it was not surely left undelivered. */
export function mayBeDelivered(result: Result): boolean {
	return result.kind === 'sent' && (!hasFailed(result) || result.outcome.outcome === 'unknown');
}

/** Codes of failures that have none of their own. Nothing was sent: a proxy or the credential refused to. */
export const proxyRefusal = 'PROXY_REFUSED';
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
			/** See {@link isWebPage}. */
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

/** Whether a body is a web page, such as that of a proxy. The content type does not tell: JSON may have any. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*<(!doctype|html)\b/i.test(body);
}
