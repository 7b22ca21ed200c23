import { CONFIRMED_AT_FIRST, type Others, pauseForOthers } from '../n8n/processedStore';
import type { Clock } from '../shared/clock';

/**
 * Notices other workers that write to the list of Send Once. n8n reads and writes the list as a whole, so what one
 * worker adds during a call of another is lost, and what it removes comes back.
 */
export class OtherWorkers {
	private mayShareMessages = false;
	private calls = 0;
	private removedMark?: string;

	constructor(
		private readonly clock: Clock,
		private readonly noticed: Others,
	) {}

	/** Entries that are not in the list unless another worker has brought them back. The next call adds them. */
	get probes(): string[] {
		return this.removedMark === undefined ? [] : [this.removedMark];
	}

	/** @param mark an entry of this run that was removed */
	removed(mark: string | undefined): void {
		this.removedMark = mark;
	}

	/** Another worker has overwritten something. */
	notice(): void {
		this.noticed.areNoticed = true;
	}

	/** Another run may be sending messages of this one. */
	suspect(): void {
		this.mayShareMessages = true;
	}

	/** @param stored the entries that were in the list already, of those that a call has added */
	lookAt(stored: ReadonlySet<string>, written: readonly string[]): void {
		this.calls++;
		const areLost = written.some((entry) => !stored.has(entry));
		const areBack = this.probes.some((entry) => stored.has(entry));
		if (areLost || areBack) this.notice();
	}

	/** Lets the others finish their calls, if there may be others. That is likely when a run begins. */
	async letFinish(calledAtMs: number): Promise<void> {
		if (this.calls > CONFIRMED_AT_FIRST && !this.noticed.areNoticed && !this.mayShareMessages)
			return;
		await this.clock.sleep(pauseForOthers(this.clock.now() - calledAtMs));
	}
}
