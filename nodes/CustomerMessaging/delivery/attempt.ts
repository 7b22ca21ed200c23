import { createHash } from 'node:crypto';

import type { ProcessedStore } from '../n8n/processedStore';
import type { Delivery } from '../shared/delivery';
import type { Problem } from '../shared/problem';
import type { History } from '../run/history';
import { type Chunk, MIN_ENTRIES_KEPT, SharedLedger } from './sharedLedger';

/** So many items of a run are in small chunks. */
const SMALL_CHUNKS = { items: 100, size: 10 };
const LARGE_CHUNK = 50;

/**
 * The chunk of an item. Boundaries are the same in every attempt. Small runs have small chunks, as
 * all of a chunk is in doubt after a crash.
 */
export function chunkOf(itemIndex: number): string {
	const { items, size } = SMALL_CHUNKS;
	return itemIndex < items
		? `chunk ${Math.floor(itemIndex / size)}`
		: `chunk ${items / size + Math.floor((itemIndex - items) / LARGE_CHUNK)}`;
}

/** Deliveries by chunk, in their order. */
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
	return [...chunks].map(([name, ofChunk]) => ({ name, keys: ofChunk.map((one) => keyOf(one)), deliveries: ofChunk }));
}

/** What tells one attempt of an execution from another. */
export interface Attempt {
	history: History;
	execution: string;
	runIndex: number;
	/** Such as `push.send`. */
	operation: string;
	itemCount: number;
	/** Index of the first item that is sent. */
	firstItem: number;
}

/** The shared ledger, or why the attempt must not send anything. */
export interface OpenedLedger {
	ledger?: SharedLedger;
	problem?: Problem;
	/** Whether n8n runs the execution again from the start after it was interrupted. */
	isInterrupted?: boolean;
}

/** The shared ledger of a run whose rows n8n stored with an earlier attempt. */
export function reopenSharedLedger(store: ProcessedStore, attempt: Attempt, rows: string): SharedLedger {
	return new SharedLedger(store, `${scopeOf(attempt)} ${rows}`, 4 * attempt.itemCount, false);
}

function scopeOf({ history, runIndex, operation }: Attempt): string {
	return `sent ${history.establishedAtMs} ${runIndex} ${operation}`;
}

/**
 * Opens the shared ledger of a run that reads its rows for the first time, or says why it must not
 * send anything.
 *
 * @param rows a hash of the rows: an attempt whose memory n8n did not store may have read them before
 */
export async function openSharedLedger(
	store: ProcessedStore,
	attempt: Attempt,
	rows: string,
): Promise<OpenedLedger> {
	const { history, execution, runIndex, itemCount, firstItem } = attempt;
	const scope = scopeOf(attempt);
	const marks = {
		begun: `${scope} begun`,
		begunWithRows: `${scope} ${rows} begun`,
		execution: `execution ${execution} ${runIndex} begun`,
	};
	const firstChunk = chunkOf(firstItem);
	const open = (ownScope: string, isFirst: boolean) =>
		new SharedLedger(store, ownScope, 4 * itemCount, isFirst);
	if (history.isRetry) {
		const known = await store.add(
			[marks.begun, marks.begunWithRows],
			Math.max(MIN_ENTRIES_KEPT, 4 * itemCount),
		);
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
	return { ledger: known.has(marks.begunWithRows) ? open(`${scope} ${rows} of ${execution}`, true) : ledger };
}

const runAgain: Problem = {
	field: 'execution',
	message:
		'n8n runs this execution a second time from the start, because the first time it was interrupted while it sent. Check in the account for what was sent, then start the workflow from its trigger with the rows that are missing',
};

const otherRows: Problem = {
	field: 'execution',
	message:
		'Another attempt of this execution has sent messages, and its rows were not the same as now, so who was reached cannot be told. Retry the newest attempt instead, or check in the account for what was sent and start the workflow from its trigger with the rows that are missing',
};

/** A hash by which an attempt tells whether its rows are those of another one. */
export function hashOf(deliveries: readonly Delivery[]): string {
	const hash = createHash('sha256');
	for (const { itemIndex, path, body, envelope, schedule } of deliveries) {
		hash.update(JSON.stringify([itemIndex, path, body, envelope, schedule], shortened));
	}
	return hash.digest('base64');
}

/** The content of an email may be long; its beginning and its length tell it from others. */
function shortened(_key: string, value: unknown): unknown {
	return typeof value === 'string' && value.length > 200 ? `${value.slice(0, 200)} ${value.length}` : value;
}
