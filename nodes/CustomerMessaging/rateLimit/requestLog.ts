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
		const last = Math.min(Math.max(1, places), this.count(nowMs)) - 1;
		return last < 0 ? Infinity : (this.atMs[this.first + last] ?? nowMs) + MINUTE_MS;
	}

	forgetBefore(ms: number): void {
		while ((this.atMs[this.first] ?? Infinity) <= ms) this.first++;
		// Copying the rest only now and then keeps each call cheap on average.
		if (this.first < 1_000 || this.first < this.atMs.length / 2) return;
		this.atMs = this.atMs.slice(this.first);
		this.first = 0;
	}
}
