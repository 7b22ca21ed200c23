import type { Run } from '../run/resolveRun';
import type { Batch, Body, Delivery } from '../shared/delivery';

/** One request on its way, with the deliveries it carries. */
export interface ApiRequest {
	url: string;
	deliveries: readonly Delivery[];
	/** Where users travel together. */
	batch?: Batch;
}

/** Makes requests of deliveries; one numbering holds for a whole run, halves of a batch included. */
export function requestMaker({ origin, operation: { batchKey }, settings }: Run, firstBatch = 0) {
	let batches = firstBatch;

	const toRequest = (deliveries: readonly Delivery[]): ApiRequest => ({
		url: origin + String(deliveries[0]?.path),
		deliveries,
		batch: batchKey ? { index: batches++, size: deliveries.length } : undefined,
	});

	const most = batchKey ? settings.batchSize : 1;

	return {
		/** How many deliveries one request carries at most. */
		size: most,

		/** About how many requests so many deliveries make. */
		count: (deliveries: number) => Math.ceil(deliveries / most),

		/** In order: one request for each delivery, or for each batch of those with the same envelope. */
		*requests(deliveries: readonly Delivery[]): Generator<ApiRequest> {
			for (let start = 0; start < deliveries.length; ) {
				const limit = Math.min(start + most, deliveries.length);
				let end = start + 1;
				while (end < limit && sameEnvelope(deliveries[start], deliveries[end])) end++;
				yield toRequest(deliveries.slice(start, end));
				start = end;
			}
		},

		/** The two halves of a batch, or undefined for a request that stands alone. */
		halves({ deliveries }: ApiRequest): ApiRequest[] | undefined {
			if (deliveries.length < 2) return undefined;
			const middle = Math.ceil(deliveries.length / 2);
			return [toRequest(deliveries.slice(0, middle)), toRequest(deliveries.slice(middle))];
		},
	};
}

/** The JSON body of a request at the moment of sending. */
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
