import { MINUTE_MS } from '../shared/time';
import { HeaderCheck } from './headerCheck';
import { OtherClients } from './otherClients';
import { RequestLog } from './requestLog';
import { type ResetHeuristic, type Reset, ResetHeuristics } from './resetHeuristics';

/** A header that differs by this share of the limit belongs to another window. */
const NEW_WINDOW_SHARE = 0.5;
/** Below this share of the limit our own requests do not explain a limit that is used up. */
const EXPLAINING_SHARE = 0.1;
/** For how long a header that exceeds the latest stated limit confirms a larger one. */
const CONFIRMED_MS = 10 * MINUTE_MS;

/** When a request left, in time and in order. */
export interface Departure {
	/** Order of departure over all clients. */
	readonly seq: number;
	readonly sentMs: number;
}

interface Reading {
	remaining: number;
	readonly atMs: number;
	/** The latest request that had left by then. */
	readonly lastSeq: number;
	/** When our oldest request is a minute old. */
	readonly expiresAtMs: number;
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
	private readonly log = new RequestLog();
	private readonly check = new HeaderCheck();
	private readonly others = new OtherClients();

	/** The limit that counts while no header says what remains. */
	limitPerMinute: number;
	private latestLimit: number;
	private largestLimit: number;
	private exceededAtMs = -Infinity;

	constructor(
		limitPerMinute: number,
		protected readonly heuristics = new ResetHeuristics(),
	) {
		this.limitPerMinute = this.latestLimit = this.largestLimit = limitPerMinute;
	}

	/** Takes in the limit that a credential states. Several credentials of one account can state different ones. */
	stateLimit(limitPerMinute: number): void {
		this.latestLimit = limitPerMinute;
		this.largestLimit = Math.max(this.largestLimit, limitPerMinute);
		if (this.exceededAtMs === -Infinity) this.limitPerMinute = limitPerMinute;
	}

	/** A request leaves. */
	depart(nowMs: number): Departure {
		return { seq: ++this.lastSeq, sentMs: nowMs };
	}

	/** What the headers say remains, or null if the newest is a minute old. */
	remaining(nowMs: number): number | null {
		return this.reading && nowMs - this.reading.atMs < MINUTE_MS ? this.reading.remaining : null;
	}

	/** How many more requests may leave if `inFlight` are under way and `reserve` must be left. */
	room(inFlight: number, reserve: number, nowMs: number): number {
		const remaining = this.remaining(nowMs);
		const allowed =
			remaining === null
				? this.limitPerMinute - this.log.count(nowMs) - reserve
				: Math.round((remaining - reserve) / this.placesPerRequest());
		return allowed - inFlight;
	}

	/** Whether the headers say that nothing may leave, even with nothing in flight. */
	isUsedUp(nowMs: number): boolean {
		return this.remaining(nowMs) !== null && this.room(0, 0, nowMs) < 1;
	}

	/** Whether we have sent enough ourselves for a limit that is used up. */
	explainsUsedLimit(nowMs: number): boolean {
		return this.log.count(nowMs) >= this.limitPerMinute * EXPLAINING_SHARE;
	}

	/** When so many of our own requests are a minute old. */
	expiresAtMs(places: number, nowMs: number): number {
		return this.log.expiresAtMs(places, nowMs);
	}

	/** The next full minute; infinite if it is known that no minute of the service begins then. */
	fullMinuteAtMs(nowMs: number): number {
		return this.heuristics.fullMinuteAtMs(nowMs, nowMs);
	}

	/** When more may remain, after the newest header said that nothing does. */
	nextReset(nowMs: number): Reset | undefined {
		const { atMs = nowMs, expiresAtMs = -Infinity } = this.reading ?? {};
		// If others send as much as we do, they would take what comes back little by little.
		return this.heuristics.next(atMs, expiresAtMs, this.placesPerRequest() < 2, nowMs);
	}

	/** The service counted, or may have counted, a request; `header` is what it says remains. */
	counted(header: number | undefined, departure: Departure, nowMs: number): void {
		this.log.add(nowMs);
		if (header === undefined) {
			if (this.reading && departure.seq > this.newestSeq) this.reading.remaining--;
		} else if (this.isCredible(header, departure, nowMs)) {
			if (header > this.latestLimit) this.exceededAtMs = nowMs;
			const isConfirmed = nowMs - this.exceededAtMs < CONFIRMED_MS;
			this.limitPerMinute = isConfirmed ? this.largestLimit : this.latestLimit;
			this.believe(header, departure, nowMs);
		} else this.forgetReading();
	}

	/** The service refused a request. `probe`: why it left although nothing remained. */
	refused(
		departure: Departure,
		probe: ResetHeuristic | 'backOff' | 'retryAfter' | undefined,
		nowMs: number,
	): void {
		this.check.refused();
		if (probe === 'fullMinute' || probe === 'refill') this.heuristics.wasWrong(probe, nowMs);
		if (departure.seq <= this.newestSeq) return;
		this.read(0, departure, nowMs, probe && this.reading?.expiresAtMs);
	}

	/** Forgets what the headers said, so that only our own requests of the last minute count. */
	forgetReading(): void {
		this.reading = undefined;
	}

	/** Takes in a `Date` header. */
	setClock(dateMs: number, nowMs: number): void {
		this.heuristics.setClock(dateMs, nowMs);
	}

	/** Takes in a header that counts our requests. Responses can arrive in another order than their requests. */
	private believe(header: number, departure: Departure, nowMs: number): void {
		const { reading, newestSeq } = this;
		const wasUnderWay = reading !== undefined && departure.seq <= reading.lastSeq;
		// Responses that overtake each other differ by no more than the requests that had left.
		const isOvertaken = wasUnderWay && header - reading.remaining <= reading.lastSeq;
		const differs = reading !== undefined && this.isOtherWindow(header, reading.remaining);
		const isOtherWindow = differs && !(isOvertaken && header > reading.remaining);
		const isTogether = wasUnderWay && !isOtherWindow;
		if (!isTogether && departure.seq <= newestSeq) return;
		if (reading && !isOtherWindow && header < reading.remaining) {
			this.others.note(Math.max(0, departure.seq - newestSeq), reading.remaining - header);
		}
		// Requests from before a new window do not delay its end.
		if (isOtherWindow) this.log.forgetBefore(departure.sentMs);
		if (!isTogether) this.read(header, departure, nowMs);
		else if (this.isLower(header, reading.remaining)) {
			reading.remaining = Math.max(1, header);
			this.newestSeq = Math.max(newestSeq, departure.seq);
		}
	}

	private read(
		remaining: number,
		{ seq }: Departure,
		nowMs: number,
		expiresAtMs = this.log.expiresAtMs(1, nowMs),
	): void {
		this.newestSeq = seq;
		this.reading = { remaining, atMs: nowMs, lastSeq: this.lastSeq, expiresAtMs };
	}

	protected isCredible(header: number, { seq }: Departure, nowMs: number): boolean {
		const counted = this.log.count(nowMs);
		return this.check.isCredible(header, this.largestLimit, counted, seq, this.lastSeq);
	}

	protected isOtherWindow(header: number, before: number): boolean {
		return Math.abs(header - before) >= this.limitPerMinute * NEW_WINDOW_SHARE;
	}

	/** Of requests that are under way together, the lowest header is right. */
	protected isLower(header: number, before: number): boolean {
		return header < before;
	}

	/** How many places must remain for each request of ours, since others take some of them. */
	protected placesPerRequest(): number {
		return 1 + this.others.placesPerRequest();
	}
}
