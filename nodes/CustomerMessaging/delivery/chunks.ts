import type { Plan } from '../plan/plan';
import { defaultConcurrency } from '../rateLimit/defaultConcurrency';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';
import type { Message } from './claim';

/** A delivery as the journal records it. */
export interface DeliveryMessage<D = Delivery> extends Message {
	readonly delivery: D;
}

export type Position = Pick<Delivery, 'itemIndex' | 'platform' | 'onceKey'>;

/** The first `items` items of a run are divided into chunks of `size` items. */
const SMALL_CHUNKS = { items: 100, size: 10 };
/** Number of items in each of the chunks that follow. */
const LARGE_CHUNK = 50;

/** Small runs have small chunks, because a crash leaves the outcome of a whole chunk unknown. */
function chunkSizeAfter(claimed: number): number {
	return claimed < SMALL_CHUNKS.items ? SMALL_CHUNKS.size : LARGE_CHUNK;
}

/** How many messages may be pending: a chunk, or as many as may be in flight. With Send Once, one batch. */
export function chooseWindow(run: Run | UnusableRun) {
	if (!('settings' in run)) return { unit: 1, windowAfter: chunkSizeAfter };
	const { operation, settings, account, target } = run;
	const { concurrency = defaultConcurrency(account.limits[target.api]), batchSize } = settings;
	if (operation.batchKey) {
		const window = settings.sendOnce ? batchSize : batchSize * concurrency;
		return { unit: batchSize, windowAfter: () => window };
	}
	return {
		unit: 1,
		windowAfter: (claimed: number) => Math.max(chunkSizeAfter(claimed), concurrency),
	};
}

/**
 * Returns the number of the chunk that contains an item. Boundaries are the same in every attempt.
 */
export function findChunk(itemIndex: number): number {
	const { items, size } = SMALL_CHUNKS;
	return itemIndex < items
		? Math.floor(itemIndex / size)
		: items / size + Math.floor((itemIndex - items) / LARGE_CHUNK);
}

/** Where a slice of whole chunks ends that has at least one chunk, and then no more than `most` entries. */
export function endOfChunks(
	entries: ReadonlyArray<{ itemIndex: number }>,
	start: number,
	most: number,
): number {
	let end = start;
	for (let next = start; next < entries.length;) {
		const chunk = findChunk(entries[next]?.itemIndex ?? 0);
		while (next < entries.length && findChunk(entries[next]?.itemIndex ?? 0) === chunk) next++;
		if (end > start && next - start > most) break;
		end = next;
	}
	return end;
}

/**
 * Returns a function that names deliveries for the journal: under the execution, the row and the platform,
 * and with Send Once under its key. So a retry is Send Once within one execution.
 *
 * @param scope identifies the execution; undefined if only Send Once is to know the deliveries
 * @param keyOf identifies a delivery within the run
 */
export function messageNamer(
	scope: string | undefined,
	keyOf: (delivery: Position) => string,
	{ deliveries, invalid }: Pick<Plan, 'deliveries' | 'invalid'>,
): <D extends Position>(delivery: D) => DeliveryMessage<D> {
	const nameBlock = ({ itemIndex, platform }: Position) =>
		`chunk ${findChunk(itemIndex)} ${platform ?? 'row'}`;
	const sizes = new Map<string, number>();
	for (const delivery of deliveries) {
		const block = nameBlock(delivery);
		sizes.set(block, (sizes.get(block) ?? 0) + 1);
	}
	// A chunk with a row that cannot be sent is never accepted as a whole.
	const partial = new Set(invalid.map(({ itemIndex }) => findChunk(itemIndex)));
	return (delivery) => {
		const once = delivery.onceKey === undefined ? [] : [delivery.onceKey];
		if (scope === undefined) return { delivery, names: once };
		const block = nameBlock(delivery);
		const size = partial.has(findChunk(delivery.itemIndex))
			? Infinity
			: (sizes.get(block) ?? Infinity);
		return {
			delivery,
			names: [`${scope} row ${keyOf(delivery)}`, ...once],
			block: { name: `${scope} ${block}`, size },
		};
	};
}
