import type { Clock } from '../nodes/CustomerMessaging/shared/slices';
import { EventQueue } from './eventQueue';

/** A clock that moves to the next event once everything due at the current instant has happened. */
export class VirtualClock implements Clock {
	private timeMs: number;
	private readonly events = new EventQueue();

	constructor(startMs: number) {
		this.timeMs = startMs;
	}

	now(): number {
		return this.timeMs;
	}

	async sleep(ms: number): Promise<void> {
		await new Promise<void>((resolve) => this.at(this.timeMs + ms, resolve));
	}

	private at(atMs: number, run: () => void): void {
		this.events.push(Math.max(atMs, this.timeMs), run);
	}

	/**
	 * Runs until `work` has ended.
	 *
	 * @throws if no event is left that could end it, or if it has not ended by `untilMs`
	 */
	async run<T>(work: Promise<T>, untilMs: number): Promise<T> {
		let ended = false;
		const end = () => {
			ended = true;
		};
		work.then(end, end);
		for (;;) {
			await new Promise<void>((resolve) => setImmediate(resolve));
			if (ended) return await work;
			const next = this.events.pop();
			if (next === undefined) throw new Error('Hangs: nothing is left that could wake it');
			if (next.atMs > untilMs) throw new Error(`Hangs: not ended at ${untilMs}`);
			this.timeMs = next.atMs;
			next.run();
			while (this.events.nextMs === this.timeMs) this.events.pop()?.run();
		}
	}
}
