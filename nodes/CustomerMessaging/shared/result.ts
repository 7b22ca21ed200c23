import type { Batch, Delivery, SentRequest } from './delivery';
import type { Outcome } from './outcome';
import type { Problem } from './problem';

/** What became of one input item, or of one of its deliveries. */
export type Result = InvalidResult | PreviewResult | SentResult;

export interface InvalidResult {
	kind: 'invalid';
	itemIndex: number;
	problems: Problem[];
}

export interface PreviewResult {
	kind: 'preview';
	delivery: Delivery;
	url: string;
	batch?: Batch;
	body: unknown;
	/** Lengths against the limits, and the like. */
	measured?: object;
}

export interface SentResult {
	kind: 'sent';
	delivery: SentDelivery;
	outcome: Outcome;
	batch?: Batch;
	request?: SentRequest;
	/** Whether an earlier attempt sent it. */
	sentBefore?: true;
}

/** What of a delivery is reported once it has an outcome. */
export type SentDelivery = Pick<
	Delivery,
	'itemIndex' | 'platform' | 'userID' | 'schedule' | 'audience'
>;

/** What a run did. */
export interface RunReport {
	/** How many requests left, or would leave. */
	requests: number;
	/** One for each delivery, in their order. */
	results: Result[];
	waitedMs: number;
	/** Calls left in the current minute, where the service said. */
	remaining: number | null;
}

export function itemIndexOf(result: Result): number {
	return result.kind === 'invalid' ? result.itemIndex : result.delivery.itemIndex;
}

/** Whether the item leaves by the error output, or stops the workflow. */
export function hasFailed(result: Result): boolean {
	return (
		result.kind === 'invalid' || (result.kind === 'sent' && result.outcome.outcome !== 'accepted')
	);
}
