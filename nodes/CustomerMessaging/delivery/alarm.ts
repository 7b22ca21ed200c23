import type { Clock } from '../shared/clock';

/** Pauses a loop until a given time or until `ring()`, on a clock whose sleeps cannot be cancelled. */
export class Alarm {
	/** When the current sleeps end, so that no unnecessary sleep is started. */
	private readonly sleepsUntilMs = new Set<number>();
	private rung = false;
	private resume?: () => void;

	constructor(private readonly clock: Clock) {}

	/** Ends the current pause, or the next one immediately. */
	ring(): void {
		this.rung = true;
		this.resume?.();
	}

	/** Waits until `untilMs` (epoch milliseconds, or Infinity) or until `ring()`. */
	async pause(untilMs: number): Promise<void> {
		if (!this.rung) {
			const nowMs = this.clock.now();
			if (untilMs < Infinity) this.sleep(Math.max(nowMs + 1, untilMs), nowMs);
			await new Promise<void>((resolve) => {
				this.resume = resolve;
			});
			this.resume = undefined;
		}
		this.rung = false;
	}

	private sleep(untilMs: number, nowMs: number): void {
		for (const sleepMs of this.sleepsUntilMs) if (sleepMs <= untilMs) return;
		this.sleepsUntilMs.add(untilMs);
		void this.clock.sleep(untilMs - nowMs).then(() => {
			this.sleepsUntilMs.delete(untilMs);
			this.ring();
		});
	}
}
