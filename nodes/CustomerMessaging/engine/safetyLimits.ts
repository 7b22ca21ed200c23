import type { Message } from './message';

/** Keeps a run within the number of messages to single people that may leave. A push to several platforms is one. */
export class SafetyLimits<M extends Message> {
	private readonly departed = new Set<number>();

	/** @param maxMessages number of items that may still leave */
	constructor(
		private readonly maxMessages: number,
		/** True for messages to single people. */
		private readonly counts: (message: M) => boolean,
		/** The items of messages that other attempts have sent. */
		private readonly found: ReadonlySet<number>,
	) {}

	isUsedUp(messages: readonly M[]): boolean {
		return this.isNew(messages) && this.departed.size + this.found.size >= this.maxMessages;
	}

	depart(messages: readonly M[]): void {
		if (!this.isNew(messages)) return;
		for (const { itemIndex } of messages) this.departed.add(itemIndex);
	}

	private isNew([first]: readonly M[]): boolean {
		return first !== undefined && this.counts(first) && !this.departed.has(first.itemIndex);
	}
}
