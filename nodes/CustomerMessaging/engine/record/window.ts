/** Number of messages that may be pending, unless more are in flight: a crash leaves the outcome of all unknown. */
const MAX_PENDING = { first: 10, later: 50 };
/** After so many messages, few large writes are better than many small ones. */
const FIRST_MESSAGES = 100;

/** Number of messages that are looked up or claimed at once, after so many before. */
export function atOnce(before: number): number {
	return before < FIRST_MESSAGES ? MAX_PENDING.first : MAX_PENDING.later;
}

/** Limits how many messages are claimed that have not ended. */
export class Window {
	private claimed = 0;
	/** Where many may be in flight, a few more in doubt matter less than many small writes. */
	private readonly isWide: boolean;

	/** @param unit messages are claimed in multiples of this number, such as the size of a batch */
	constructor(
		private readonly unit: number,
		concurrency: number,
	) {
		this.isWide = concurrency >= MAX_PENDING.later;
	}

	noteClaimed(messages: number): void {
		this.claimed += messages;
	}

	/** Number of messages that may be claimed now; none before there is room for many. */
	room(messages: number, pending: number, inFlight: number): number {
		const { unit, ahead } = this;
		const beside = unit > 1 || this.isWide ? ahead : ahead / 2;
		const room = Math.max(ahead, inFlight + beside) - pending;
		return room >= Math.min(messages, beside) ? room - (room % unit) : 0;
	}

	/** Number of messages that may be pending where few are in flight. */
	private get ahead(): number {
		if (this.unit > 1) return this.unit;
		return this.isWide && this.claimed >= MAX_PENDING.first
			? MAX_PENDING.later
			: atOnce(this.claimed);
	}
}
