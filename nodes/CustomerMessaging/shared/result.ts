import type { Addressed, Batch, Delivery, Schedule } from './delivery';
import {
	type Ending,
	type EndingOf,
	kinds,
	type NotSentCode,
	type Problem,
	type SentEnding,
} from './ending';
import type { Mask } from './mask';

export function isProblem(value: unknown): value is Problem {
	return typeof value === 'object' && value !== null && 'field' in value && 'rule' in value;
}

/** The outcome of one message, or of an item that has none. */
export type Result = SentResult | SkippedResult | InvalidResult | PreviewResult;

interface Ended<Kind extends Ending['kind'], D = SentDelivery> {
	delivery: D;
	ending: EndingOf<Kind>;
}

export type SkippedResult<D = SentDelivery> = Ended<'skipped', D>;

export interface InvalidResult extends Ended<'invalid'> {
	/** Its messages, as far as their recipient can be read. */
	addressed?: readonly Addressed[];
}

export interface PreviewResult extends Ended<'preview', Delivery> {
	batch?: Batch;
}

/** The record of a delivery, for later attempts of an execution. */
export interface Recorded {
	ending: SentEnding;
	attempts: number;
	batch?: Batch;
	/** The time that was decided when it left; absent if it was known before. */
	scheduled?: Schedule;
	/** An execution that has ended reported it, so it stops no workflow again. */
	wasReported?: true;
}

export interface SentResult<D = SentDelivery> extends Recorded {
	delivery: D;
	/** Set if an earlier attempt sent it. */
	sentBefore?: true;
	/** The execution's memory did not hold that. */
	isFound?: boolean;
}

export function isSent<D>(
	result: Result | SentResult<D> | SkippedResult<D>,
): result is SentResult<D> {
	return 'attempts' in result;
}

/** A delivery, or what is known of one whose row was not read again. */
export type SentDelivery = Pick<Delivery, 'itemIndex'> & Partial<Delivery>;

/** The results of a whole run. */
export interface RunReport {
	/** Number of requests sent, or in a preview, to be sent. */
	requests: number;
	/** One for each delivery, in the same order. */
	results: readonly Result[];
	/** Time spent waiting for the rate limit, and for a failing service. */
	waitedMs: number;
	pausedMs?: number;
	/** Calls left in the current minute; null if the service did not say. */
	remaining: number | null;
	/** Send Once could not keep out other processes of n8n. */
	isUnlocked?: boolean;
	/** Why nothing was sent, if what n8n has stored shows only with the first message that nothing may be. */
	refused?: Problem;
	/** Says why the run was expected not to send everything. */
	warning?: string;
}

/** The result of an item that a mistake of this node kept from being sent, or before which it may have left. */
export function internalFailure<D>(
	delivery: D,
	message: string,
	mayHaveLeft = false,
): SentResult<D> {
	const ending: SentEnding = {
		kind: mayHaveLeft ? 'unknown' : 'notSent',
		code: 'internalError',
		values: { message },
	};
	return { delivery, ending, attempts: mayHaveLeft ? 1 : 0 };
}

/** True if the item goes to the error output or stops the workflow, depending on On Error. */
export function hasFailed(result: Result): boolean {
	return kinds[result.ending.kind].hasFailed && !('wasReported' in result && result.wasReported);
}

/** True if this run or an earlier attempt has sent it, and it may have arrived. */
export function mayBeDelivered({ ending }: Pick<Result, 'ending'>): boolean {
	return kinds[ending.kind].mayHaveArrived;
}

/** True if the outcome of other attempts could not be looked up. The next attempt looks it up again. */
export function isNotLookedUp({ ending }: Pick<Result, 'ending'>): boolean {
	if (ending.kind !== 'unknown') return false;
	return ending.code === 'notRecorded' || ending.code === 'stopped';
}

/** Codes of failures that have none of their own. Nothing was sent: a proxy or the credential refused to. */
export const proxyRefusal = 'PROXY_REFUSED';
export const notOurs = 'NOT_OF_THIS_NODE';
/** n8n itself refused to connect (N8N_SSRF_PROTECTION_ENABLED). Its errors have no code. */
export const n8nRefusal = 'N8N_REFUSED';

export function isN8nRefusal(message: string): boolean {
	return /^The request was blocked because (it resolves to a|the destination hostname is) restricted/.test(
		message,
	);
}

/** Advice to the administrator of n8n. */
export const howToAllow =
	"n8n's N8N_SSRF_PROTECTION_ENABLED keeps it from this address. To allow it, add the host to N8N_SSRF_ALLOWED_HOSTNAMES, or its address to N8N_SSRF_ALLOWED_IP_RANGES, and restart n8n";

/** The result of one attempt to send one request. */
export type Reply =
	| {
			kind: 'answer';
			statusCode: number;
			/** The body as the service sent it: parsed JSON, otherwise text, otherwise null. Null also if it stopped arriving. */
			body: unknown;
			/** Whether the body was longer. What is kept is then text. */
			isTruncated?: true;
			/** The longer body, to learn what it says; absent if it was too long to be read. It may hold a secret. */
			whole?: unknown;
			/** See {@link isWebPage}. */
			isWebPage?: boolean;
			/** See {@link redirectTarget}. */
			redirectsTo?: string;
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
	| { kind: 'notSent'; reason: NotSentCode };

/** How an account's answers say whether a request was accepted, from the credential's Custom Answers. */
export interface AnswerRule {
	/** A path such as `data.code`; empty if every 2xx answer accepts. */
	field: string;
	/** Its values that accept, as text; none if it must be absent or empty. */
	accepted: readonly string[];
}

/**
 * Whether a body is a web page, such as that of a proxy: what it begins with, after comments and an XML
 * declaration. The content type does not tell, because JSON may have any.
 */
export function isWebPage(body: unknown): boolean {
	if (typeof body !== 'string') return false;
	let at = 0;
	for (;;) {
		at += body.slice(at).search(/\S|$/);
		const closing = body.startsWith('<!--', at) ? '-->' : body.startsWith('<?xml', at) ? '?>' : '';
		const end = closing ? body.indexOf(closing, at) : -1;
		if (end < 0) break;
		at = end + closing.length;
	}
	return /^<(!doctype\s+html|html|head|body|script|meta|title)\b/i.test(body.slice(at, at + 100));
}

/**
 * Where a redirect leads, without what may be a secret: a user name, a query. Undefined if it does not say. It is
 * masked before it is parsed, which changes how it is written, and afterwards, because that may join parts.
 */
export function redirectTarget(url: string, location: unknown, mask: Mask): string | undefined {
	if (typeof location !== 'string') return undefined;
	try {
		const { protocol, host, pathname } = new URL(mask.text(location), url);
		return host === '' ? undefined : mask.text(`${protocol}//${host}${pathname}`);
	} catch {
		return undefined;
	}
}

/** Possible reasons of a 403. The reference does not mention it. */
export const whyForbidden =
	"The key may lack the right to do this, or the account's plan may not include it. The service may also accept only a list of addresses, without that of this n8n. Ask the service's support";
