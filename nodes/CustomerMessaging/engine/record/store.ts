import { MINUTE_MS } from '../../shared/slices';
import type { Environment } from '../interfaces';
import { entriesMode, rethrow, type StoreCalls, WorkflowLock } from './lock';

/** n8n's store of processed items: one database row for the node, and one for the workflow. */
export interface NodeStore {
	calls: StoreCalls;
	/** These identify the two rows in this process. */
	workflow: string;
	node: string;
	/** The row of the workflow is free to be a lock. */
	mayLock: boolean;
}

/** The maximum number of entries that one node stores. An entry takes about 27 bytes. */
export const MAX_ENTRIES = 100_000;

/** The longest wait for a failing store, and for an answer. */
const MAX_FAILING_MS = 30_000;
const PAUSE_MS = { least: 100, most: 5_000 };
/** A call that was not answered may still write, and then replaces the whole list. */
const SILENT_MS = 10 * MINUTE_MS;
const LOOKS_FOR_ANSWER_AFTER_MS = 1_000;
/** Work is tried so often if another process may have gone on. */
const MAX_TRIES = 2;

/** Knowledge of a workflow's rows that the runs of a process share. */
interface WorkflowState {
	/** The last of the calls that run one after another. */
	last?: Promise<unknown>;
	/** When a run last gave up waiting for it. Others do not wait as long again. */
	gaveUpMs?: number;
	/** A call was not answered. Until then, no other call is made, unless it is answered earlier. */
	silentUntilMs?: number;
	/** Ends when it is time to look for answers again. One sleep serves all calls, because n8n's cannot be ended. */
	lookForAnswer?: Promise<void>;
}

const workflows = new Map<string, WorkflowState>();

/** Trying again does not help. */
class FinalError extends Error {}
class LostLock extends FinalError {}

/** The entries of a node, to be used only while no other run reads or writes them. */
export type EntryList = Pick<EntryStore, 'add' | 'remove' | 'count'>;

/** n8n's list of entries for one node. It outlives executions, restarts and workers. */
export class EntryStore {
	private mayLock: boolean;
	private readonly state: WorkflowState;
	private readonly lock: WorkflowLock;
	private readonly calls: StoreCalls;

	/** @param maxWaitMs the longest wait for a failing store */
	constructor(
		{ calls, workflow, mayLock }: NodeStore,
		private readonly environment: Pick<Environment, 'clock' | 'random' | 'cancelled'>,
		private readonly maxWaitMs: number,
	) {
		this.mayLock = mayLock;
		this.state = workflows.get(workflow) ?? {};
		workflows.set(workflow, this.state);
		const awaited =
			<A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
			async (...args: A) =>
				await this.answered(async () => await call(...args));
		this.calls = {
			checkProcessedAndRecord: awaited(calls.checkProcessedAndRecord),
			removeProcessed: awaited(calls.removeProcessed),
			getProcessedDataCount: awaited(calls.getProcessedDataCount),
			clearAllProcessedItems: awaited(calls.clearAllProcessedItems),
		};
		const { clock, random } = environment;
		this.lock = new WorkflowLock(this.calls, clock, random, this.afterFailure);
	}

	/** Other processes are kept out too. Known after the first call of `exclusively`. */
	get isLocked(): boolean {
		return this.mayLock;
	}

	/** Makes the smallest call that shows whether n8n's store can be read. */
	async assertReadable(): Promise<void> {
		const call = async () => await this.calls.getProcessedDataCount('workflow', entriesMode);
		await this.patiently(call);
	}

	/** Runs `work` while no other run uses the list, and once more if another process may have gone on meanwhile. */
	async exclusively<T>(work: (list: EntryList) => Promise<T>): Promise<T> {
		const { state } = this;
		const afterLast = async () => {
			for (let tries = 1; ; tries++) {
				if (this.mayLock) this.mayLock = await this.lock.acquire();
				try {
					return await work(this);
				} catch (error) {
					if (!(error instanceof LostLock) || tries === MAX_TRIES || this.environment.cancelled())
						rethrow(error);
				} finally {
					// If it fails, another process will take the lock over.
					if (this.isLocked) await this.lock.release().catch(() => undefined);
				}
			}
		};
		const result = (state.last ?? Promise.resolve()).then(afterLast, afterLast);
		state.last = result;
		try {
			return await result;
		} finally {
			if (state.last === result) delete state.last;
		}
	}

