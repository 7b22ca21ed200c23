import type { Addressed, Batch, Delivery, Schedule, SentRequest } from './delivery';
import type { Outcome } from './outcome';
import type { Problem } from './problem';

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
	/** The message as its recipients will see it, as an HTML page, and the name of its file. */
	page?: string;
	pageName?: string;
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
	const reason = 'internalError';
	return mayHaveLeft
		? { kind: 'sent', delivery, outcome: { outcome: 'unknown', reason, message, attempts: 1 } }
		: { kind: 'sent', delivery, outcome: { outcome: 'notSent', reason, message, attempts: 0 } };
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
