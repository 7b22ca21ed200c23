import type { Run } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';
import type { Ending, Outcome } from '../shared/result';
import { type ApiRequest, buildElement, writeBody } from './requests';
import type { Operation } from '../operations/operation';
import type { Clock } from '../shared/apis';
import { inSlices } from '../shared/slices';

/** How many batches with different envelopes are filled at the same time. */
const MAX_FILLING = 4;

/** A batch is closed before its body becomes larger. The reference names no maximum. */
const MAX_BODY_BYTES = 1_000_000;

/**
 * A refused batch is split in half repeatedly to find the rows that cause the refusal. Once this many
 * single rows were refused and nothing was accepted, the rows are not the cause. Further splitting
 * would only use up the rate limit.
 */
const MAX_REFUSED_ALONE = 100;

/** A batch that more deliveries may be added to. */
interface FillingBatch {
	deliveries: Delivery[];
	/** The fields next to the list, as JSON. */
	envelope: string;
	bytes: number;
}

/** The approximate number of requests for a number of deliveries. */
export function countRequests(
	deliveries: number,
	{ operation, settings }: Pick<Run, 'operation' | 'settings'>,
): number {
	return Math.ceil(deliveries / (operation.batchKey ? settings.batchSize : 1));
}

/**
 * Groups deliveries into requests: one per delivery, or one per batch of deliveries with the same
 * envelope. A batch is closed before it has too many deliveries or too large a body. A few batches with
 * different envelopes are filled at the same time, so that envelopes may alternate.
 *
 * Where the last row of a user counts, the rows of a user leave in order: a batch that holds one of them is
 * closed before the next one goes into another batch. Batches are numbered across the whole run, from
 * `firstBatch` on, including the halves of split batches.
 */
export class Batches {
	private maxBytes = MAX_BODY_BYTES;
	private haveAccepted = false;
	/** Number of rows that were refused in a request of their own. */
	private refusedAlone = 0;

	constructor(
		private readonly run: Pick<Run, 'origin' | 'operation' | 'account' | 'settings'>,
		private firstBatch = 0,
	) {}

	get isBatched(): boolean {
		return this.run.operation.batchKey !== undefined;
	}

	/** How many deliveries a full batch has. */
	get size(): number {
		return this.run.settings.batchSize;
	}

	/** The requests for deliveries, without a number. */
	plan(deliveries: readonly Delivery[]): Iterator<ApiRequest> {
		return new Batches(this.run).requests(deliveries);
	}

	/** Yields the requests for deliveries, each as soon as it is complete. */
	*requests(deliveries: readonly Delivery[]): Generator<ApiRequest> {
		const { operation, settings } = this.run;
		/** By envelope, the earliest first. */
		const filling = new Map<string, FillingBatch>();
		const close = (batch: FillingBatch): ApiRequest => {
			filling.delete(batch.envelope);
			return this.toRequest(batch.deliveries);
		};
		for (const delivery of deliveries) {
			if (!operation.batchKey) {
				yield this.toRequest([delivery]);
				continue;
			}
			const envelope = JSON.stringify(delivery.envelope ?? {});
			const bytes = countBytes(buildElement(delivery, this.run, anyTimeMs)) + ','.length;
			for (const batch of [...filling.values()]) {
				const isDue =
					batch.envelope === envelope
						? batch.bytes + bytes > this.maxBytes
						: operation.overwrites === true &&
							batch.deliveries.some(({ userID = '' }) => userID === delivery.userID);
				if (isDue) yield close(batch);
			}
			const [earliest] = filling.values();
			if (earliest && !filling.has(envelope) && filling.size === MAX_FILLING) yield close(earliest);
			const batch = filling.get(envelope) ?? {
				deliveries: [],
				envelope,
				bytes: this.bodyBytes([delivery]) - bytes,
			};
			filling.set(envelope, batch);
			batch.deliveries.push(delivery);
			batch.bytes += bytes;
			if (batch.deliveries.length === settings.batchSize) yield close(batch);
		}
		for (const batch of [...filling.values()]) yield close(batch);
	}

	/** Call this with the outcome of each request. */
	settle({ deliveries }: ApiRequest, { outcome }: Outcome): void {
		if (outcome === 'accepted') this.haveAccepted = true;
		if (outcome === 'rejected' && deliveries.length === 1) this.refusedAlone++;
	}

	/**
	 * The two halves of a batch of which parts may be accepted although the whole was refused: one of its
	 * rows may be invalid (400, 422), or it may be too large (413). Then no later batch becomes larger than half
	 * of it. Undefined if it must not be split.
	 */
	halves({ deliveries }: ApiRequest, ending: Ending): ApiRequest[] | undefined {
		if (ending.outcome !== 'rejected' || ![400, 413, 422].includes(ending.statusCode))
			return undefined;
		if (deliveries.length < 2) return undefined;
		if (!this.haveAccepted && this.refusedAlone >= MAX_REFUSED_ALONE) return undefined;
		if (ending.statusCode === 413)
			this.maxBytes = Math.min(this.maxBytes, Math.ceil(this.bodyBytes(deliveries) / 2));
		return this.split({ deliveries }, Math.ceil(deliveries.length / 2));
	}

	/** Two requests of one, the first with so many rows. */
	split({ deliveries }: Pick<ApiRequest, 'deliveries'>, rows: number): ApiRequest[] {
		return [this.toRequest(deliveries.slice(0, rows)), this.toRequest(deliveries.slice(rows))];
	}

	private bodyBytes(deliveries: readonly Delivery[]): number {
		return countBytes(writeBody({ deliveries }, this.run, anyTimeMs));
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

/** About how many bytes it takes; large integers count as text, which is longer. */
function countBytes(json: object): number {
	return Buffer.byteLength(JSON.stringify(json));
}

/** The deliveries by `userID`, where several have the same one and the operation makes the last one count. */
export async function repeatedIds(
	deliveries: readonly Delivery[],
	{ overwrites }: Operation,
	clock: Clock,
) {
	const firsts = new Map<string, Delivery>();
	const groups = new Map<string, Delivery[]>();
	if (!overwrites) return groups;
	await inSlices(deliveries, { clock }, (delivery) => {
		const { userID } = delivery;
		if (userID === undefined) return;
		const first = firsts.get(userID);
		const group = groups.get(userID);
		if (group) group.push(delivery);
		// Of a single one, no list is kept, which saves memory.
		else if (first) groups.set(userID, [first, delivery]);
		else firsts.set(userID, delivery);
	});
	return groups;
}
