import { FIRST_WAIT_MS, MEMORY_MS, type Opening } from './limit';
import type { Departure } from './quota';

/** If messages of so many different rows fail in a row, the service is at fault and not the rows. */
const ROWS_TO_PAUSE = 4;
/** How many messages may be in flight, or rows in a batch, while it is not known that the service works. */
const FIRST_PLACES = 10;
const PLACES_PER_SUCCESS = 2;
/** After so long with nothing in flight, it is not known any more. */
const MAX_IDLE_MS = 5_000;
/** Less than 30 s, so that sending resumes within 30 s although the health check itself takes time. */
const LONGEST_DELAY_MS = 25_000;
/** The service answers health checks while messages fail, so each further trial costs a message. */
const MANY_FAILED_TRIALS = 10;
/** After so many successes since a pause, the next pause begins with the shortest delay. */
const SUCCESSES_TO_RECOVER = 100;

/**
 * What the end of a message or a health check says about the service. `success`: 2xx, or a refusal for the
 * content, such as 400. `declined`: 2xx, but the answer says that it failed. `failure`: 5xx, 408, 302, 303, no answer, or no connection. `webPage`: a 2xx
 * answer that the service did not write. `unknownHost`: DNS does not know the host. `unauthorized`: 401.
 * `forbidden`: 403. `notFound`: 404, or another answer of an address that takes no messages. `none`: 429,
 * or nothing was sent.
 */
export type Sign =
	| 'success'
	| 'declined'
	| 'failure'
	| 'webPage'
	| 'unknownHost'
	| 'unauthorized'
	| 'forbidden'
	| 'notFound'
	| 'none';

/** How a message ended, or a health check, which has no row. */
export interface Completion {
	sign: Sign;
	/** Stands for the request's row, or rows: the same for each attempt. It is kept, so it should hold nothing. */
	row?: object;
	/** How many rows the request carries that must not be repeated. */
	rows?: number;
	/** The header `Retry-After`. */
	retryAfterMs?: number;
}

const failures: ReadonlySet<Sign> = new Set(['failure', 'webPage', 'unknownHost']);
/** The service is there, so a message can tell whether it works. */
const answers: ReadonlySet<Sign> = new Set([
	'success',
	'declined',
	'unauthorized',
	'forbidden',
	'notFound',
]);

/**
 * Lets messages leave carefully until the service is known to work, pauses while it fails, and finds out
 * when it is back. All runs of an account and API share it. Times are epoch milliseconds.
 */
export class CircuitBreaker {
	/** What may leave: messages (closed), only health checks (open), or once one was answered, one message at a time (half-open). */
	private state: 'closed' | 'open' | 'halfOpen' = 'closed';
	/** The health check or trial in flight. */
	private pending?: Departure;
	private dueAtMs = -Infinity;
	/** The rows that failed since the last success, and when the first of these messages left. */
	private readonly failedRows = new Map<object, number>();
	private firstFailedSeq = 0;
	/** Messages that left before the pause say nothing about the time after it. */
	private pausedAtMs = -Infinity;
	/** How many requests that left after the pause may be in flight, and are. */
	private places = FIRST_PLACES;
	private inFlight = 0;
	private idleSinceMs = -Infinity;
	/** Whether a message has succeeded since the start, the last pause, or the last time with nothing in flight. */
	private isKnown = false;
	private successesSincePause = 0;
	private delaysUsed = 0;
	private delayedFromMs = -Infinity;
	private failedTrials = 0;
	/** When the service itself asked to be asked again. */
	private toldMs = -Infinity;

	get isClosed(): boolean {
		return this.state === 'closed';
	}

	isPending(departure: Departure): boolean {
		return departure === this.pending;
	}

	/** How many rows that must not be repeated one request may carry. */
	get maxRows(): number {
		if (!this.isClosed) return 1;
		return this.isKnown ? Infinity : FIRST_PLACES;
	}

	/** What may leave now. The first batch leaves alone. */
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

	/** When the next health check is due. */
	nextHealthCheck(nowMs: number): Opening {
		const isCertain = this.state === 'open' && !this.pending;
		const atMs = isCertain ? this.dueAtMs : this.delayedFromMs + this.delayMs();
		const retryAtMs = Math.max(atMs, this.toldMs, nowMs);
		return { untilMs: isCertain ? atMs : Infinity, isCertain, retryAtMs };
	}

	/** A message or a health check leaves. */
	depart(departure: Departure): void {
		if (this.isClosed) {
			this.inFlight++;
		} else {
			this.pending = departure;
			this.delayedFromMs = departure.sentMs;
		}
	}

	/** @param maxPlaces the sum of what all runs may have in flight */
	completed(departure: Departure, end: Completion, maxPlaces: number, nowMs: number): void {
		const { sign, row, rows = 1 } = end;
		if (this.isPending(departure)) return this.endPending(end, nowMs);
		if (departure.sentMs <= this.pausedAtMs) return;
		if (--this.inFlight === 0) this.idleSinceMs = nowMs;
		if (!row) return;
		if (sign === 'success' || (sign === 'declined' && this.isKnown)) {
			const wider = Math.min(this.places + PLACES_PER_SUCCESS, maxPlaces);
			this.places = Math.max(this.places, wider);
		}
		if (sign === 'success') {
			this.succeed();
			if (departure.seq > this.firstFailedSeq) this.failedRows.clear();
		} else if (failures.has(sign)) {
			if (this.failedRows.size === 0) this.firstFailedSeq = departure.seq;
			this.failedRows.set(row, this.isKnown ? 1 : rows);
			let failed = 0;
			for (const each of this.failedRows.values()) failed += each;
			if (failed >= ROWS_TO_PAUSE) this.pause(end, nowMs);
		}
	}

	private endPending(end: Completion, nowMs: number): void {
		const { sign } = end;
		const isTrial = this.state === 'halfOpen';
		this.pending = undefined;
		if (isTrial && sign === 'success') {
			this.state = 'closed';
			this.failedTrials = 0;
			this.places = 1;
			this.idleSinceMs = nowMs;
			this.succeed();
		} else if (isTrial ? !failures.has(sign) : answers.has(sign)) {
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

	private pause(end: Completion, nowMs: number): void {
		this.failedRows.clear();
		this.pausedAtMs = this.delayedFromMs = nowMs;
		this.inFlight = 0;
		this.isKnown = false;
		this.successesSincePause = 0;
		this.wait(end, nowMs);
	}

	private wait({ retryAfterMs = 0 }: Completion, nowMs: number): void {
		const dueMs = this.delayedFromMs + this.delayMs();
		this.state = 'open';
		this.dueAtMs = Math.max(dueMs, nowMs + Math.min(retryAfterMs, MEMORY_MS));
		this.toldMs = nowMs + retryAfterMs;
		this.delaysUsed++;
	}

	/** Until the next health check, from the departure of the last health check or trial. Every second delay is doubled. */
	private delayMs(): number {
		if (this.failedTrials >= MANY_FAILED_TRIALS) return MEMORY_MS;
		return Math.min(FIRST_WAIT_MS * 2 ** Math.floor(this.delaysUsed / 2), LONGEST_DELAY_MS);
	}
}
