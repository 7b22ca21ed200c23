import { ApplicationError, type IExecuteFunctions } from 'n8n-workflow';

import { callPatiently, callWhileBusy, type Waiting } from './busyDatabase';
import { type SharedRow, WorkflowLock } from './workflowLock';

/** The maximum number of entries that one node stores. An entry takes about 27 bytes. */
export const MAX_ENTRIES = 100_000;

/** n8n's calls, each of which reads a database row and writes it back whole. */
export type StoreCalls = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed' | 'clearAllProcessedItems' | 'getProcessedDataCount'
>;

/** A set of entries that outlives executions, restarts and workers. */
export interface EntryList {
	/** Adds entries, which must differ. Returns those that were there before. */
	add(entries: string[]): Promise<Set<string>>;
	remove(entries: string[]): Promise<void>;
}

export interface EntryStoreOptions {
	/** Identifies the workflow. */
	workflow: string;
	/** Identifies the node in its workflow. */
	node: string;
	waiting: Waiting;
	/** 0 to 1. */
	random: () => number;
	/** Calls that wait for their turn in this process, by workflow. */
	turns: Map<string, Promise<unknown>>;
	/** Whether no other node may use the row of the workflow. */
	mayLock: boolean;
	/** How many entries the list held when it was opened. */
	stored: number;
}

/** n8n's list of entries for one node, which one run at a time may read and write. */
export class EntryStore {
	/** Whether other processes are kept out too. Known after the first call of `exclusively`. */
	isLocked: boolean;
	/** How many entries the list keeps. It drops the oldest. Entries of Send Once count for longer. */
	maxEntries = MAX_ENTRIES;
	private readonly lock: WorkflowLock;

	constructor(
		private readonly calls: StoreCalls,
		private readonly options: EntryStoreOptions,
	) {
		const { waiting, random } = options;
		const row: SharedRow = {
			add: async (names) =>
				await callWhileBusy(async () => {
					const found = await calls.checkProcessedAndRecord(names, 'workflow', lockMode);
					return found.new.map(String);
				}, waiting),
			count: async () =>
				await this.patiently(
					async () => await calls.getProcessedDataCount('workflow', entriesMode),
				),
			clear: async () =>
				await this.patiently(async () => await calls.clearAllProcessedItems('workflow', lockMode)),
		};
		this.lock = new WorkflowLock(row, { now: waiting.now, sleep: waiting.sleep }, random);
		this.isLocked = options.mayLock;
	}

	/** Identifies the list in this process. */
	get name(): string {
		return `${this.options.workflow} ${this.options.node}`;
	}

	/**
	 * Runs `work` while no other run reads or writes the list.
	 *
	 * @throws what n8n throws, or that another process took over the lock because `work` took too long
	 */
	async exclusively<T>(work: (list: EntryList) => Promise<T>): Promise<T> {
		const { turns, workflow } = this.options;
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
		if (!this.isLocked) return await work(this.listFor(async (call) => await call()));
		try {
			return await work(
				this.listFor(async (call) => {
					await this.assertHeld();
					const result = await call();
					await this.assertHeld();
					return result;
				}),
			);
		} finally {
			await this.lock.release();
		}
	}

	private listFor(guarded: <T>(call: () => Promise<T>) => Promise<T>): EntryList {
		const {
			calls,
			maxEntries,
			options: { stored },
		} = this;
		const limit = stored > maxEntries ? MAX_ENTRIES : maxEntries;
		const run = async <T>(call: () => Promise<T>) =>
			await this.patiently(async () => await guarded(call));
		return {
			add: async (entries) =>
				await run(async () => {
					const limited = { ...entriesMode, maxEntries: limit };
					const { processed } = await calls.checkProcessedAndRecord(entries, 'node', limited);
					return new Set(processed.map(String));
				}),
			remove: async (entries) => {
				if (entries.length === 0) return;
				await run(async () => await calls.removeProcessed(entries, 'node', entriesMode));
			},
		};
	}

	private async assertHeld(): Promise<void> {
		if (await this.lock.isHeld()) return;
		throw new ApplicationError(
			"n8n's database was too slow, so another process went on with what was sent before",
		);
	}

	private async patiently<T>(call: () => Promise<T>): Promise<T> {
		return await callPatiently(call, this.options.waiting);
	}
}

const entriesMode = { mode: 'entries' as const };

/**
 * n8n knows no such mode. It stores it with the row, and refuses each call that names another one. So the
 * lock never changes a row of another node, and no other node adds to the lock.
 */
const lockMode = { mode: 'lock' as 'entries' };
