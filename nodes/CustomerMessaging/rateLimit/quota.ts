import { MINUTE_MS } from '../shared/time';
import { HeaderCheck } from './headerCheck';

/** A header that differs by this share of the limit belongs to another minute of the service. */
const NEW_MINUTE_SHARE = 0.5;
/** How much of what is known about other clients is kept from one header to the next. */
const OTHERS_KEPT = 0.985;
/** Other clients may send more than before, so we leave them this many times what they took. */
const OTHERS_MARGIN = 2;

/** When a request was sent, in time and in order. */
export interface Departure {
	/** Order of departure over all runs. */
	readonly seq: number;
	readonly sentMs: number;
}

/** What a header says. */
interface Reading {
	remaining: number;
	/** The request that it answers. */
	seq: number;
	/** The latest request sent before the header arrived. */
	readonly lastSeq: number;
	readonly atMs: number;
}

/** How many more requests the service will accept now. Times are epoch milliseconds. */
export class Quota {
	private reading?: Reading;
	private lastSeq = 0;
	/** When the service counted our own requests of the last minute, oldest first. */
	private readonly countedAtMs: number[] = [];
	private readonly check = new HeaderCheck();
	/** Requests counted from one header to the next: ours, and those of all clients. */
	private others = { own: 0, all: 0 };
	private largestLimit: number;

	/** @param limitPerMinute what counts while no header says what remains */
	constructor(public limitPerMinute: number) {
		this.largestLimit = limitPerMinute;
	}

	/** Several credentials of one account can state different limits. No header may exceed the largest. */
	stateLimit(limitPerMinute: number): void {
		this.limitPerMinute = limitPerMinute;
		this.largestLimit = Math.max(this.largestLimit, limitPerMinute);
	}

	depart(nowMs: number): Departure {
		return { seq: ++this.lastSeq, sentMs: nowMs };
	}

	/** What the headers say remains; null if they say nothing, or the newest is a minute old. */
	remaining(nowMs: number): number | null {
		return this.reading && nowMs - this.reading.atMs < MINUTE_MS ? this.reading.remaining : null;
	}

	/** How many more requests may be sent while `inFlight` are in flight and `kept` places stay free. */
	room(inFlight: number, kept: number, nowMs: number): number {
		const remaining = this.remaining(nowMs);
		const allowed =
			remaining === null
				? this.limitPerMinute - this.ownRequests(nowMs) - kept
				: Math.round((remaining - kept) / this.placesPerRequest());
		return allowed - inFlight;
	}

	/** Whether the headers say that nothing more may be sent, even with nothing in flight. */
	isUsedUp(nowMs: number): boolean {
		return this.remaining(nowMs) !== null && this.room(0, 0, nowMs) < 1;
	}

	/** Our own requests of the last minute. */
	ownRequests(nowMs: number): number {
		this.forgetUntil(nowMs - MINUTE_MS);
		return this.countedAtMs.length;
	}

	/** When so many of them, or all if there are fewer, are a minute old; infinite if there is none. */
	expiresAtMs(requests: number, nowMs: number): number {
		const last = Math.min(requests, this.ownRequests(nowMs)) - 1;
		return (this.countedAtMs[last] ?? Infinity) + MINUTE_MS;
	}

	/** The service counted, or may have counted, a request. `header` is what it says remains. */
	counted(header: number | undefined, departure: Departure, nowMs: number): void {
		const { reading } = this;
		this.countedAtMs.push(nowMs);
		if (header !== undefined) {
			if (this.isCredible(header, departure, nowMs)) this.believe(header, departure, nowMs);
			else this.forgetReading();
		} else if (reading && departure.seq > reading.seq) {
			reading.remaining--;
		}
	}

	/** From now on, only our own requests of the last minute count. */
	forgetReading(): void {
		this.reading = undefined;
	}

	refused(departure: Departure, nowMs: number): void {
		if (departure.seq > (this.reading?.seq ?? 0)) this.read(0, departure, nowMs);
	}

	/** How many places one request of ours needs, because other clients take some meanwhile. */
	protected placesPerRequest(): number {
		const { own, all } = this.others;
		return 1 + (OTHERS_MARGIN * Math.max(0, all - own)) / Math.max(1, own);
	}

	protected isCredible(header: number, { seq }: Departure, nowMs: number): boolean {
		const own = this.ownRequests(nowMs);
		return this.check.isCredible(header, this.largestLimit, own, seq, this.lastSeq);
	}

	/** Responses can arrive out of order. Of requests that were in flight together, the lowest header is right. */
	protected believe(header: number, departure: Departure, nowMs: number): void {
		const { reading } = this;
		if (!reading) return this.read(header, departure, nowMs);
		const change = header - reading.remaining;
		const isNewMinute = this.isNewMinute(change);
		const wasInFlight = departure.seq <= reading.lastSeq && !isNewMinute;
		if (wasInFlight ? change >= 0 : departure.seq <= reading.seq) return;
		// What was sent before a new minute does not delay its end.
		if (isNewMinute) this.forgetUntil(departure.sentMs);
		else if (change < 0) this.noteOthers(Math.max(0, departure.seq - reading.seq), -change);
		if (!wasInFlight) return this.read(header, departure, nowMs);
		reading.remaining = header;
		reading.seq = Math.max(reading.seq, departure.seq);
	}

	protected isNewMinute(change: number): boolean {
		return Math.abs(change) >= this.limitPerMinute * NEW_MINUTE_SHARE;
	}

	private noteOthers(own: number, all: number): void {
		this.others = {
			own: this.others.own * OTHERS_KEPT + own,
			all: this.others.all * OTHERS_KEPT + all,
		};
	}

	private read(remaining: number, { seq }: Departure, nowMs: number): void {
		this.reading = { remaining, seq, lastSeq: this.lastSeq, atMs: nowMs };
	}

	private forgetUntil(ms: number): void {
		while ((this.countedAtMs[0] ?? Infinity) <= ms) this.countedAtMs.shift();
	}
}
