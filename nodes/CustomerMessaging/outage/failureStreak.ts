import { MINUTE_MS } from '../shared/time';

/** If so many different rows fail in a row, the service is at fault and not the rows. */
const MIN_ROWS = 4;
/** Failures that lie further apart have nothing to do with each other. */
const FORGET_AFTER_MS = 5 * MINUTE_MS;
/** How much later a request may leave and still be answered first although neither of them is slow. */
const OVERTAKING_MS = 5_000;

/** When a request left, and for which row. Retries of a row share its identity. */
export interface Departure {
	readonly row: object;
	/** Order of departure over all runs. */
	readonly seq: number;
	readonly sentMs: number;
}

/** Counts the rows that failed without an answer to another one in between. */
export class FailureStreak {
	private readonly rows = new Set<object>();
	/** The last request that had left when the streak began. */
	private beganAtSeq = 0;
	private lastMs = -Infinity;
	private newestAnsweredSentMs = -Infinity;

	constructor(private readonly minRows = MIN_ROWS) {}

	/** Whether so many rows failed that the service is at fault. */
	get isOutage(): boolean {
		return this.rows.size >= this.minRows;
	}

	/**
	 * The service answered a request, which ends the streak. A request that left before the streak began
	 * says nothing, because the service may have processed it before it failed.
	 */
	answered({ seq, sentMs }: Departure): void {
		this.newestAnsweredSentMs = Math.max(this.newestAnsweredSentMs, sentMs);
		if (seq > this.beganAtSeq) this.rows.clear();
	}

	/** @param lastSeq the last request that has left */
	failed({ row, sentMs }: Departure, lastSeq: number, nowMs: number): void {
		// Later requests have been answered, so this one was slow by itself.
		if (sentMs < this.newestAnsweredSentMs - OVERTAKING_MS) return;
		if (nowMs - this.lastMs > FORGET_AFTER_MS) this.rows.clear();
		if (this.rows.size === 0) this.beganAtSeq = lastSeq;
		this.rows.add(row);
		this.lastMs = nowMs;
	}

	end(): void {
		this.rows.clear();
	}
}
