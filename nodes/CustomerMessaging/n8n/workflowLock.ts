import type { Clock } from '../shared/clock';

/** The database row that n8n keeps for the whole workflow. All processes see the same one. */
export interface SharedRow {
	/**
	 * Inserts the row if it is missing. Otherwise adds the names that it lacks. The row is for the lock
	 * only, so n8n refuses this call where the row belongs to another node, and the other node's calls
	 * while the lock has it.
	 *
	 * @returns the names that the row lacked
	 */
	add(names: string[]): Promise<string[]>;
	/** How many names the row holds; 0 if it is missing. */
	count(): Promise<number>;
	clear(): Promise<void>;
}

/** How long a process waits before it looks at the lock of another one again. */
const LOOK_AFTER_MS = { least: 5, most: 15 };
/** After how long a lock counts as left behind by a process that was killed. Random, so that waiters differ. */
const LEFT_BEHIND_MS = { least: 8_000, most: 12_000 };
/** After taking over a lock, others that do the same at that moment get so long to finish it. */
const TAKEN_OVER_MS = 2_000;
/** Until then, no other process can have taken the lock over. */
const SURE_MS = 4_000;
/** How often n8n may fail to insert the row before the error counts. */
const MAX_FAILURES = 20;
/** Locks have one of so many numbers. */
const NUMBERS = 50;

/**
 * Keeps out all other processes that send for the same workflow.
 *
 * The lock is a row. n8n inserts a missing row with one INSERT, and of several that insert it at once, the
 * database lets one succeed. Releasing the lock deletes the row.
 *
 * Each lock has a number: how many names its row holds. It lets a waiting process see that the lock it
 * waits for is still the same one. A lock that does not change for several seconds was left behind.
 * Deleting it could delete its successor, so it is taken over instead: its number is raised, and whoever
 * finds the own number after a pause has it. Of several that do so at once, the last one wins.
 */
export class WorkflowLock {
	private number = 0;
	private acquiredAtMs = 0;

	constructor(
		private readonly row: SharedRow,
		private readonly clock: Clock,
		/** 0 to 1. */
		private readonly random: () => number,
	) {}

	/** Waits for the lock. Returns false if the row belongs to another node, so that there is no lock. */
	async acquire(): Promise<boolean> {
		let seen = 0;
		let leftBehindAtMs = Infinity;
		let isLock = false;
		for (let failures = 0; ;) {
			const number = await this.row.count();
			const isSame = number === seen;
			if (!isSame) leftBehindAtMs = this.clock.now() + this.between(LEFT_BEHIND_MS);
			seen = number;
			const isLeftBehind = isSame && this.clock.now() >= leftBehindAtMs;
			const attempt = this.attempt(number, !isLock, isLeftBehind);
			const found = await (failures === MAX_FAILURES
				? attempt
				: attempt.catch(() => {
						failures++;
						return 'held';
					}));
			if (found !== 'held') return found === 'acquired';
			isLock ||= number > 0;
			await this.clock.sleep(this.between(LOOK_AFTER_MS));
		}
	}

	/** Whether no other process can have taken the lock over. */
	async isHeld(): Promise<boolean> {
		if (this.clock.now() - this.acquiredAtMs < SURE_MS) return true;
		return (await this.row.count()) === this.number;
	}

	async release(): Promise<void> {
		if (await this.isHeld()) await this.row.clear();
	}

	private async attempt(number: number, isUnknown: boolean, isLeftBehind: boolean): Promise<Found> {
		if (number === 0) return await this.insert(this.between({ least: 1, most: NUMBERS }));
		// The call tells a lock from the row of another node. It changes neither.
		if (isUnknown) return await this.insert(1);
		return isLeftBehind ? await this.takeOver(number) : 'held';
	}

	private async insert(number: number): Promise<Found> {
		const nowMs = this.clock.now();
		let names = makeNames(number);
		const added = await this.row.add(names).catch(async (error: unknown) => {
			if (isForeign(error)) return undefined;
			// If another process inserted the row at the same moment, there is nothing to add now.
			names = [FIRST];
			return await this.row.add(names);
		});
		if (!added) return 'foreign';
		if (!added.includes(FIRST)) return 'held';
		this.number = names.length;
		this.acquiredAtMs = nowMs;
		return 'acquired';
	}

	private async takeOver(number: number): Promise<Found> {
		const own = number + this.between({ least: 1, most: NUMBERS });
		const found = await this.insert(own);
		if (found !== 'held') return found;
		await this.clock.sleep(TAKEN_OVER_MS);
		const nowMs = this.clock.now();
		if ((await this.row.count()) !== own) return 'held';
		this.number = own;
		this.acquiredAtMs = nowMs;
		return 'acquired';
	}

	private between({ least, most }: { least: number; most: number }): number {
		return least + Math.floor(this.random() * (most - least + 1));
	}
}

type Found = 'acquired' | 'held' | 'foreign';

const FIRST = 'lock 1';

function makeNames(number: number): string[] {
	return Array.from({ length: number }, (_, index) => `lock ${index + 1}`);
}

/** n8n's message where a row was made by a node with another setting. */
function isForeign(error: unknown): boolean {
	return /incompatible setting/.test(String(error));
}
