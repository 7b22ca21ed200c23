import { ApplicationError } from 'n8n-workflow';

import type { N8nStore } from '../n8n/store';
import type { Clock } from '../shared/clock';
import { WorkflowLock } from './lock';

/** The maximum number of entries that one node stores. An entry takes about 27 bytes. */
export const MAX_ENTRIES = 100_000;
/** How often a call is made that may be made again after any error. */
export const MAX_TRIES = 3;
/** With SQLite's own waiting, about half a minute: long enough for a backup of n8n's database. */
const BUSY = { tries: 15, pauseMs: 1_000 };

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

interface Surroundings {
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
		const row = {
			add: async (names: string[]) =>
				(await calls.checkProcessedAndRecord(names, 'workflow', lockMode)).new.map(String),
			count: async () => await this.probe(),
			clear: async () => await calls.clearAllProcessedItems('workflow', lockMode),
		};
		this.isLocked = mayLock;
		this.lock = new WorkflowLock(row, around.clock, around.random);
	}

	/** Identifies the list in this process. */
	get name(): string {
		return this.n8n.node;
	}

	/** The smallest call that shows whether n8n's store can be read. Returns how many names the lock holds. */
	async probe(): Promise<number> {
		return await this.n8n.calls.getProcessedDataCount('workflow', entriesMode);
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
		try {
			return await work(this.makeList());
		} finally {
			// If it fails, another process will take the lock over.
			if (this.isLocked) await this.lock.release().catch(() => undefined);
		}
	}

	private makeList(): EntryList {
		const { calls } = this.n8n;
		const run = async <T>(call: () => Promise<T>) =>
			await this.repeat(async () => {
				await this.assertHeld();
				const result = await call();
				await this.assertHeld();
				return result;
			}, wroteNothing);
		return {
			add: async (entries, maxEntries) => {
				const options = { ...entriesMode, maxEntries };
				const add = async () => await calls.checkProcessedAndRecord(entries, 'node', options);
				return new Set((await run(add)).processed.map(String));
			},
			remove: async (entries) => {
				const remove = async () => await calls.removeProcessed(entries, 'node', entriesMode);
				const again = { tries: MAX_TRIES - 1, pauseMs: 0 };
				if (entries.length > 0)
					await this.repeat(
						async () => await run(remove),
						() => true,
						again,
					);
			},
			count: async () =>
				await run(async () => await calls.getProcessedDataCount('node', entriesMode)),
		};
	}

	private async assertHeld(): Promise<void> {
		if (!this.isLocked || (await this.lock.isHeld())) return;
		throw new ApplicationError(
			"n8n's database was too slow, so another process went on with what was sent before",
		);
	}

	/** Calls again after some errors. */
	private async repeat<T>(
		call: () => Promise<T>,
		isRepeated: (error: unknown) => boolean,
		{ tries, pauseMs } = BUSY,
	): Promise<T> {
		const result = call();
		const isToRepeat = await result.then(
			() => false,
			(error: unknown) => tries > 0 && isRepeated(error) && !this.around.cancelled(),
		);
		if (!isToRepeat) return await result;
		await this.around.clock.sleep(pauseMs);
		return await this.repeat(call, isRepeated, { tries: tries - 1, pauseMs });
	}
}

/** Whether the database refused to write, because it was busy, or had the row that n8n wanted to insert. */
function wroteNothing(error: unknown): boolean {
	return /SQLITE_BUSY|database is locked|UNIQUE constraint|duplicate key/i.test(String(error));
}

/** n8n-core asserts that n8n has given it a store. Without n8n, it has none. */
export function isMissingStore(error: unknown): boolean {
	return (error as { code?: unknown } | undefined)?.code === 'ERR_ASSERTION';
}

const entriesMode = { mode: 'entries' as const };

/**
 * n8n knows no such mode. It stores it with the row, and refuses each call that names another one. So the
 * lock never changes a row of another node, and no other node adds to the lock.
 */
const lockMode = { mode: 'lock' as 'entries' };
