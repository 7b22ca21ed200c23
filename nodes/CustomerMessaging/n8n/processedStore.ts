import type { IExecuteFunctions } from 'n8n-workflow';

/** A set of keys that outlives executions, restarts and workers. */
export interface ProcessedStore {
	/**
	 * Adds the keys and says which of them had been there before. All of them are written at once.
	 *
	 * @param maxEntries how many keys are kept; the oldest are dropped
	 */
	add(keys: string[], maxEntries: number): Promise<Set<string>>;
	remove(keys: string[]): Promise<void>;
}

/** Calls to n8n's store wait for each other: it reads and writes one database row as a whole. */
let turn: Promise<unknown> = Promise.resolve();

async function inTurn<T>(call: () => Promise<T>): Promise<T> {
	// Two processes may add the row at the same time, and the database then refuses one of them.
	const callTwice = async () => await call().catch(call);
	const result = turn.then(callTwice, callTwice);
	turn = result;
	return await result;
}

const options = { mode: 'entries' as const };

/** n8n's store, or why there is none. */
export type StoreAccess =
	| { store: ProcessedStore }
	/** n8n-core runs without n8n, and so without a store. */
	| { missing: true }
	/** n8n cannot read it: what n8n says. */
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
		return isMissingStore(error) ? { missing: true } : { failure: messageOf(error) };
	}
}

/** n8n-core asserts that n8n has given it a store. */
export function isMissingStore(error: unknown): boolean {
	return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_ASSERTION';
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function storeOf(helpers: IExecuteFunctions['helpers']): ProcessedStore {
	return {
		add: async (keys, maxEntries) =>
			await inTurn(async () => {
				const limited = { ...options, maxEntries };
				const { processed } = await helpers.checkProcessedAndRecord(keys, 'node', limited);
				return new Set(processed.map(String));
			}),
		remove: async (keys) => {
			if (keys.length === 0) return;
			await inTurn(async () => await helpers.removeProcessed(keys, 'node', options));
		},
	};
}
