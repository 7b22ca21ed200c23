export const MINUTE_MS = 60_000;

/** When our own requests of the last 60 s were counted, in epoch milliseconds. */
export class OwnLog {
	/** Oldest first, from index `first`. */
	private atMs: number[] = [];
	private first = 0;

	add(nowMs: number): void {
		this.atMs.push(nowMs);
	}

	/** How many there were in the 60 s before `nowMs`. */
	count(nowMs: number): number {
		this.forgetBefore(nowMs - MINUTE_MS);
		return this.atMs.length - this.first;
	}

	/** When so many of them, or all there are, will be 60 s old; undefined where there is none. */
	freesAt(places: number, nowMs: number): number | undefined {
		const count = this.count(nowMs);
		if (count === 0) return undefined;
		const lastMs = this.atMs[this.first + Math.min(places, count) - 1];
		return lastMs === undefined ? undefined : lastMs + MINUTE_MS;
	}

	forgetBefore(ms: number): void {
		while ((this.atMs[this.first] ?? Infinity) <= ms) this.first++;
		if (this.first < 1_000 || this.first < this.atMs.length / 2) return;
		this.atMs = this.atMs.slice(this.first);
		this.first = 0;
	}
}
