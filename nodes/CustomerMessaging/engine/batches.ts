import type { Run } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';
import type { Ending, Outcome } from '../shared/result';
import { type ApiRequest, buildElement, writeBody } from '../send/wire';
import type { Operation } from '../operations/operation';
import type { Clock } from '../shared/apis';
import { groupBy, inSlices } from '../shared/slices';

/** A batch is closed before its body becomes larger. The reference names no maximum. */
const MAX_BODY_BYTES = 1_000_000;

/**
 * A refused batch is split in half repeatedly to find the rows that cause the refusal. Once this many
 * single rows were refused and nothing was accepted, the rows are not the cause. Further splitting
 * would only use up the rate limit.
 */
const MAX_REFUSED_ALONE = 100;

/** The approximate number of requests for a number of deliveries. */
export function countRequests(
	deliveries: number,
	{ operation, settings }: Pick<Run, 'operation' | 'settings'>,
): number {
	return Math.ceil(deliveries / (operation.batchKey ? settings.batchSize : 1));
}

/**
 * Cuts deliveries into requests: one each, or batches of neighbours with the same envelope. A batch is closed
 * before it has too many deliveries or too large a body. Batches are numbered across the whole run, from
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
		let batch: Delivery[] = [];
		let [group, bytes] = ['', 0];
		for (const delivery of deliveries) {
			if (!operation.batchKey) {
				yield this.toRequest([delivery]);
				continue;
			}
			const own = countBytes(buildElement(delivery, this.run, anyTimeMs)) + ','.length;
			const isFull = batch.length === settings.batchSize || bytes + own > this.maxBytes;
			if (batch.length > 0 && (isFull || group !== groupOf(delivery))) {
				yield this.toRequest(batch);
				batch = [];
			}
			if (batch.length === 0) {
				group = groupOf(delivery);
				bytes = this.bodyBytes([delivery]) - own;
			}
			batch.push(delivery);
			bytes += own;
		}
		if (batch.length > 0) yield this.toRequest(batch);
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

/** Deliveries with the same envelope may share a request. */
function groupOf({ envelope }: Delivery): string {
	return envelope ? JSON.stringify(envelope) : '';
}

/**
 * Puts deliveries with the same envelope next to each other. Where rows of one user have different envelopes, the
 * order stays, because they leave one after another.
 *
 * @param repeated the users with several rows
 */
export function inGroups(
	deliveries: readonly Delivery[],
	repeated: ReadonlyMap<string, readonly Delivery[]>,
): readonly Delivery[] {
	const isMixed = (rows: readonly Delivery[]) => new Set(rows.map(groupOf)).size > 1;
	if (!isMixed(deliveries) || [...repeated.values()].some(isMixed)) return deliveries;
	return [...groupBy(deliveries, groupOf).values()].flat();
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
