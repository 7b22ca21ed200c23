import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/formatting';

/** A set of keys that outlives executions, restarts and workers. */
export interface ProcessedStore {
	/**
	 * Adds the keys in one write.
	 *
	 * @param maxEntries the maximum number of keys to store; the oldest are dropped
	 * @returns the keys that the store already contained
	 */
	add(keys: string[], maxEntries: number): Promise<Set<string>>;
	remove(keys: string[]): Promise<void>;
}

/** Calls to n8n's store run one after another, because each reads and writes the whole database row. */
let lastCall: Promise<unknown> = Promise.resolve();

async function oneAtATime<T>(call: () => Promise<T>): Promise<T> {
	// If two processes add the row at the same time, the database refuses one of them.
	const callTwice = async () => await call().catch(call);
	const result = lastCall.then(callTwice, callTwice);
	lastCall = result;
	return await result;
}

const options = { mode: 'entries' as const };

/** n8n's store, or why it is unavailable. */
export type StoreAccess =
	| { store: ProcessedStore }
	/** n8n-core runs without n8n, and therefore without a store. */
	| { missing: true }
	/** n8n cannot read it; the text is n8n's message. */
	| { failure: string };

/**
 * n8n's own store of what was processed: one database row per workflow and node, which holds hashes
 * of the keys.
 *
 * @param isProbed whether to find out now that it can be read, at the cost of one more call
 */
export async function openProcessedStore(
	{ helpers }: IExecuteFunctions,
	{ isProbed }: { isProbed: boolean },
): Promise<StoreAccess> {
	try {
		if (isProbed) await helpers.getProcessedDataCount('node', options);
		return { store: storeOf(helpers) };
	} catch (error) {
		return isMissingStore(error) ? { missing: true } : { failure: errorMessage(error) };
	}
}

/** n8n-core asserts that n8n has given it a store. */
export function isMissingStore(error: unknown): boolean {
	return (
		typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_ASSERTION'
	);
}

function storeOf(helpers: IExecuteFunctions['helpers']): ProcessedStore {
	return {
		add: async (keys, maxEntries) =>
			await oneAtATime(async () => {
				const limited = { ...options, maxEntries };
				const { processed } = await helpers.checkProcessedAndRecord(keys, 'node', limited);
				return new Set(processed.map(String));
			}),
		remove: async (keys) => {
			if (keys.length === 0) return;
			await oneAtATime(async () => await helpers.removeProcessed(keys, 'node', options));
		},
	};
}
