import { ruleOf } from '../policy';
import { type Feedback, MAX_RETRY_AFTER_MS, type Opening } from './limit';
import type { Departure } from './quota';

/** If messages of so many different rows fail in a row, the service is at fault and not the rows. */
const ROWS_TO_PAUSE = 4;
/** Number of messages in flight, or of rows in a batch, while it is not known that the service works. */
const FIRST_PLACES = 10;
const PLACES_PER_SUCCESS = 2;
/** After so long with nothing in flight, it is not known any more. */
const MAX_IDLE_MS = 5_000;
/** After so many successes since a pause, the next pause begins with the shortest delay. */
const SUCCESSES_TO_RECOVER = 100;

/** Less than 30 s, so that sending resumes within 30 s although the health check itself takes time. */
const LONGEST_DELAY_MS = 25_000;
/** The service answers health checks while messages fail, so each further trial costs a message. */
const MANY_FAILED_TRIALS = 10;

/** The wait from one health check to the next. Every second delay is doubled. */
export function waitBeforeHealthCheck(delaysUsed: number, failedTrials: number): number {
	if (failedTrials >= MANY_FAILED_TRIALS) return MAX_RETRY_AFTER_MS;
	return Math.min(1_000 * 2 ** Math.floor(delaysUsed / 2), LONGEST_DELAY_MS);
}

/**
 * Lets messages leave carefully until the service is known to work, pauses while it fails, and finds out
 * when it is back. All runs of an account and API share it. Times are epoch milliseconds.
 */
export class CircuitBreaker {
	/** May leave: messages; only health checks; once one was answered, one message at a time. */
	private state: 'closed' | 'open' | 'halfOpen' = 'closed';
	/** The health check or trial in flight. */
	private pending?: Departure;
	/** When the next health check is due, and since when its delay counts. */
	private dueAtMs = -Infinity;
	private delayedFromMs = -Infinity;
	/** The rows that failed since the last success, and when the first of these messages left. */
	private readonly failedRows = new Map<object, number>();
	private firstFailedSeq = 0;
	/** Messages that left before the pause say nothing about the time after it. */
	private pausedAtMs = -Infinity;
	/** Number of requests that left after the pause and may be in flight, and of those that are. */
	private places = FIRST_PLACES;
	private inFlight = 0;
	private idleSinceMs = -Infinity;
	/** A message has succeeded since the start, the last pause, or the last time with nothing in flight. */
	private isKnown = false;
	private successesSincePause = 0;
	private delaysUsed = 0;
	private failedTrials = 0;
	/** When the service itself asked to be asked again. */
	private toldMs = -Infinity;

	get isClosed(): boolean {
		return this.state === 'closed';
	}

	isPending(departure: Departure): boolean {
		return departure === this.pending;
	}

	/** Number of rows that must not be repeated and may be in one request. */
	get maxRows(): number {
		if (!this.isClosed) return 1;
		return this.isKnown ? Infinity : FIRST_PLACES;
	}

	/** The kind of request that may leave now. The first batch leaves alone. */
	allows(isBatch: boolean, nowMs: number): 'message' | 'healthCheck' | undefined {
		if (this.pending) return undefined;
		if (this.state === 'open') return nowMs < this.dueAtMs ? undefined : 'healthCheck';
		if (this.state === 'halfOpen') return 'message';
		if (this.inFlight === 0 && nowMs - this.idleSinceMs >= MAX_IDLE_MS) {
			this.isKnown = false;
			this.places = Math.min(this.places, FIRST_PLACES);
		}
		const places = isBatch && !this.isKnown ? 1 : this.places;
		return this.inFlight < places ? 'message' : undefined;
	}

	nextHealthCheck(nowMs: number): Opening {
		const isCertain = this.state === 'open' && !this.pending;
		const atMs = isCertain ? this.dueAtMs : this.delayEndsAtMs;
		const retryAtMs = Math.max(atMs, this.toldMs, nowMs);
		return { untilMs: isCertain ? atMs : Infinity, isCertain, retryAtMs };
	}

	depart(departure: Departure): void {
		if (this.isClosed) {
			this.inFlight++;
		} else {
			this.pending = departure;
			this.delayedFromMs = departure.sentMs;
		}
	}

	/** @param maxPlaces number of requests that all runs together may have in flight */
	completed(departure: Departure, end: Feedback, maxPlaces: number, nowMs: number): void {
		const { row, rows = 1 } = end;
		const { service } = ruleOf(end.verdict);
		if (this.isPending(departure)) return this.endPending(end, nowMs);
		if (departure.sentMs <= this.pausedAtMs) return;
		if (--this.inFlight === 0) this.idleSinceMs = nowMs;
		if (!row) return;
		if (service === 'works' || (service === 'declines' && this.isKnown))
			this.places = Math.max(this.places, Math.min(this.places + PLACES_PER_SUCCESS, maxPlaces));
		if (service === 'works') {
			this.succeed();
			if (departure.seq > this.firstFailedSeq) this.failedRows.clear();
		} else if (service === 'fails') {
			if (this.failedRows.size === 0) this.firstFailedSeq = departure.seq;
			this.failedRows.set(row, this.isKnown ? 1 : rows);
			let failed = 0;
			for (const each of this.failedRows.values()) failed += each;
			if (failed >= ROWS_TO_PAUSE) this.pause(end, nowMs);
		}
	}

	private endPending(end: Feedback, nowMs: number): void {
		const { service } = ruleOf(end.verdict);
		const isTrial = this.state === 'halfOpen';
		this.pending = undefined;
		if (isTrial && service === 'works') {
			this.state = 'closed';
			this.failedTrials = 0;
			this.places = 1;
			this.idleSinceMs = nowMs;
			this.succeed();
		} else if (service !== 'fails' && (isTrial || service !== 'nothing')) {
			// The service is there, so a message can tell whether it works.
			this.state = 'halfOpen';
		} else {
			if (isTrial) this.failedTrials++;
			this.wait(end, nowMs);
		}
	}

	private succeed(): void {
		this.isKnown = true;
		if (++this.successesSincePause >= SUCCESSES_TO_RECOVER) this.delaysUsed = 0;
	}

	private pause(end: Feedback, nowMs: number): void {
		this.failedRows.clear();
		this.pausedAtMs = this.delayedFromMs = nowMs;
		this.inFlight = 0;
		this.isKnown = false;
		this.successesSincePause = 0;
		this.wait(end, nowMs);
	}

	private wait({ retryAfterMs = 0 }: Feedback, nowMs: number): void {
		this.state = 'open';
		const retryAtMs = nowMs + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
		this.dueAtMs = Math.max(this.delayEndsAtMs, retryAtMs);
		this.toldMs = nowMs + retryAfterMs;
		this.delaysUsed++;
	}

	private get delayEndsAtMs(): number {
		return this.delayedFromMs + waitBeforeHealthCheck(this.delaysUsed, this.failedTrials);
	}
}
