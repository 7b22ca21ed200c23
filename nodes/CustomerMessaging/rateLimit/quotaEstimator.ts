import { MINUTE_MS } from '../shared/time';
import { RequestLog } from './requestLog';

/** How much of what is known about other clients is kept from one header to the next. */
const SHARE_KEPT = 0.985;
/** A rise by this share of the limit means that a new window began. */
const NEW_WINDOW_SHARE = 0.5;
/** How long the best reading of the service's clock is kept. */
const CLOCK_KEPT_MS = 5 * MINUTE_MS;
/** A header that leaves no room is believed at least this long. */
const MIN_READING_MS = 1_000;
/** After so many equal headers in a row the header does not count our requests, and is ignored. */
const MAX_EQUAL_HEADERS = 8;
/** Below this share of the limit our own requests do not explain a limit that is used up. */
const EXPLAINING_SHARE = 0.1;

/** What the expected time of a reset is based on. */
export type ResetHeuristic = 'clockMinute' | 'ownRequests' | 'shortWait';

export interface Reset {
	atMs: number;
	heuristic: ResetHeuristic;
}

/** When a request left, in time and in order. */
export interface Departure {
	/** Order of departure over all clients. */
	readonly seq: number;
	readonly sentMs: number;
	/** How many earlier requests had ended by then. */
	readonly endedBefore: number;
}

interface Reading {
	remaining: number;
	atMs: number;
	/** When the oldest of our own requests no longer counts, if the minute slides. */
	oldestExpiresAtMs: number;
}

/**
 * Estimates from the responses how many requests the service will accept now, and when it will
 * accept more. A response says how many requests remain in the current window, but not when that
 * window ends: it may follow the service's clock, start with the first request, slide, or be a
 * bucket that refills. All times are epoch milliseconds.
 */
export class QuotaEstimator {
	private reading?: Reading;
	private newestSeq = 0;
	private lastSeq = 0;
	private ended = 0;
	private lastHeader?: number;
	private equalHeaders = 0;
	private readonly log = new RequestLog();
	/** The service's clock minus ours. `Date` is cut to the second, so this is a lower bound. */
	private clockAhead = { ms: 0, readAtMs: -Infinity };
	/** Requests taken between headers: by us, and by all clients of the account. */
	private taken = { own: 0, all: 0 };

	constructor(public limitPerMinute: number) {}

	/** A request leaves. */
	depart(nowMs: number): Departure {
		return { seq: ++this.lastSeq, sentMs: nowMs, endedBefore: this.ended };
	}

	/** A request has ended, whatever became of it. */
	end(): void {
		this.ended++;
	}

	/** What the newest header said, or null if none is less than a minute old. */
	remaining(nowMs: number): number | null {
		return this.reading && nowMs - this.reading.atMs < MINUTE_MS ? this.reading.remaining : null;
	}

	/** How many more requests may leave if `inFlight` are under way and `reserve` must be left. */
	room(inFlight: number, reserve: number, nowMs: number): number {
		const remaining = this.remaining(nowMs);
		if (remaining === null) return this.limitPerMinute - reserve - this.log.count(nowMs) - inFlight;
		const left = remaining - reserve;
		const room = Math.floor(left / this.takenPerOwnRequest()) - inFlight;
		// With nothing in flight there is no response to wait for, whatever share others take.
		return inFlight === 0 && left > 0 ? Math.max(1, room) : room;
	}

	/** Responses can arrive out of order: only the response to the latest request is current. */
	isNewest({ seq }: Departure): boolean {
		return seq > this.newestSeq;
	}

	/** The service counted, or may have counted, a request; `remaining` is its header, if any. */
	accepted(remaining: number | undefined, departure: Departure, nowMs: number): void {
		this.log.add(nowMs);
		if (remaining === undefined) return;
		const isNewest = this.isNewest(departure);
		if (this.isConstant(remaining, departure, nowMs)) return this.forgetReading(departure);
		const { reading } = this;
		if (reading && this.isReordered(reading, remaining, departure)) {
			reading.remaining = Math.max(1, Math.min(remaining, reading.remaining));
			this.newestSeq = Math.max(departure.seq, this.newestSeq);
		} else if (isNewest) this.read(remaining, departure, nowMs);
	}

	/** The service refused a request because of the limit: nothing remains, whatever a header says. */
	refused(departure: Departure, nowMs: number): void {
		this.equalHeaders = 0;
		this.lastHeader = undefined;
		if (!this.isNewest(departure)) return;
		const wasEmpty = this.reading?.remaining === 0 ? this.reading : undefined;
		this.read(0, departure, nowMs);
		// A refused probe shows that our oldest request does not tell when the window ends.
		if (this.reading && wasEmpty) this.reading.oldestExpiresAtMs = wasEmpty.oldestExpiresAtMs;
	}

