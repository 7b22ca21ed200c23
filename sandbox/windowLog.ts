/**
 * `clockMinute`: aligned to multiples of its length since the epoch, by the service's clock.
 * `firstRequest`: opened by the first request after the last window ended. `sliding`: the last
 * `lengthMs`. The spec does not say which of them the service has.
 */
export interface Window {
	kind: 'clockMinute' | 'firstRequest' | 'sliding';
	lengthMs: number;
}

/** Kept beyond the end of a window, in case the next window is longer or of another kind. */
const keptMs = 10 * 60_000;

/**
 * The requests of one identity and API. It records their times by a clock that never changes, and
 * applies the rules only when it counts, so that the rules may change at any time.
 */
export class WindowLog {
	private stamps: number[] = [];
	/** The start of the newest window that a request opened. */
	private openedMs = -Infinity;

	/** @param nowMs epoch milliseconds, as in the other methods; never earlier than before */
	add({ lengthMs }: Window, nowMs: number): void {
		if (nowMs - this.openedMs >= lengthMs) this.openedMs = nowMs;
		this.forget(nowMs - Math.max(lengthMs, keptMs));
		this.stamps.push(nowMs);
	}

	/** @param clockSkewMs how far the service's clock is ahead of the times that are passed in */
	used(window: Window, nowMs: number, clockSkewMs = 0): number {
		return this.stamps.length - this.firstSince(this.startMs(window, nowMs, clockSkewMs));
	}

	/** When the next request leaves the window, as milliseconds from now; 0 for an unused one. */
	msToNext(window: Window, nowMs: number, clockSkewMs = 0): number {
		const { kind, lengthMs } = window;
		const startMs = this.startMs(window, nowMs, clockSkewMs);
		if (kind === 'clockMinute') return startMs + lengthMs - nowMs;
		const oldestMs = this.stamps[this.firstSince(startMs)];
		return oldestMs === undefined ? 0 : oldestMs + lengthMs - nowMs;
	}

	private startMs({ kind, lengthMs }: Window, nowMs: number, clockSkewMs: number): number {
		switch (kind) {
			case 'sliding':
				return nowMs - lengthMs + 1;
			case 'clockMinute':
				return nowMs - ((nowMs + clockSkewMs) % lengthMs);
			case 'firstRequest':
				return nowMs - this.openedMs < lengthMs ? this.openedMs : Infinity;
		}
	}

	/** The index of the first request at or after a time; the number of requests if there is none. */
	private firstSince(ms: number): number {
		let [from, to] = [0, this.stamps.length];
		while (from < to) {
			const middle = Math.floor((from + to) / 2);
			if ((this.stamps[middle] ?? Infinity) < ms) from = middle + 1;
			else to = middle;
		}
		return from;
	}

	// Half of them at a time, because each time copies the rest.
	private forget(beforeMs: number): void {
		const first = this.firstSince(beforeMs);
		if (first > 0 && first * 2 >= this.stamps.length) this.stamps = this.stamps.slice(first);
	}
}
