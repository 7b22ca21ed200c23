import type { Clock } from '../shared/slices';

/** A sleep that can be ended. n8n's sleeps cannot, and outlast the run, so they hold nothing of it. */
export class Alarm {
	/** When the next sleep ends that has begun. */
	private sleepsUntilMs = Infinity;
	private isAwake = false;
	private resume = () => {};

	constructor(private readonly clock: Clock) {}

	async sleepUntil(ms: number): Promise<void> {
		const { clock } = this;
		const untilMs = Math.max(clock.now() + 1, ms);
		if (!this.isAwake) {
			if (untilMs < this.sleepsUntilMs) {
				this.sleepsUntilMs = untilMs;
				void clock.sleep(untilMs - clock.now()).then(() => {
					if (this.sleepsUntilMs === untilMs) this.sleepsUntilMs = Infinity;
					this.wake();
				});
			}
			await new Promise<void>((resolve) => (this.resume = resolve));
		}
		this.isAwake = false;
	}

	/** Ends the current sleep, or the next one immediately. */
	readonly wake = (): void => {
		this.isAwake = true;
		this.resume();
	};
}
