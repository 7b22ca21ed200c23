import type { Problem } from '../problem';
import type { ApiRequest } from '../delivery/requests';
import type { Delivery } from '../operations/operation';
import type { DeliveryRecord } from '../delivery/ledger';
import type { Outcome } from '../shared/outcome';

/** What became of one input item, or of one of its deliveries. */
export type Result =
	| { kind: 'invalid'; itemIndex: number; problems: Problem[] }
	| { kind: 'preview'; delivery: Delivery; request: ApiRequest; body: unknown; measured?: object }
	| {
			kind: 'sent';
			delivery: SentDelivery;
			outcome: Outcome;
			batch?: DeliveryRecord['batch'];
			request?: DeliveryRecord['request'];
			/** Whether an earlier attempt sent it. */
			sentBefore?: true;
	  };

/** What of a delivery is told once it has an outcome. */
export type SentDelivery = Pick<Delivery, 'itemIndex' | 'platform' | 'userID' | 'schedule' | 'audience'>;

export function itemIndexOf(result: Result): number {
	return result.kind === 'invalid' ? result.itemIndex : result.delivery.itemIndex;
}

/** Whether the item leaves by the error output, or stops the workflow. */
export function hasFailed(result: Result): boolean {
	return (
		result.kind === 'invalid' || (result.kind === 'sent' && result.outcome.outcome !== 'accepted')
	);
}
