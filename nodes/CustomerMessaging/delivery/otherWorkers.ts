import { CONFIRMED_AT_FIRST, type OtherProcesses } from '../n8n/otherProcesses';
import type { Clock } from '../shared/clock';

const MAX_REMOVED_AGAIN = 100;

/** Notices other workers that write to the list of Send Once. */
export class OtherWorkers {
	private mayShareMessages = false;
	private calls = 0;
	private removedMark?: string;

	constructor(
		private readonly clock: Clock,
		private readonly processes: OtherProcesses,
	) {}

	/** Entries that are not in the list unless another worker has brought them back. The next call adds them. */
	get probes(): string[] {
		return this.removedMark === undefined ? [] : [this.removedMark];
	}

	/** Whether another worker may be writing at any time. */
	get areLikely(): boolean {
		return this.processes.areNoticed || this.mayShareMessages;
	}

	/** How many entries of earlier groups are to be removed again with each group, because they may be back. */
	get removedAgain(): number {
		return this.areLikely ? MAX_REMOVED_AGAIN : 0;
	}

	/** @param mark an entry of this run that was removed */
	removed(mark: string | undefined): void {
		this.removedMark = mark;
	}

	/** Another worker has overwritten something. */
	notice(): void {
		this.processes.areNoticed = true;
	}

	/** Another run may be sending messages of this one. */
	suspect(): void {
		this.mayShareMessages = true;
	}

	/**
	 * @param stored the entries that were in the list already, of those that a call has added
	 * @returns whether the list is as this run has left it
	 */
	lookAt(stored: ReadonlySet<string>, written: readonly string[]): boolean {
		this.calls++;
		const areLost = written.some((entry) => !stored.has(entry));
		const areBack = this.probes.some((entry) => stored.has(entry));
		if (areLost || areBack) this.notice();
		return !areLost && !areBack;
	}

	/** Lets the others finish their calls, if there may be others. That is likely when a run begins. */
	async letFinish(): Promise<void> {
		if (this.calls > CONFIRMED_AT_FIRST && !this.areLikely) return;
		await this.clock.sleep(this.processes.pauseMs);
	}
}
