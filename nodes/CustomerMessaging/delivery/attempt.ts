import type { ProcessedStore } from '../n8n/processedStore';
import type { Delivery } from '../shared/delivery';
import type { Problem } from '../shared/problem';
import type { History } from '../run/history';
import { type Chunk, SharedLedger } from './sharedLedger';

/** The first `items` items of a run are divided into chunks of `size` items. */
const SMALL_CHUNKS = { items: 100, size: 10 };
/** Number of items in each of the chunks that follow. */
const LARGE_CHUNK = 50;

/**
 * Returns the name of the chunk that contains an item. Boundaries are the same in every attempt.
 * Small runs have small chunks, because a crash leaves the outcome of a whole chunk unknown.
 */
export function chunkOf(itemIndex: number): string {
	const { items, size } = SMALL_CHUNKS;
	return itemIndex < items
		? `chunk ${Math.floor(itemIndex / size)}`
		: `chunk ${items / size + Math.floor((itemIndex - items) / LARGE_CHUNK)}`;
}

/** Groups deliveries, which are in the order of the input, by chunk. */
export function* chunksOf<D extends Pick<Delivery, 'itemIndex' | 'platform'>>(
	deliveries: readonly D[],
	keyOf: (delivery: Pick<Delivery, 'itemIndex' | 'platform'>) => string,
): Generator<Chunk & { deliveries: D[] }> {
	for (let start = 0; start < deliveries.length;) {
		const name = chunkOf(deliveries[start]?.itemIndex ?? 0);
		let end = start + 1;
		while (end < deliveries.length && chunkOf(deliveries[end]?.itemIndex ?? 0) === name) end++;
		const ofChunk = deliveries.slice(start, end);
		yield { name, keys: ofChunk.map((one) => keyOf(one)), deliveries: ofChunk };
		start = end;
	}
}

/** Identifies an attempt of an execution. */
export interface Attempt {
	history: History;
	execution: string;
	runIndex: number;
	/** For example `push.send`. */
	operation: string;
	/** Number of keys that n8n's store keeps. */
	maxEntries: number;
	/** Index of the first item that is sent. */
	firstItem: number;
}

/** The shared ledger, or the reason why the attempt must not send anything. */
export interface OpenedLedger {
	ledger?: SharedLedger;
	problem?: Problem;
	/** Whether n8n runs the execution again from the start after it was interrupted. */
	isInterrupted?: boolean;
}

/** Opens the shared ledger of a run whose hash of rows n8n stored with an earlier attempt. */
export function reopenSharedLedger(
	store: ProcessedStore,
	attempt: Attempt,
	rows: string,
): SharedLedger {
	return new SharedLedger(store, `${scopeOf(attempt)} ${rows}`, attempt.maxEntries, false);
}

function scopeOf({ history, runIndex, operation }: Attempt): string {
	return `sent ${history.establishedAtMs} ${runIndex} ${operation}`;
}

/**
 * Opens the shared ledger of a run that reads its rows for the first time.
 *
 * @param rows a hash of the rows, because an earlier attempt may have read them without n8n storing
 * its memory
 * @returns a problem instead of the ledger if the attempt must not send anything
 */
export async function openSharedLedger(
	store: ProcessedStore,
	attempt: Attempt,
	rows: string,
): Promise<OpenedLedger> {
	const { history, execution, runIndex, maxEntries, firstItem } = attempt;
	const scope = scopeOf(attempt);
	const marks = {
		begun: `${scope} begun`,
		begunWithRows: `${scope} ${rows} begun`,
		execution: `execution ${execution} ${runIndex} begun`,
	};
	const firstChunk = chunkOf(firstItem);
	const open = (ownScope: string, isFirst: boolean) =>
		new SharedLedger(store, ownScope, maxEntries, isFirst);
	if (history.isRetry) {
		const known = await store.add([marks.begun, marks.begunWithRows], maxEntries);
		if (!known.has(marks.begun) || known.has(marks.begunWithRows)) {
			return { ledger: open(`${scope} ${rows}`, !known.has(marks.begun)) };
		}
		await store.remove([marks.begunWithRows]);
		return { problem: otherRows };
	}
	const ledger = open(`${scope} ${rows}`, true);
	const known = await ledger.mark(Object.values(marks), firstChunk);
	// In queue mode, n8n 1 runs an execution again from its trigger when its worker was killed.
	if (known.has(marks.execution)) return { problem: runAgain, isInterrupted: true };
	// Two executions began in the same millisecond with the same rows: each sends its own.
	return {
		ledger: known.has(marks.begunWithRows)
			? open(`${scope} ${rows} of ${execution}`, true)
			: ledger,
	};
}

const runAgain: Problem = {
	field: 'execution',
	message:
		'n8n runs this execution a second time from the start, because it was interrupted the first time while it was sending. Check in the account what was sent, then start the workflow from its trigger with the rows that are missing',
};

const otherRows: Problem = {
	field: 'execution',
	message:
		'Another attempt of this execution has sent messages, but with other rows than this one, so the node cannot tell who was reached. Retry the newest attempt instead. If there is none, check in the account what was sent. Then start the workflow from its trigger with the rows that are missing',
};
