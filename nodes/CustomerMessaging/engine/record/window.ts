/** So many messages may be pending, unless more are in flight: a crash leaves the outcome of all unknown. */
const MAX_PENDING = { first: 10, later: 50 };
/** After so many messages, few large writes are better than many small ones. */
const FIRST_MESSAGES = 100;

/** How many messages at once are looked up or claimed, after so many before. */
export function atOnce(before: number): number {
	return before < FIRST_MESSAGES ? MAX_PENDING.first : MAX_PENDING.later;
}

/** How many messages may be claimed that have not ended. */
export class Window {
	private claimed = 0;
	/** Where many may be in flight, a few more in doubt matter less than many small writes. */
	private readonly isWide: boolean;

	/**
	 * @param unit messages are claimed in multiples of this number, such as the size of a batch
	 * @param concurrency how many requests may be in flight
	 */
	constructor(
		private readonly unit: number,
		concurrency: number,
	) {
		this.isWide = concurrency >= MAX_PENDING.later;
	}

	/** So many messages were claimed. */
	noteClaimed(messages: number): void {
		this.claimed += messages;
	}

	/** How many of a number of messages may be claimed now; none before there is room for many. */
	room(messages: number, pending: number, inFlight: number): number {
		const { unit, ahead } = this;
		const beside = unit > 1 || this.isWide ? ahead : ahead / 2;
		const room = Math.max(ahead, inFlight + beside) - pending;
		return room >= Math.min(messages, beside) ? room - (room % unit) : 0;
	}

	/** Of what waits, what has no place in it. The first always has one. */
	beyond<Job>(waiting: readonly Job[], sizeOf: (job: Job) => number): Job[] {
		let size = 0;
		return waiting.filter((job) => {
			const isFirst = size === 0;
			size += sizeOf(job);
			return !isFirst && size > this.ahead;
		});
	}

	/** How many messages may be pending where few are in flight. */
	private get ahead(): number {
		if (this.unit > 1) return this.unit;
		return this.isWide && this.claimed >= MAX_PENDING.first
			? MAX_PENDING.later
			: atOnce(this.claimed);
	}
}
