/**
 * `clockMinute`: aligned to epoch multiples of its length. `firstRequest`: opened by the first
 * request after the last window ended. `sliding`: what was sent during the last `lengthMs`.
 * The spec doesn't say which of them the service has.
 */
export interface Window {
	kind: 'clockMinute' | 'firstRequest' | 'sliding';
	lengthMs: number;
}

/** The requests that count in the current window of one identity and API. */
export class WindowLog {
	private stamps: number[] = [];
	private oldest = 0;

	used(window: Window, nowMs: number): number {
		this.expire(window, nowMs);
		return this.stamps.length - this.oldest;
	}

	add(nowMs: number): void {
		this.stamps.push(nowMs);
	}

	/** When the next request leaves the window, as milliseconds from now; 0 for an unused one. */
	msToNext(window: Window, nowMs: number): number {
		if (window.kind === 'clockMinute') return window.lengthMs - (nowMs % window.lengthMs);
		if (this.used(window, nowMs) === 0) return 0;
		return this.oldestMs + window.lengthMs - nowMs;
	}

	private expire({ kind, lengthMs }: Window, nowMs: number): void {
		if (kind === 'firstRequest') {
			if (nowMs - this.oldestMs >= lengthMs) this.oldest = this.stamps.length;
		} else {
			const startMs = kind === 'sliding' ? nowMs - lengthMs + 1 : nowMs - (nowMs % lengthMs);
			while (this.oldestMs < startMs) this.oldest++;
		}
		this.forgetExpired();
	}

	private get oldestMs(): number {
		return this.stamps[this.oldest] ?? Infinity;
	}

	// In bulk, as taking each one off the front would copy the rest every time.
	private forgetExpired(): void {
		if (this.oldest === 0 || this.oldest * 2 < this.stamps.length) return;
		this.stamps = this.stamps.slice(this.oldest);
		this.oldest = 0;
	}
}
