import type { Run } from '../run/resolveRun';
import type { Batch, Body, Delivery } from '../shared/delivery';

/** One request, with the deliveries it carries. */
export interface ApiRequest {
	url: string;
	deliveries: readonly Delivery[];
	/** Present if the operation sends batches. */
	batch?: Batch;
}

/**
 * Returns functions that group deliveries into requests. Batches are numbered across the whole run,
 * from `firstBatch` on, including the halves of split batches.
 */
export function requestMaker({ origin, operation: { batchKey }, settings }: Run, firstBatch = 0) {
	let batches = firstBatch;

	const toRequest = (deliveries: readonly Delivery[]): ApiRequest => ({
		url: origin + String(deliveries[0]?.path),
		deliveries,
		batch: batchKey ? { index: batches++, size: deliveries.length } : undefined,
	});

	const maxDeliveries = batchKey ? settings.batchSize : 1;

	return {
		/** Maximum number of deliveries in one request. */
		size: maxDeliveries,

		/** The approximate number of requests for a number of deliveries. */
		count: (deliveries: number) => Math.ceil(deliveries / maxDeliveries),

		/** Yields requests in order: one per delivery, or one per batch of deliveries with the same envelope. */
		*requests(deliveries: readonly Delivery[]): Generator<ApiRequest> {
			for (let start = 0; start < deliveries.length;) {
				const limit = Math.min(start + maxDeliveries, deliveries.length);
				let end = start + 1;
				while (end < limit && sameEnvelope(deliveries[start], deliveries[end])) end++;
				yield toRequest(deliveries.slice(start, end));
				start = end;
			}
		},

		/** The two halves of a batch, or undefined for a request with a single delivery. */
		halves({ deliveries }: ApiRequest): ApiRequest[] | undefined {
			if (deliveries.length < 2) return undefined;
			const middle = Math.ceil(deliveries.length / 2);
			return [toRequest(deliveries.slice(0, middle)), toRequest(deliveries.slice(middle))];
		},
	};
}

/**
 * Builds the JSON body of a request (spec §2 and §4).
 *
 * @param nowMs the time of sending, in epoch milliseconds
 */
export function bodyOf(
	{ deliveries }: ApiRequest,
	{ operation, account }: Run,
	nowMs: number,
): Body | unknown[] {
	const { batchKey, schedule } = operation;
	const [first] = deliveries;
	if (batchKey) return { [batchKey]: deliveries.map(({ body }) => body), ...first?.envelope };
	if (!first || !schedule || !first.schedule) return first?.body ?? {};
	return { ...first.body, ...schedule.fields(first.schedule, account.format, nowMs) };
}

function sameEnvelope(one: Delivery | undefined, other: Delivery | undefined): boolean {
	return one?.envelope === other?.envelope || toText(one?.envelope) === toText(other?.envelope);
}

function toText(envelope: Body | undefined): string {
	return JSON.stringify(envelope ?? {});
}
