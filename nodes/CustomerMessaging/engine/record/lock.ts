import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../../shared/slices';

/*
 * A holder that sees its own number knows that nobody has taken the lock over, and acts on that for SURE_MS. To
 * take it over, a process changes the number and waits TAKING_OVER_MS, which is longer, before it acts.
 *
 * A holder that was delayed looks again. After GIVES_UP_MS it must not: the lock may have been taken over,
 * released and acquired by a third process, whose number is the same. For that, a waiting process must have seen
 * the number unchanged for at least LEFT_BEHIND_MS.least, which is longer. It adds up the pauses between
 * its looks, each at most MAX_PAUSE_COUNTED_MS, so neither fast statements nor a delay of its own count as time.
 */
const SURE_MS = 2_000;
const TAKING_OVER_MS = 3_000;
const GIVES_UP_MS = 10_000;
/** Random, so that waiting processes differ. */
const LEFT_BEHIND_MS = { least: 11_000, most: 14_000 };
const MAX_PAUSE_COUNTED_MS = 500;

/** Polling interval for another process's lock: at first, and later. */
const FIRST_LOOK_AFTER_MS = { least: 5, most: 15 };
const LOOK_AFTER_MS = { least: 50, most: 150 };
const LOOKS_OFTEN_FOR_MS = 2_000;
/** At most so many names are added to a lock that is taken over. Two processes that add equally many would both have it. */
const NAMES_ADDED = 2_000;

/** n8n's calls, each of which reads a database row and writes it back whole. */
export type StoreCalls = Pick<
	IExecuteFunctions['helpers'],
	'checkProcessedAndRecord' | 'removeProcessed' | 'clearAllProcessedItems' | 'getProcessedDataCount'
>;

type Found = 'acquired' | 'held' | 'foreign';

/** The calls to the lock's row. They must not wait and try again: the lock decides what a failure means. */
type RowCalls = Omit<StoreCalls, 'removeProcessed'>;

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
	/** When the row was last seen with this number. */
	private seenMs = -Infinity;

	/**
	 * @param random 0 to 1
	 * @param afterFailure waits; returns since when a call has failed, and throws once nothing more may be tried
	 */
	constructor(
		private readonly row: RowCalls,
		private readonly clock: Clock,
		private readonly random: () => number,
		private readonly afterFailure: (error: unknown, sinceMs?: number) => Promise<number>,
	) {}

	/** Waits for the lock. Returns false if the row belongs to another node, so that there is no lock. */
	async acquire(): Promise<boolean> {
		const leftBehindMs = this.between(LEFT_BEHIND_MS);
		let seen = 0;
		let unchangedMs = 0;
		let lookedMs = this.clock.now();
		const look = async (): Promise<Found> => {
			const number = await this.count();
			const nowMs = this.clock.now();
			const isUnchanged = number === seen && number > 0;
			unchangedMs = isUnchanged
				? unchangedMs + Math.min(nowMs - lookedMs, MAX_PAUSE_COUNTED_MS)
				: 0;
			lookedMs = nowMs;
			const isKnown = seen > 0;
			seen = number;
			// Adding the one name that each lock has changes no lock, and tells it from the row of another node.
			if (number === 0 || !isKnown) return await this.insert(1);
			if (unchangedMs < leftBehindMs) return 'held';
			unchangedMs = 0;
			return await this.takeOver(number);
		};
		for (let failingSinceMs: number | undefined; ;) {
			try {
				const found = await look();
				if (found !== 'held') return found === 'acquired';
				failingSinceMs = undefined;
			} catch (error) {
				failingSinceMs = await this.afterFailure(error, failingSinceMs);
			}
			const isEarly = unchangedMs < LOOKS_OFTEN_FOR_MS;
			await this.clock.sleep(this.between(isEarly ? FIRST_LOOK_AFTER_MS : LOOK_AFTER_MS));
		}
	}

	/** The lock is certainly ours. */
	async isHeld(): Promise<boolean> {
		const nowMs = this.clock.now();
		if (nowMs < this.seenMs + SURE_MS) return true;
		if (nowMs > this.seenMs + GIVES_UP_MS || (await this.count()) !== this.number) return false;
		// The answer may have taken long, too.
		if (this.clock.now() > this.seenMs + GIVES_UP_MS) return false;
		this.seenMs = nowMs;
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
		try {
			const { new: added } = await this.row.checkProcessedAndRecord(names, 'workflow', lockMode);
			return added.includes('lock 1') ? this.hold(number, nowMs) : 'held';
		} catch (error) {
			// n8n's message where a row was made by a node with another setting.
			if (/incompatible setting/.test(String(error))) return 'foreign';
			// Another process inserted the row first.
			if (/UNIQUE constraint|duplicate key/i.test(String(error))) return 'held';
			return rethrow(error);
		}
	}

	/** Number of names in the row; 0 if it is missing. */
	private async count(): Promise<number> {
		return await this.row.getProcessedDataCount('workflow', entriesMode);
	}

	private hold(number: number, nowMs: number): 'acquired' {
		this.number = number;
		this.seenMs = nowMs;
		return 'acquired';
	}

	private between({ least, most }: { least: number; most: number }): number {
		return least + Math.floor(this.random() * (most - least + 1));
	}
}

export function rethrow(error: unknown): never {
	throw error;
}

/** n8n counts the entries of a row only if it is called with this mode, whatever mode the row has. */
export const entriesMode = { mode: 'entries' as const };

/**
 * n8n knows no such mode. It stores it with the row, and refuses each call that names another one. So the
 * lock never changes a row of another node, and no other node adds to the lock.
 */
const lockMode = { mode: 'lock' as 'entries' };
