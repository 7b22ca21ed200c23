import { ApplicationError } from 'n8n-workflow';

import type { N8nStore } from '../n8n/store';
import type { Clock } from '../shared/clock';
import { WorkflowLock } from './lock';

/** The maximum number of entries that one node stores. An entry takes about 27 bytes. */
export const MAX_ENTRIES = 100_000;

/** With SQLite's own waiting, about half a minute: long enough for a backup of n8n's database. */
const MAX_PAUSES = 15;
const PAUSE_MS = 1_000;
/** How often a call is made that may be made again after any error. */
export const MAX_TRIES = 3;

/** The entries of one node. Only one run at a time may read and write them. */
export interface EntryList {
	/**
	 * Adds entries, which must differ. Beyond `keep`, the oldest entries of the list are dropped.
	 *
	 * @returns those that were there before
	 * @throws what n8n throws; the entries may have been added nevertheless
	 */
	add(entries: string[], keep: number): Promise<Set<string>>;
	/** Tries several times: removing an entry again changes nothing while nobody else writes. */
	remove(entries: string[]): Promise<void>;
	count(): Promise<number>;
}

export interface Surroundings {
	clock: Clock;
	/** 0 to 1. */
	random: () => number;
	/** Whether the execution was stopped. Then nothing is worth waiting for. */
	cancelled: () => boolean;
	/** Calls that wait for their turn in this process, by workflow. */
	turns: Map<string, Promise<unknown>>;
}

/** n8n's list of entries for one node. It outlives executions, restarts and workers. */
export class EntryStore {
	/** Whether other processes are kept out too. Known after the first call of `exclusively`. */
	isLocked: boolean;
	private readonly lock: WorkflowLock;

	constructor(
		private readonly n8n: N8nStore,
		private readonly around: Surroundings,
	) {
		const { calls, mayLock } = n8n;
		this.isLocked = mayLock;
		this.lock = new WorkflowLock(
			{
				add: async (names) => {
					const call = async () =>
						await calls.checkProcessedAndRecord(names, 'workflow', lockMode);
					return (await this.patiently(call, isBusy)).new.map(String);
				},
				count: async () => await this.probe(),
				clear: async () => await calls.clearAllProcessedItems('workflow', lockMode),
			},
			around.clock,
			around.random,
		);
	}

	/** Identifies the list in this process. */
	get name(): string {
		return this.n8n.node;
	}

	/** The smallest call that shows whether n8n's store can be read. Returns how many names the lock holds. */
	async probe(): Promise<number> {
		const { calls } = this.n8n;
		return await this.patiently(
			async () => await calls.getProcessedDataCount('workflow', entriesMode),
		);
	}

	/**
	 * Runs `work` while no other run reads or writes the list.
	 *
	 * @throws what n8n throws, or that another process took over the lock because `work` took too long
	 */
	async exclusively<T>(work: (list: EntryList) => Promise<T>): Promise<T> {
		const { turns } = this.around;
		const { workflow } = this.n8n;
		const inTurn = async () => await this.locked(work);
		const result = (turns.get(workflow) ?? Promise.resolve()).then(inTurn, inTurn);
		turns.set(workflow, result);
		try {
			return await result;
		} finally {
			if (turns.get(workflow) === result) turns.delete(workflow);
		}
	}

	private async locked<T>(work: (list: EntryList) => Promise<T>): Promise<T> {
		if (this.isLocked) this.isLocked = await this.lock.acquire();
		if (!this.isLocked) return await work(this.makeList(async () => undefined));
		try {
			return await work(this.makeList(async () => await this.assertHeld()));
		} finally {
			// If it fails, another process will take the lock over.
			await this.lock.release().catch(() => undefined);
		}
	}

	private makeList(assertHeld: () => Promise<void>): EntryList {
		const { calls } = this.n8n;
		const run = async <T>(call: () => Promise<T>) =>
			await this.patiently(async () => {
				await assertHeld();
				const result = await call();
				await assertHeld();
				return result;
			});
		return {
			add: async (entries, keep) =>
				await run(async () => {
					const limited = { ...entriesMode, maxEntries: keep };
					const { processed } = await calls.checkProcessedAndRecord(entries, 'node', limited);
					return new Set(processed.map(String));
				}),
			remove: async (entries) => {
				if (entries.length === 0) return;
				await withTries(
					async () => await run(async () => await calls.removeProcessed(entries, 'node', entriesMode)),
				);
			},
			count: async () =>
				await run(async () => await calls.getProcessedDataCount('node', entriesMode)),
		};
	}

	private async assertHeld(): Promise<void> {
		if (await this.lock.isHeld()) return;
		throw new ApplicationError(
			"n8n's database was too slow, so another process went on with what was sent before",
		);
	}

	/** Calls again after errors that say that nothing was written. */
	private async patiently<T>(call: () => Promise<T>, isRepeated = wroteNothing): Promise<T> {
		const { clock, cancelled } = this.around;
		for (let pauses = 0; ; pauses++) {
			try {
				return await call();
			} catch (error) {
				if (!isRepeated(error) || cancelled() || pauses === MAX_PAUSES) throw error;
			}
			await clock.sleep(PAUSE_MS);
		}
	}
}

/** Makes a call that may be made again after any error. */
export async function withTries<T>(call: () => Promise<T>): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			return await call();
		} catch (error) {
			if (tries === MAX_TRIES) throw error;
		}
	}
}

/** Whether another process held n8n's database. */
function isBusy(error: unknown): boolean {
	return /SQLITE_BUSY|database is locked/i.test(String(error));
}

/** Whether the database refused to write, because it was busy, or had the row that n8n wanted to insert. */
function wroteNothing(error: unknown): boolean {
	return isBusy(error) || /UNIQUE constraint|duplicate key/i.test(String(error));
}

/** n8n-core asserts that n8n has given it a store. Without n8n, it has none. */
export function isMissingStore(error: unknown): boolean {
	return (
		typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_ASSERTION'
	);
}

const entriesMode = { mode: 'entries' as const };

/**
 * n8n knows no such mode. It stores it with the row, and refuses each call that names another one. So the
 * lock never changes a row of another node, and no other node adds to the lock.
 */
const lockMode = { mode: 'lock' as 'entries' };
