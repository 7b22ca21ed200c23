import type { Clock } from '../shared/clock';

/** Sleeps until a time or until it is woken, on a clock whose sleeps cannot be cancelled. */
export class WakeUp {
	/** When the current sleeps end, so that no unnecessary one is started. */
	private readonly sleepsUntilMs = new Set<number>();
	private isDue = false;
	private resume = () => {};

	constructor(private readonly clock: Clock) {}

	/** Ends the current sleep, or the next one immediately. */
	readonly wake = (): void => {
		this.isDue = true;
		this.resume();
	};

	/** @param untilMs epoch milliseconds, or Infinity */
	async sleepUntil(untilMs: number): Promise<void> {
		if (!this.isDue) {
			const nowMs = this.clock.now();
			const isSet = [...this.sleepsUntilMs].some((ms) => ms <= untilMs);
			if (untilMs < Infinity && !isSet) this.set(Math.max(nowMs + 1, untilMs), nowMs);
			await new Promise<void>((resolve) => {
				this.resume = resolve;
			});
		}
		this.isDue = false;
	}

	private set(untilMs: number, nowMs: number): void {
		this.sleepsUntilMs.add(untilMs);
		void this.clock.sleep(untilMs - nowMs).then(() => {
			this.sleepsUntilMs.delete(untilMs);
			this.wake();
		});
	}
}
