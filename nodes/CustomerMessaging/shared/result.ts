import type { Addressed, Batch, Delivery, Schedule } from './delivery';
import { type Ending, type EndingOf, kinds, type Problem, type SentEnding } from './ending';

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

/** Possible reasons of a 403. The reference does not mention it. */
export const whyForbidden =
	"The key may lack the right to do this, or the account's plan may not include it. The service may also accept only a list of addresses, without that of this n8n. Ask the service's support";
