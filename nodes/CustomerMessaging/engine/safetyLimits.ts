import { MINUTE_MS } from '../shared/apis';
import type { Message } from './message';

/** How many messages to single people may leave, and how fast. A push to several platforms is one. */
export interface Safety {
	/** How many items may still leave. */
	maxMessages: number;
	/** Absent if they leave as fast as the rate limit allows. */
	maxPerMinute?: number;
	/** When the last of them left, also in an earlier round of a loop. */
	memory: { lastMessageMs?: number };
}

/** Keeps a run within its {@link Safety}. */
export class SafetyLimits<M extends Message> {
	private readonly departed = new Set<number>();
	private readonly intervalMs: number;

	constructor(
		private readonly safety: Safety,
		/** Whether a message counts, as one to a single person does. */
		private readonly counts: (message: M) => boolean,
		/** The items of messages that other attempts have sent. */
		private readonly found: ReadonlySet<number>,
	) {
		const { maxPerMinute } = safety;
		this.intervalMs = maxPerMinute === undefined ? 0 : MINUTE_MS / maxPerMinute;
	}

	isUsedUp(messages: readonly M[]): boolean {
		const { departed, found, safety } = this;
		return this.isNew(messages) && departed.size + found.size >= safety.maxMessages;
	}

	/**
	 * When messages may leave, also after those of an earlier round of a loop. These may have left by the clock of
	 * another process, which says nothing here, so no message waits longer than one interval.
	 */
	dueMs(messages: readonly M[], nowMs: number): number {
		if (this.intervalMs === 0 || !this.isNew(messages)) return 0;
		return Math.min(this.safety.memory.lastMessageMs ?? -Infinity, nowMs) + this.intervalMs;
	}

	depart(messages: readonly M[], nowMs: number): void {
		if (!this.isNew(messages)) return;
		for (const { itemIndex } of messages) this.departed.add(itemIndex);
		if (this.intervalMs > 0) this.safety.memory.lastMessageMs = nowMs;
	}

	private isNew([first]: readonly M[]): boolean {
		return first !== undefined && this.counts(first) && !this.departed.has(first.itemIndex);
	}
}
