import { ApplicationError } from 'n8n-workflow';

import type { Clock } from '../shared/apis';
import type { N8n, N8nStore, StoreCalls } from '../n8n/context';

/** How long a process waits before it looks at the lock of another one again: at first, and later. */
const LOOK_AFTER_MS = { least: 5, most: 15 };
const LATER_LOOK_AFTER_MS = { least: 50, most: 150 };
const FIRST_LOOKS = 200;
/** A lock that is held at so many looks was left behind by a killed process. Random, so that waiting processes differ. */
const LOOKS_UNTIL_LEFT_BEHIND = { least: FIRST_LOOKS + 60, most: FIRST_LOOKS + 100 };
const TAKING_OVER_MS = 3_000;
/** For so long after it was seen, the lock is certainly ours: less than it takes to take it over. */
const SURE_MS = 2_000;
/** How long this process or the database may stall: less than it takes until a lock is left behind and taken over. */
const MAX_STALL_MS = 10_000;
/** At most so many names are added to a lock that is taken over. Two processes that add equally many would both have it. */
const NAMES_ADDED = 2_000;
/** How long n8n may fail before the error counts: with SQLite's own waiting, long enough for a backup of its database. */
const MAX_FAILING_MS = 15_000;

type Found = 'acquired' | 'held' | 'foreign';

/**
 * Keeps out all other processes that send for the same workflow.
 *
 * The lock is a row with one name. n8n inserts a missing row with one INSERT, and of several processes that
 * insert it at once, the database lets one succeed. Releasing the lock deletes the row.
 *
 * Deleting a lock that was left behind could delete its successor. So it is taken over instead: a waiting
 * process adds names to it, and has the lock if the row still holds that number after a pause. Whoever had
 * it before finds another number than its own, and writes nothing more.
 */
export class WorkflowLock {
	private number = 0;
	private sureUntilMs = 0;

	/** @param random 0 to 1 */
	constructor(
		private readonly row: Omit<StoreCalls, 'removeProcessed'>,
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/** Waits for the lock. Returns false if the row belongs to another node, so that there is no lock. */
	async acquire(): Promise<boolean> {
		const leftBehind = this.between(LOOKS_UNTIL_LEFT_BEHIND);
		let seen = 0;
		let looks = 0;
		const look = async (): Promise<Found> => {
			const number = await this.count();
			looks = number === seen && number > 0 ? looks + 1 : 0;
			const isKnown = seen > 0;
			seen = number;
			// Adding the one name that each lock has changes no lock, and tells it from the row of another node.
			if (number === 0 || !isKnown) return await this.insert(1);
			if (looks <= leftBehind) return 'held';
			looks = 0;
			return await this.takeOver(number);
		};
		for (let failingSinceMs = Infinity; ;) {
			const looking = look();
			const found = await looking.catch(() => 'failed' as const);
			const nowMs = this.clock.now();
			failingSinceMs = found === 'failed' ? Math.min(failingSinceMs, nowMs) : Infinity;
			if (nowMs - failingSinceMs > MAX_FAILING_MS) return (await looking) === 'acquired';
			if (found === 'acquired' || found === 'foreign') return found === 'acquired';
			await this.clock.sleep(
				this.between(looks < FIRST_LOOKS ? LOOK_AFTER_MS : LATER_LOOK_AFTER_MS),
			);
		}
	}

	/** Whether no other process can have taken the lock over. */
	async isHeld(): Promise<boolean> {
		const nowMs = this.clock.now();
		if (nowMs < this.sureUntilMs) return true;
		// By then, it may be the lock of a process after the one that took it over.
		if (nowMs > this.sureUntilMs + MAX_STALL_MS) return false;
		if ((await this.count()) !== this.number) return false;
		this.sureUntilMs = nowMs + SURE_MS;
		return true;
	}

	/** Call it once: a second DELETE could hit the lock of another process. */
	async release(): Promise<void> {
		if (await this.isHeld()) await this.row.clearAllProcessedItems('workflow', lockMode);
	}

	private async takeOver(number: number): Promise<Found> {
		const own = number + this.between({ least: 1, most: NAMES_ADDED });
		const found = await this.insert(own);
		if (found !== 'held') return found;
		await this.clock.sleep(TAKING_OVER_MS);
		const nowMs = this.clock.now();
		return (await this.count()) === own ? this.hold(own, nowMs) : 'held';
	}

	private async insert(number: number): Promise<Found> {
		const nowMs = this.clock.now();
		const names = Array.from({ length: number }, (_, index) => `lock ${index + 1}`);
		const adding = this.row.checkProcessedAndRecord(names, 'workflow', lockMode);
		// n8n's message where a row was made by a node with another setting.
		const isForeign = (error: unknown) => /incompatible setting/.test(String(error));
		if (await adding.then(() => false, isForeign)) return 'foreign';
		return (await adding).new.includes('lock 1') ? this.hold(number, nowMs) : 'held';
	}

	/** How many names the row holds; 0 if it is missing. */
	private async count(): Promise<number> {
		return await this.row.getProcessedDataCount('workflow', entriesMode);
	}

	private hold(number: number, nowMs: number): 'acquired' {
		this.number = number;
		this.sureUntilMs = nowMs + SURE_MS;
		return 'acquired';
	}

	private between({ least, most }: { least: number; most: number }): number {
		return least + Math.floor(this.random() * (most - least + 1));
	}
}

/** The maximum number of entries that one node stores. An entry takes about 27 bytes. */
export const MAX_ENTRIES = 100_000;
/** How often a call is made that may be made again after any error. */
export const MAX_TRIES = 3;
/** With SQLite's own waiting, about half a minute: long enough for a backup of n8n's database. */
const BUSY = { tries: 15, pauseMs: 1_000 };

/** What a store needs besides n8n's calls. Once the execution was stopped, nothing is worth waiting for. */
export interface Surroundings extends Pick<N8n, 'clock' | 'cancelled'> {
	/** 0 to 1. */
	random: () => number;
	/** Calls that wait for their turn in this process, by workflow. */
	turns: Map<string, Promise<unknown>>;
}

/** The entries of a node, to be used only while no other run reads or writes them. */
export type EntryList = Pick<EntryStore, 'add' | 'remove' | 'count'>;

/** n8n's list of entries for one node. It outlives executions, restarts and workers. */
export class EntryStore {
	/** Whether other processes are kept out too. Known after the first call of `exclusively`. */
	isLocked: boolean;
	/** Identifies the list in this process. */
	readonly name: string;
	private readonly lock: WorkflowLock;

