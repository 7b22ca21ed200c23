/** Time is passed in, so that tests can run every decision on a virtual clock. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	sleep(ms: number): Promise<void>;
}

export const MINUTE_MS = 60_000;
const SLICE_MS = 30;

/** A slice of time, after which n8n may do other work, such as answering webhooks and noticing Stop. */
export class Slice {
	private endsAtMs: number;

	constructor(
		private readonly clock: Clock,
		private readonly ms = SLICE_MS,
	) {
		this.endsAtMs = clock.now() + ms;
	}

	get isOver(): boolean {
		return this.clock.now() >= this.endsAtMs;
	}

	async next(): Promise<void> {
		await this.clock.sleep(0);
		this.endsAtMs = this.clock.now() + this.ms;
	}
}

/** Calls `step` for each entry, in order and in slices of time. Returns false if `cancelled` ended it before all entries. */
export async function inSlices<T>(
	entries: Iterable<T>,
	{ clock, cancelled }: { clock: Clock; cancelled?: () => boolean },
	step: (entry: T, index: number) => void,
): Promise<boolean> {
	const slice = new Slice(clock);
	let index = 0;
	for (const entry of entries) {
		if (slice.isOver) await slice.next();
		if (cancelled?.()) return false;
		step(entry, index++);
	}
	return true;
}

/** Entries by a key, in the order of the first ones. Node.js 20 has no `Map.groupBy()`. */
export function groupBy<Entry, Key>(
	entries: readonly Entry[],
	keyOf: (entry: Entry) => Key,
): Map<Key, [Entry, ...Entry[]]> {
	const groups = new Map<Key, [Entry, ...Entry[]]>();
	for (const entry of entries) {
		const key = keyOf(entry);
		const group = groups.get(key);
		if (group) group.push(entry);
		else groups.set(key, [entry]);
	}
	return groups;
}