	/**
	 * Adds entries, which must differ, to a list of `size`. Beyond `maxEntries`, the oldest ones are dropped.
	 *
	 * @param read called with the entries that were there before, which are returned, also if the lock was lost meanwhile
	 */
	async add(
		entries: readonly string[],
		size: number,
		maxEntries: number,
		read: (stored: ReadonlySet<string>) => void = () => undefined,
	): Promise<ReadonlySet<string>> {
		// If the list did not change its length, nobody could tell whether a call that failed had been made.
		const options = {
			...entriesMode,
			maxEntries: maxEntries === size ? size - 1 : maxEntries,
		};
		for (let sinceMs: number | undefined; ;) {
			try {
				return await this.whileHeld(async () => {
					const called = this.calls.checkProcessedAndRecord([...entries], 'node', options);
					const stored = new Set((await called).processed.map(String));
					delete this.state.gaveUpMs;
					read(stored);
					return stored;
				});
			} catch (error) {
				sinceMs = await this.afterFailure(error, sinceMs);
				const grownBy = (await this.count()) - size;
				if (grownBy === entries.length) return new Set();
				// Otherwise, entries that were there before can no longer be told from those that were added.
				if (grownBy !== 0) rethrow(error);
			}
		}
	}

	/** Removing an entry again changes nothing while nobody else writes. */
	async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		const call = async () => await this.calls.removeProcessed(entries, 'node', entriesMode);
		await this.patiently(async () => await this.whileHeld(call));
	}

	async count(): Promise<number> {
		const call = async () => await this.calls.getProcessedDataCount('node', entriesMode);
		return await this.patiently(async () => await this.whileHeld(call));
	}

	private async patiently<T>(call: () => Promise<T>): Promise<T> {
		for (let sinceMs: number | undefined; ;) {
			try {
				return await call();
			} catch (error) {
				sinceMs = await this.afterFailure(error, sinceMs);
			}
		}
	}

	/** Waits longer and longer. Throws if trying again does not help, or the call has failed for too long. */
	private readonly afterFailure = async (error: unknown, firstMs?: number): Promise<number> => {
		const { state, maxWaitMs } = this;
		const { clock, cancelled } = this.environment;
		const nowMs = clock.now();
		const sinceMs = firstMs ?? nowMs;
		const failingMs = nowMs - sinceMs;
		const isTooLong =
			failingMs >= Math.min(MAX_FAILING_MS, maxWaitMs) ||
			nowMs - (state.gaveUpMs ?? -Infinity) < MAX_FAILING_MS;
		if (isTooLong) state.gaveUpMs = nowMs;
		if (error instanceof FinalError || isMissing(error) || isTooLong || cancelled()) throw error;
		await clock.sleep(Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, failingMs / 2)));
		return sinceMs;
	};

	private async whileHeld<T>(call: () => Promise<T>): Promise<T> {
		await this.assertHeld();
		const result = await call();
		await this.assertHeld();
		return result;
	}

	private async assertHeld(): Promise<void> {
		if (!this.isLocked || (await this.lock.isHeld())) return;
		throw new LostLock(
			"n8n's database was too slow, so another process went on with what was sent before",
		);
	}

	/** Waits for the answer of a call, but not for ever. */
	private async answered<T>(call: () => Promise<T>): Promise<T> {
		const { state } = this;
		const { clock } = this.environment;
		const calledMs = clock.now();
		if (calledMs < (state.silentUntilMs ?? 0))
			throw new FinalError("n8n's database has not answered an earlier call");
		let isOver = false;
		const calling = call().finally(() => (isOver = true));
		for (;;) {
			state.lookForAnswer ??= clock
				.sleep(LOOKS_FOR_ANSWER_AFTER_MS)
				.finally(() => delete state.lookForAnswer);
			await Promise.race([calling.catch(() => undefined), state.lookForAnswer]);
			if (isOver) break;
			const nowMs = clock.now();
			if (nowMs - calledMs < MAX_FAILING_MS) continue;
			state.silentUntilMs = nowMs + SILENT_MS;
			void calling.catch(() => undefined).then(() => delete state.silentUntilMs);
			throw new FinalError(`n8n's database has not answered for ${MAX_FAILING_MS / 1_000} s`);
		}
		return await calling;
	}
}

/** n8n-core asserts that n8n has given it a store. Without n8n, it has none. */
export function isMissing(error: unknown): boolean {
	return (error as { code?: unknown } | undefined)?.code === 'ERR_ASSERTION';
}
