import { MINUTE_MS } from '../shared/apis';
import { type Departure, MAX_RETRY_AFTER_MS, type Opening } from './limit';

/** If messages of so many different rows fail in a row, the service is at fault and not the rows. */
const ROWS_TO_PAUSE = 4;
/** How many messages may be in flight while it is not known that the service works. */
const FIRST_PLACES = 10;
const PLACES_PER_SUCCESS = 2;
/** A success that is older says nothing about the service. */
const SUCCESS_COUNTS_MS = 2 * MINUTE_MS;
/** When the first question is asked, counted from the departure of the last question or try. Every second delay is doubled. */
const FIRST_DELAY_MS = 1_000;
/** Less than 30 s, so that sending resumes within 30 s although the question itself takes time. */
const LONGEST_DELAY_MS = 25_000;
/** The service answers questions while messages fail, so each further try costs a message. */
const MANY_FAILED_TRIES = 10;
const DELAY_AFTER_MANY_MS = 5 * MINUTE_MS;
/** After so many successes since a pause, the next pause begins with the shortest delay. */
const SUCCESSES_TO_RECOVER = 100;

/**
 * What the end of a message or a question says about the service. `success`: 2xx, or a refusal for the
 * content, such as 400. `failure`: 5xx, 408, 302, 303, no answer, or no connection. `webPage`: a 2xx
 * answer that the service did not write. `unknownHost`: DNS does not know the host. `unauthorized`: 401.
 * `forbidden`: 403. `notFound`: 404, or another answer of an address that takes no messages. `none`: 429,
 * or nothing was sent.
 */
export type Sign =
	| 'success'
	| 'failure'
	| 'webPage'
	| 'unknownHost'
	| 'unauthorized'
	| 'forbidden'
	| 'notFound'
	| 'none';

/** How a message ended, or a question, which has no row. */
export interface End {
	sign: Sign;
	/** The same object for each attempt of a row. */
	row?: object;
	/** The header `Retry-After`. */
	retryAfterMs?: number;
}

const failures: ReadonlySet<Sign> = new Set(['failure', 'webPage', 'unknownHost']);
/** The service is there, so a message can tell whether it works. */
const answers: ReadonlySet<Sign> = new Set(['success', 'forbidden', 'notFound']);

/**
 * Lets messages leave carefully until the service is known to work, pauses while it fails, and finds out
 * when it is back. All runs of an account and API share it. Times are epoch milliseconds.
 */
export class Service {
	/** What may leave: messages, only questions, or once one was answered, one message at a time. */
	private phase: 'sending' | 'asking' | 'trying' = 'sending';
	/** The question or try in flight. */
	private probe?: Departure;
	private askAtMs = -Infinity;
	/** The rows that failed since the last success, and when the first of these messages left. */
	private readonly failedRows = new Set<object>();
	private firstFailedSeq = 0;
	/** Messages that left before the pause say nothing about the time after it. */
	private pausedAtMs = -Infinity;
	/** How many requests that left after the pause may be in flight, and are. */
	private places = FIRST_PLACES;
	private inFlight = 0;
	private lastSuccessMs = -Infinity;
	private successesSincePause = 0;
	private delaysUsed = 0;
	private delayedFromMs = -Infinity;
	private failedTries = 0;
	/** When the service itself asked to be asked again. */
	private toldMs = -Infinity;

	get isSending(): boolean {
		return this.phase === 'sending';
	}

	isProbe(departure: Departure): boolean {
		return departure === this.probe;
	}

	/** What may leave now. */
	allows(nowMs: number): 'message' | 'question' | undefined {
		if (this.probe) return undefined;
		if (this.phase === 'asking') return nowMs < this.askAtMs ? undefined : 'question';
		if (this.phase === 'trying') return 'message';
		if (nowMs - this.lastSuccessMs > SUCCESS_COUNTS_MS)
			this.places = Math.min(this.places, FIRST_PLACES);
		return this.inFlight < this.places ? 'message' : undefined;
	}

	/** When the next question is due. */
	nextQuestion(nowMs: number): Opening {
		const isCertain = this.phase === 'asking' && !this.probe;
		const atMs = isCertain ? this.askAtMs : this.delayedFromMs + this.delayMs();
		const retryAtMs = Math.max(atMs, this.toldMs, nowMs);
		return { untilMs: isCertain ? atMs : Infinity, isCertain, retryAtMs };
	}

	/** A message or a question leaves. */
	depart(departure: Departure): void {
		if (this.isSending) {
			this.inFlight++;
		} else {
			this.probe = departure;
			this.delayedFromMs = departure.sentMs;
		}
	}

	/** @param maxPlaces the sum of what all runs may have in flight */
	cameBack(departure: Departure, end: End, maxPlaces: number, nowMs: number): void {
		const { sign, row } = end;
		if (this.isProbe(departure)) return this.endProbe(end, nowMs);
		if (departure.sentMs <= this.pausedAtMs) return;
		this.inFlight--;
		if (!row) return;
		if (sign === 'success') {
			const wider = Math.min(this.places + PLACES_PER_SUCCESS, maxPlaces);
			this.places = Math.max(this.places, wider);
			this.succeed(nowMs);
			if (departure.seq > this.firstFailedSeq) this.failedRows.clear();
		} else if (failures.has(sign)) {
			if (this.failedRows.size === 0) this.firstFailedSeq = departure.seq;
			this.failedRows.add(row);
			if (this.failedRows.size >= ROWS_TO_PAUSE) this.pause(end, nowMs);
		}
	}

	private endProbe(end: End, nowMs: number): void {
		const { sign } = end;
		const isTry = this.phase === 'trying';
		this.probe = undefined;
		if (isTry && sign === 'success') {
			this.phase = 'sending';
			this.failedTries = 0;
			this.places = 1;
			this.succeed(nowMs);
		} else if (isTry ? !failures.has(sign) : answers.has(sign)) {
			this.phase = 'trying';
		} else {
			if (isTry) this.failedTries++;
			this.wait(end, nowMs);
		}
	}

	private succeed(nowMs: number): void {
		this.lastSuccessMs = nowMs;
		if (++this.successesSincePause >= SUCCESSES_TO_RECOVER) this.delaysUsed = 0;
	}

	private pause(end: End, nowMs: number): void {
		this.failedRows.clear();
		this.pausedAtMs = this.delayedFromMs = nowMs;
		this.inFlight = 0;
		this.successesSincePause = 0;
		this.wait(end, nowMs);
	}

	private wait({ retryAfterMs = 0 }: End, nowMs: number): void {
		const dueMs = this.delayedFromMs + this.delayMs();
		this.phase = 'asking';
		this.askAtMs = Math.max(dueMs, nowMs + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
		this.toldMs = nowMs + retryAfterMs;
		this.delaysUsed++;
	}

	private delayMs(): number {
		if (this.failedTries >= MANY_FAILED_TRIES) return DELAY_AFTER_MANY_MS;
		return Math.min(FIRST_DELAY_MS * 2 ** Math.floor(this.delaysUsed / 2), LONGEST_DELAY_MS);
	}
}
