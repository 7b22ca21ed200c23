/** Shorter waits are normal and not worth a line in a log. */
const MIN_ANNOUNCED_WAIT_MS = 1_000;

/** Measures the time in which a run had a request ready and the limit did not let it leave. */
export class LimitWait {
	private finishedMs = 0;
	private sinceMs?: number;
	private announced = false;

	constructor(private readonly announce: (wait: { untilMs: number; waitedMs: number }) => void) {}

	continueUntil(untilMs: number, nowMs: number): void {
		this.sinceMs ??= nowMs;
		if (this.announced || untilMs - nowMs < MIN_ANNOUNCED_WAIT_MS) return;
		this.announced = true;
		this.announce({ untilMs, waitedMs: this.totalMs(nowMs) });
	}

	end(nowMs: number): void {
		this.finishedMs = this.totalMs(nowMs);
		this.sinceMs = undefined;
		this.announced = false;
	}

	totalMs(nowMs: number): number {
		return this.finishedMs + nowMs - (this.sinceMs ?? nowMs);
	}
}
