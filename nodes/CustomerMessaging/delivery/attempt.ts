import { createHash } from 'node:crypto';

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

/** Groups deliveries by chunk, and keeps their order. */
export function chunksOf<D extends Pick<Delivery, 'itemIndex' | 'platform'>>(
	deliveries: readonly D[],
	keyOf: (delivery: Pick<Delivery, 'itemIndex' | 'platform'>) => string,
): Array<Chunk & { deliveries: D[] }> {
	const chunks = new Map<string, D[]>();
	for (const delivery of deliveries) {
		const name = chunkOf(delivery.itemIndex);
		const chunk = chunks.get(name);
		if (chunk) chunk.push(delivery);
		else chunks.set(name, [delivery]);
	}
	return [...chunks].map(([name, ofChunk]) => ({
		name,
		keys: ofChunk.map((one) => keyOf(one)),
		deliveries: ofChunk,
	}));
}

/** Identifies an attempt of an execution. */
export interface Attempt {
	history: History;
	execution: string;
	runIndex: number;
	/** For example `push.send`. */
	operation: string;
	itemCount: number;
}

/** The shared ledger, or the reason why the attempt must not send anything. */
export interface OpenedLedger {
	ledger?: SharedLedger;
	problem?: Problem;
}

/** Opens the shared ledger of a run whose hash of rows n8n stored with an earlier attempt. */
export function reopenSharedLedger(
	store: ProcessedStore,
	attempt: Attempt,
	rows: string,
): SharedLedger {
	return new SharedLedger(store, `${scopeOf(attempt)} ${rows}`, 4 * attempt.itemCount, false);
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
	const { history, execution, runIndex, itemCount } = attempt;
	const scope = scopeOf(attempt);
	// Two keys per chunk, and in the worst case two more per row.
	const maxEntries = 4 * itemCount;
	const open = (ownScope: string, isFirst: boolean) => ({
		ledger: new SharedLedger(store, ownScope, maxEntries, isFirst),
	});
	const marks = {
		begun: `${scope} begun`,
		begunWithRows: `${scope} ${rows} begun`,
		execution: `execution ${execution} ${runIndex} begun`,
	};
	const existing = await store.add(Object.values(marks), Math.max(2_000, maxEntries));
	if (!history.isRetry) {
		// In queue mode, n8n 1 restarts an execution from its trigger if its worker was killed.
		if (existing.has(marks.execution)) return { problem: runAgain };
		// Two executions began in the same millisecond with the same rows. Each of them sends its rows.
		const isAmbiguous = existing.has(marks.begunWithRows);
		return open(`${scope} ${rows}${isAmbiguous ? ` of ${execution}` : ''}`, true);
	}
	if (existing.has(marks.begun) && !existing.has(marks.begunWithRows)) {
		await store.remove([marks.begunWithRows]);
		return { problem: otherRows };
	}
	return open(`${scope} ${rows}`, !existing.has(marks.begun));
}

const runAgain: Problem = {
	field: 'execution',
	message:
		'n8n runs this execution a second time from the start, because it was interrupted the first time while it was sending. Check in the account what was sent, then start the workflow from its trigger with the rows that are missing',
};

const otherRows: Problem = {
	field: 'execution',
	message:
		'Another attempt of this execution has sent messages, but with other rows than this one, so the node cannot tell who was reached. Retry the newest attempt instead, or check in the account what was sent and start the workflow from its trigger with the rows that are missing',
};

/** Hashes deliveries, so that an attempt can tell whether another attempt had the same rows. */
export function hashOf(deliveries: readonly Delivery[]): string {
	const hash = createHash('sha256');
	for (const { itemIndex, path, body, envelope, schedule } of deliveries) {
		hash.update(JSON.stringify([itemIndex, path, body, envelope, schedule], shortened));
	}
	return hash.digest('base64');
}

/** The content of an email may be long. Its beginning and length are enough to identify it. */
function shortened(_key: string, value: unknown): unknown {
	return typeof value === 'string' && value.length > 200
		? `${value.slice(0, 200)} ${value.length}`
		: value;
}
