import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/formatting';
import { callPatiently, type Waiting } from './busyDatabase';
import { OtherProcesses } from './otherProcesses';

/** A set of keys that outlives executions, restarts and workers. */
export interface ProcessedStore {
	/** Identifies the workflow and node that the store belongs to. */
	readonly name: string;
	/**
	 * Adds the keys in one write.
	 *
	 * @param maxEntries the maximum number of keys to store; the oldest are dropped. If the store
	 * contained more before the run, Send Once needs them, and up to `MAX_ENTRIES` are kept.
	 * @returns the keys that the store already contained
	 */
	add(keys: string[], maxEntries: number): Promise<Set<string>>;
	remove(keys: string[]): Promise<void>;
	/**
	 * Lets other processes finish the calls that they have begun, and adds again which of the keys they have
	 * overwritten. Use it where a lost key would do harm and others may be writing.
	 */
	confirm(keys: string[], maxEntries: number): Promise<void>;
	readonly others: OtherProcesses;
}

const others = new OtherProcesses();

/** How often keys that other processes overwrite are added again. */
const MAX_CONFIRMATIONS = 20;

/** Calls to n8n's store run one after another, because each reads and writes the whole database row. */
let lastCall: Promise<unknown> = Promise.resolve();

async function oneAtATime<T>(waiting: Waiting, call: () => Promise<T>): Promise<T> {
	const timed = async () => {
		const beganMs = waiting.now();
		const result = await call();
		others.took(waiting.now() - beganMs);
		return result;
	};
	const patiently = async () => await callPatiently(timed, waiting);
	const result = lastCall.then(patiently, patiently);
	lastCall = result;
	return await result;
}

/** The maximum number of keys that one node stores. A key takes about 27 bytes. */
export const MAX_ENTRIES = 100_000;

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
 */
export async function openProcessedStore(
	context: IExecuteFunctions,
	waiting: Waiting,
): Promise<StoreAccess> {
	try {
		const stored = await context.helpers.getProcessedDataCount('node', options);
		return { store: storeOf(context, waiting, stored) };
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

function storeOf(context: IExecuteFunctions, waiting: Waiting, stored: number): ProcessedStore {
	const { helpers } = context;
	const add = async (keys: string[], maxEntries: number) =>
		await oneAtATime(waiting, async () => {
			const limit = stored > maxEntries ? MAX_ENTRIES : maxEntries;
			const limited = { ...options, maxEntries: limit };
			const { processed } = await helpers.checkProcessedAndRecord(keys, 'node', limited);
			return new Set(processed.map(String));
		});
	return {
		name: `${context.getWorkflow().id} ${context.getNode().id}`,
		others,
		add,
		async confirm(keys, maxEntries) {
			// A run that was stopped sends nothing more.
			for (let attempt = 0; attempt < MAX_CONFIRMATIONS && !waiting.cancelled(); attempt++) {
				await waiting.sleep(others.pauseMs);
				const found = await add(keys, maxEntries);
				if (keys.every((key) => found.has(key))) return;
				others.areNoticed = true;
			}
		},
		remove: async (keys) => {
			if (keys.length === 0) return;
			await oneAtATime(waiting, async () => await helpers.removeProcessed(keys, 'node', options));
		},
	};
}
