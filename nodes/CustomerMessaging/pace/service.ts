import { MINUTE_MS } from '../shared/apis';
import { MAX_RETRY_AFTER_MS, type Departure } from './limit';

/** If messages of so many different rows fail in a row, the service is at fault and not the rows. */
const ROWS_TO_PAUSE = 4;
/** How many messages may be in flight while it is not known that the service works. */
const FIRST_PLACES = 10;
const PLACES_PER_SUCCESS = 2;
/** A success that is older says nothing about the service. */
const SUCCESS_COUNTS_MS = 2 * MINUTE_MS;
/** When the next question is asked, counted from the departure of the last question or try. */
const DELAYS_MS = [1, 1, 2, 2, 4, 4, 8, 8, 16, 16].map((seconds) => seconds * 1_000);
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

/** The probe of a pause is the question or the try in flight. */
type State =
	| { kind: 'sending'; probe?: undefined }
	| { kind: 'waiting'; probe?: undefined; askAtMs: number }
	| { kind: 'asking'; probe: Departure }
	/** The question was answered. One message at a time is sent until one succeeds or fails. */
	| { kind: 'trying'; probe?: Departure };

/**
 * Lets messages leave carefully until the service is known to work, pauses while it fails, and finds out
 * when it is back. All runs of an account and API share it. Times are epoch milliseconds.
 */
export class Service {
	private state: State = { kind: 'sending' };
	/** The rows that failed since the last success, and when the first of these messages left. */
	private readonly failedRows = new Set<object>();
	private firstFailedSeq = 0;
	private lastSeq = 0;
	/** Messages up to this one left before the pause, so they say nothing about the time after it. */
	private pausedSeq = 0;
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
		return this.state.kind === 'sending';
	}

	isProbe(departure: Departure): boolean {
		return departure === this.state.probe;
	}

	/** What may leave now. */
	allows(nowMs: number): 'message' | 'question' | undefined {
		const { state } = this;
		if (state.probe) return undefined;
		if (state.kind === 'waiting') return nowMs < state.askAtMs ? undefined : 'question';
		if (state.kind === 'trying') return 'message';
		if (nowMs - this.lastSuccessMs > SUCCESS_COUNTS_MS)
			this.places = Math.min(this.places, FIRST_PLACES);
		return this.inFlight < this.places ? 'message' : undefined;
	}

	/** When the next question is due. */
	nextQuestion(nowMs: number) {
		const { state } = this;
		const isCertain = state.kind === 'waiting';
		const atMs = isCertain ? state.askAtMs : this.delayedFromMs + this.delayMs();
		const retryAtMs = Math.max(atMs, this.toldMs, nowMs);
		return { untilMs: isCertain ? atMs : Infinity, isCertain, retryAtMs };
	}

	/** A message or a question leaves. */
	depart(departure: Departure): void {
		const { kind } = this.state;
		this.lastSeq = departure.seq;
		if (kind === 'sending') {
			this.inFlight++;
		} else {
			this.state = { kind: kind === 'trying' ? kind : 'asking', probe: departure };
			this.delayedFromMs = departure.sentMs;
		}
	}

	/** @param maxPlaces the sum of what all runs may have in flight */
	cameBack(departure: Departure, end: End, maxPlaces: number, nowMs: number): void {
		const { sign, row } = end;
		if (this.isProbe(departure)) {
			if (this.state.kind === 'trying') this.endTry(end, nowMs);
			else if (answers.has(sign)) this.state = { kind: 'trying' };
			else this.wait(end, nowMs);
			return;
		}
		if (departure.seq <= this.pausedSeq) return;
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

	private endTry(end: End, nowMs: number): void {
		if (failures.has(end.sign)) {
			this.failedTries++;
			this.wait(end, nowMs);
		} else if (end.sign === 'success') {
			this.failedTries = 0;
			this.places = 1;
			this.state = { kind: 'sending' };
			this.succeed(nowMs);
		} else {
			this.state = { kind: 'trying' };
		}
	}

	private succeed(nowMs: number): void {
		this.lastSuccessMs = nowMs;
		if (++this.successesSincePause >= SUCCESSES_TO_RECOVER) this.delaysUsed = 0;
	}

	private pause(end: End, nowMs: number): void {
		this.failedRows.clear();
		this.pausedSeq = this.lastSeq;
		this.inFlight = 0;
		this.successesSincePause = 0;
		this.delayedFromMs = nowMs;
		this.wait(end, nowMs);
	}

	private wait({ retryAfterMs = 0 }: End, nowMs: number): void {
		const dueMs = this.delayedFromMs + this.delayMs();
		const askAtMs = Math.max(dueMs, nowMs + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
		this.delaysUsed++;
		this.toldMs = nowMs + retryAfterMs;
		this.state = { kind: 'waiting', askAtMs };
	}

	private delayMs(): number {
		if (this.failedTries >= MANY_FAILED_TRIES) return DELAY_AFTER_MANY_MS;
		return DELAYS_MS[this.delaysUsed] ?? LONGEST_DELAY_MS;
	}
}
