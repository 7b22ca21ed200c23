import type { Run } from '../run/resolveRun';
import type { Body, Delivery } from '../shared/delivery';
import { toJsonText } from '../shared/exactJson';
import { type ApiRequest, bodyOf, elementOf } from './requests';

/** A batch that more deliveries may be added to. */
interface OpenBatch {
	deliveries: Delivery[];
	/** The fields next to the list, as JSON. */
	envelope: string;
	bytes: number;
}

/**
 * Groups deliveries into requests: one per delivery, or one per batch of deliveries with the same
 * envelope. A batch is closed before it has too many deliveries or too large a body. Batches are
 * numbered across the whole run, from `firstBatch` on, including the halves of split batches.
 */
export class Batches {
	/** Maximum number of deliveries in one request. */
	readonly maxDeliveries: number;
	private maxBytes: number;
	private open?: OpenBatch;

	constructor(
		private readonly run: Pick<Run, 'origin' | 'operation' | 'account' | 'settings'>,
		private firstBatch = 0,
	) {
		const { operation, settings } = run;
		this.maxDeliveries = operation.batchKey ? settings.batchSize : 1;
		this.maxBytes = settings.maxBodyBytes;
	}

	/** The approximate number of requests for a number of deliveries. */
	count(deliveries: number): number {
		return Math.ceil(deliveries / this.maxDeliveries);
	}

	/** Adds deliveries in order, and yields each request as soon as it is complete. */
	*add(deliveries: readonly Delivery[]): Generator<ApiRequest> {
		for (const delivery of deliveries) {
			if (!this.run.operation.batchKey) {
				yield this.toRequest([delivery]);
				continue;
			}
			const envelope = toText(delivery.envelope);
			const bytes = bytesOf(elementOf(delivery, this.run, anyTimeMs)) + ','.length;
			if (this.open && !this.fits(envelope, bytes)) yield* this.rest();
			this.open ??= { deliveries: [], envelope, bytes: this.bodyBytes([delivery]) - bytes };
			this.open.deliveries.push(delivery);
			this.open.bytes += bytes;
			if (this.open.deliveries.length === this.maxDeliveries) yield* this.rest();
		}
	}

	/** Yields the last request, unless all are complete. */
	*rest(): Generator<ApiRequest> {
		const { open } = this;
		this.open = undefined;
		if (open) yield this.toRequest(open.deliveries);
	}

	/** Yields the requests for all deliveries of a run. */
	*all(deliveries: readonly Delivery[]): Generator<ApiRequest> {
		yield* this.add(deliveries);
		yield* this.rest();
	}

	/**
	 * The two halves of a batch, or undefined for a request with a single delivery. If the service
	 * called the batch too large (413), no later batch becomes larger than half of it.
	 */
	halves({ deliveries }: ApiRequest, statusCode: number): ApiRequest[] | undefined {
		if (deliveries.length < 2) return undefined;
		if (statusCode === 413) {
			this.maxBytes = Math.min(this.maxBytes, Math.ceil(this.bodyBytes(deliveries) / 2));
		}
		const middle = Math.ceil(deliveries.length / 2);
		return [this.toRequest(deliveries.slice(0, middle)), this.toRequest(deliveries.slice(middle))];
	}

	private fits(envelope: string, bytes: number): boolean {
		return this.open?.envelope === envelope && this.open.bytes + bytes <= this.maxBytes;
	}

	private bodyBytes(deliveries: readonly Delivery[]): number {
		return bytesOf(bodyOf({ deliveries }, this.run, anyTimeMs));
	}

	private toRequest(deliveries: readonly Delivery[]): ApiRequest {
		const { origin, operation } = this.run;
		return {
			url: origin + String(deliveries[0]?.path),
			deliveries,
			batch: operation.batchKey ? { index: this.firstBatch++, size: deliveries.length } : undefined,
		};
	}
}

/** The time of sending hardly changes the size of a body. */
const anyTimeMs = 0;

function bytesOf(json: object): number {
	return Buffer.byteLength(toJsonText(json));
}

function toText(envelope: Body | undefined): string {
	return JSON.stringify(envelope ?? {});
}
