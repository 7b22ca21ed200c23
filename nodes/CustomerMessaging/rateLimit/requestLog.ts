import { MINUTE_MS } from '../shared/time';

/** When the service counted our own requests of the last 60 s, in epoch milliseconds. */
export class RequestLog {
	/** Oldest first, starting at index `first`. */
	private atMs: number[] = [];
	private first = 0;

	add(nowMs: number): void {
		this.atMs.push(nowMs);
	}

	/** Requests in the 60 s before `nowMs`. */
	count(nowMs: number): number {
		this.forgetBefore(nowMs - MINUTE_MS);
		return this.atMs.length - this.first;
	}

	/** When the oldest `places` of them, or all there are, will be 60 s old; infinite if there is none. */
	expiresAtMs(places: number, nowMs: number): number {
		const count = this.count(nowMs);
		const lastMs = this.atMs[this.first + Math.min(Math.max(places, 1), count) - 1];
		return count === 0 || lastMs === undefined ? Infinity : lastMs + MINUTE_MS;
	}

	forgetBefore(ms: number): void {
		while ((this.atMs[this.first] ?? Infinity) <= ms) this.first++;
		// Copying the rest only now and then keeps each call cheap on average.
		if (this.first < 1_000 || this.first < this.atMs.length / 2) return;
		this.atMs = this.atMs.slice(this.first);
		this.first = 0;
	}
}
