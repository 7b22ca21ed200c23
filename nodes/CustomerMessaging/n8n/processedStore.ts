import type { IExecuteFunctions } from 'n8n-workflow';

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
 * Opens n8n's own store of processed items: one database row per workflow and node, which contains
 * hashes of the keys.
 */
export async function openProcessedStore({ helpers }: IExecuteFunctions): Promise<StoreAccess> {
	try {
		await helpers.getProcessedDataCount('node', options);
		return { store: storeOf(helpers) };
	} catch (error) {
		return isAssertion(error) ? { missing: true } : { failure: messageOf(error) };
	}
}

/** n8n-core throws an assertion error if n8n has not provided a store. */
function isAssertion(error: unknown): boolean {
	return (
		typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_ASSERTION'
	);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
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