	/** Forgets the headers seen so far, so that only our own requests of the last minute count. */
	forgetReading({ seq }: Departure): void {
		this.reading = undefined;
		this.newestSeq = Math.max(seq, this.newestSeq);
	}

	/** Takes in a `Date` header. */
	setClock(dateMs: number, nowMs: number): void {
		const ms = dateMs - nowMs;
		if (ms > this.clockAhead.ms || nowMs - this.clockAhead.readAtMs > CLOCK_KEPT_MS) {
			this.clockAhead = { ms, readAtMs: nowMs };
		}
	}

	/** When the next reset after `sinceMs` is expected. */
	nextReset(sinceMs: number): Reset {
		const { ms: aheadMs } = this.clockAhead;
		const clockMs = (Math.floor((sinceMs + aheadMs) / MINUTE_MS) + 1) * MINUTE_MS - aheadMs;
		const ownMs = this.reading?.oldestExpiresAtMs ?? Infinity;
		return ownMs > sinceMs && ownMs < clockMs
			? { atMs: ownMs, heuristic: 'ownRequests' }
			: { atMs: clockMs, heuristic: 'clockMinute' };
	}

	/** When to look again after the newest header left no room. */
	nextLook(nowMs: number): Reset {
		const sinceMs = this.reading?.atMs ?? nowMs;
		const shortWaitMs = sinceMs + MIN_READING_MS;
		const { atMs, heuristic } = this.nextReset(sinceMs);
		// We have sent too little to use the limit up, so others did, or the header is wrong.
		if (!this.explainsUsedLimit(nowMs)) return { atMs: shortWaitMs, heuristic: 'shortWait' };
		return { atMs: Math.max(atMs, shortWaitMs), heuristic };
	}

	/** When so many of our own requests no longer count, if the minute slides. */
	expiresAtMs(places: number, nowMs: number): number {
		return this.log.expiresAtMs(places, nowMs);
	}

	/**
	 * Requests that are under way together can reach the service in another order than they left. Of
	 * their headers the lowest is right, unless they differ by more than the number of those requests:
	 * then a reset lies between them.
	 */
	protected isReordered(reading: Reading, remaining: number, departure: Departure): boolean {
		if (reading.remaining <= 0 || departure.sentMs > reading.atMs) return false;
		const higherBy = remaining - reading.remaining;
		if (Math.abs(higherBy) > this.lastSeq - departure.endedBefore) return false;
		return higherBy > 0 || !this.isNewest(departure);
	}

	/** Whether the header does not count requests at all. */
	protected isConstant(header: number, { sentMs }: Departure, nowMs: number): boolean {
		const wasUnderWay = this.reading !== undefined && sentMs <= this.reading.atMs;
		if (header !== this.lastHeader) this.equalHeaders = 0;
		// One after the other, requests may see the same header because others use the limit up.
		else if (wasUnderWay || !this.explainsUsedLimit(nowMs)) this.equalHeaders++;
		this.lastHeader = header;
		return this.equalHeaders >= MAX_EQUAL_HEADERS;
	}

	private read(remaining: number, departure: Departure, nowMs: number): void {
		const before = this.reading?.remaining;
		if (before !== undefined && remaining < before) {
			this.taken.own = this.taken.own * SHARE_KEPT + departure.seq - this.newestSeq;
			this.taken.all = this.taken.all * SHARE_KEPT + before - remaining;
		}
		// Requests from before a new window do not delay its end.
		if (this.isNewWindow(before, remaining)) this.log.forgetBefore(departure.sentMs);
		this.newestSeq = departure.seq;
		this.reading = { remaining, atMs: nowMs, oldestExpiresAtMs: this.log.expiresAtMs(1, nowMs) };
	}

	protected isNewWindow(before: number | undefined, remaining: number): boolean {
		return before !== undefined && remaining - before >= this.limitPerMinute * NEW_WINDOW_SHARE;
	}

	/** Whether we have sent enough ourselves for a limit that is used up. */
	protected explainsUsedLimit(nowMs: number): boolean {
		return this.log.count(nowMs) >= this.limitPerMinute * EXPLAINING_SHARE;
	}

	/** How many requests all clients make for each of ours. */
	protected takenPerOwnRequest(): number {
		return this.taken.own === 0 ? 1 : Math.max(1, this.taken.all / this.taken.own);
	}
}