	constructor(
		private readonly n8n: N8nStore,
		private readonly around: Surroundings,
	) {
		this.isLocked = n8n.mayLock;
		this.name = n8n.node;
		this.lock = new WorkflowLock(n8n.calls, around.clock, around.random);
	}

	/** Makes the smallest call that shows whether n8n's store can be read. Throws what n8n throws. */
	async probe(): Promise<void> {
		await this.n8n.calls.getProcessedDataCount('workflow', entriesMode);
	}

	/**
	 * Runs `work` while no other run reads or writes the list.
	 *
	 * @throws what n8n throws, or that another process took over the lock because `work` took too long
	 */
	async exclusively<T>(work: (list: EntryList) => Promise<T>): Promise<T> {
		const { turns } = this.around;
		const { workflow } = this.n8n;
		const inTurn = async () => {
			if (this.isLocked) this.isLocked = await this.lock.acquire();
			try {
				return await work(this);
			} finally {
				// If it fails, another process will take the lock over.
				if (this.isLocked) await this.lock.release().catch(() => undefined);
			}
		};
		const result = (turns.get(workflow) ?? Promise.resolve()).then(inTurn, inTurn);
		turns.set(workflow, result);
		try {
			return await result;
		} finally {
			if (turns.get(workflow) === result) turns.delete(workflow);
		}
	}

	/**
	 * Adds entries, which must differ. Beyond `maxEntries`, the oldest entries of the list are dropped.
	 *
	 * @returns those that were there before
	 * @throws what n8n throws; the entries may have been added nevertheless
	 */
	async add(entries: string[], maxEntries: number): Promise<Set<string>> {
		const options = { ...entriesMode, maxEntries };
		const { processed } = await this.call(
			async (calls) => await calls.checkProcessedAndRecord(entries, 'node', options),
		);
		return new Set(processed.map(String));
	}

	/** Removing an entry again changes nothing while nobody else writes. */
	async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		for (let tries = 1; ; tries++) {
			const removing = this.call(
				async (calls) => await calls.removeProcessed(entries, 'node', entriesMode),
			);
			const [{ status }] = await Promise.allSettled([removing]);
			if (status === 'fulfilled' || tries === MAX_TRIES || this.around.cancelled())
				return await removing;
		}
	}

	async count(): Promise<number> {
		return await this.call(async (calls) => await calls.getProcessedDataCount('node', entriesMode));
	}

	/** Calls n8n while the lock is ours, and again while the database is busy. */
	private async call<T>(call: (calls: StoreCalls) => Promise<T>): Promise<T> {
		const whileHeld = async () => {
			await this.assertHeld();
			const result = await call(this.n8n.calls);
			await this.assertHeld();
			return result;
		};
		for (let tries = 0; ; tries++) {
			const calling = whileHeld();
			const isBusy = await calling.then(() => false, wroteNothing);
			if (!isBusy || tries === BUSY.tries || this.around.cancelled()) return await calling;
			await this.around.clock.sleep(BUSY.pauseMs);
		}
	}

	private async assertHeld(): Promise<void> {
		if (!this.isLocked || (await this.lock.isHeld())) return;
		throw new ApplicationError(
			"n8n's database was too slow, so another process went on with what was sent before",
		);
	}
}

/** Whether the database refused to write, because it was busy, or had the row that n8n wanted to insert. */
function wroteNothing(error: unknown): boolean {
	return /SQLITE_BUSY|database is locked|UNIQUE constraint|duplicate key/i.test(String(error));
}

/** n8n counts the entries of a row only if it is called with this mode, whatever mode the row has. */
const entriesMode = { mode: 'entries' as const };

/**
 * n8n knows no such mode. It stores it with the row, and refuses each call that names another one. So the
 * lock never changes a row of another node, and no other node adds to the lock.
 */
const lockMode = { mode: 'lock' as 'entries' };
