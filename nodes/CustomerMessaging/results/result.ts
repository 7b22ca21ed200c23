import type { Problem } from '../problem';
import type { ApiRequest } from '../requests';
import type { Delivery } from '../operations/operation';
import type { Kept } from '../sending/ledger';

/** What became of one input item, or of one of its deliveries. */
export type Result =
	| { kind: 'invalid'; itemIndex: number; problems: Problem[] }
	| { kind: 'preview'; delivery: Delivery; request: ApiRequest; body: unknown; measured?: object }
	| ({ kind: 'sent'; delivery: Delivery } & Kept);

export function itemIndexOf(result: Result): number {
	return result.kind === 'invalid' ? result.itemIndex : result.delivery.itemIndex;
}

/** Whether the item leaves by the error output, or stops the workflow. */
export function hasFailed(result: Result): boolean {
	return (
		result.kind === 'invalid' || (result.kind === 'sent' && result.outcome.outcome !== 'accepted')
	);
}
