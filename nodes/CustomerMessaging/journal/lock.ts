import type { Clock } from '../shared/clock';

/** The database row that n8n keeps for the whole workflow. All processes see the same one. */
export interface SharedRow {
	/**
	 * Inserts the row if it is missing. Otherwise adds the names that it lacks. n8n refuses this call where
	 * the row belongs to another node, and the other node's calls while the row is a lock.
	 *
	 * @returns the names that the row lacked
	 */
	add(names: string[]): Promise<string[]>;
	/** How many names the row holds; 0 if it is missing. */
	count(): Promise<number>;
	clear(): Promise<void>;
}

/** How long a process waits before it looks at the lock of another one again, for the first looks and after that. */
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

	constructor(
		private readonly row: SharedRow,
		private readonly clock: Clock,
		/** 0 to 1. */
		private readonly random: () => number,
	) {}

	/** Waits for the lock. Returns false if the row belongs to another node, so that there is no lock. */
	async acquire(): Promise<boolean> {
		const leftBehind = this.between(LOOKS_UNTIL_LEFT_BEHIND);
		let seen = 0;
		let looks = 0;
		const look = async (): Promise<Found> => {
			const number = await this.row.count();
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
		if ((await this.row.count()) !== this.number) return false;
		this.sureUntilMs = nowMs + SURE_MS;
		return true;
	}

	/** Call it once: a second DELETE could hit the lock of another process. */
	async release(): Promise<void> {
		if (await this.isHeld()) await this.row.clear();
	}

	private async takeOver(number: number): Promise<Found> {
		const own = number + this.between({ least: 1, most: NAMES_ADDED });
		const found = await this.insert(own);
		if (found !== 'held') return found;
		await this.clock.sleep(TAKING_OVER_MS);
		const nowMs = this.clock.now();
		return (await this.row.count()) === own ? this.hold(own, nowMs) : 'held';
	}

	private async insert(number: number): Promise<Found> {
		const nowMs = this.clock.now();
		const names = Array.from({ length: number }, (_, index) => `lock ${index + 1}`);
		const adding = this.row.add(names);
		if (await adding.then(() => false, isForeign)) return 'foreign';
		return (await adding).includes('lock 1') ? this.hold(number, nowMs) : 'held';
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

/** n8n's message where a row was made by a node with another setting. */
function isForeign(error: unknown): boolean {
	return /incompatible setting/.test(String(error));
}
