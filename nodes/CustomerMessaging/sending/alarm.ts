import type { Clock } from './types';

/** Lets a loop pause until a time or until it is called, on a clock whose sleeps cannot be cancelled. */
export class Alarm {
	/** When the sleeps under way end, so that none is begun needlessly. */
	private readonly sleepsUntilMs = new Set<number>();
	private rung = false;
	private resume?: () => void;

	/** @param longestMs no pause is longer than this */
	constructor(
		private readonly clock: Clock,
		private readonly longestMs: number,
	) {}

	/** Ends the pause, or the next one at once. */
	ring(): void {
		this.rung = true;
		this.resume?.();
	}

	async pause(untilMs: number): Promise<void> {
		if (!this.rung) {
			const nowMs = this.clock.now();
			this.sleep(Math.max(nowMs + 1, Math.min(untilMs, nowMs + this.longestMs)), nowMs);
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
