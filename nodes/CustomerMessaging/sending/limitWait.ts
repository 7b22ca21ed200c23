/** Shorter waits are the normal course of things and not worth a line in a log. */
const LONG_WAIT_MS = 1_000;

/** Counts the time in which a run had something to send and the limit did not let it go. */
export class LimitWait {
	private doneMs = 0;
	private sinceMs?: number;
	private announced = false;

	constructor(
		private readonly announce: (wait: { untilMs: number; waitedMs: number }) => void,
	) {}

	goesOn(untilMs: number, nowMs: number): void {
		this.sinceMs ??= nowMs;
		if (this.announced || untilMs - nowMs < LONG_WAIT_MS) return;
		this.announced = true;
		this.announce({ untilMs, waitedMs: this.totalMs(nowMs) });
	}

	end(nowMs: number): void {
		this.doneMs = this.totalMs(nowMs);
		this.sinceMs = undefined;
		this.announced = false;
	}

	totalMs(nowMs: number): number {
		return this.doneMs + nowMs - (this.sinceMs ?? nowMs);
	}
}
