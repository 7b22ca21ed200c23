import { MINUTE_MS } from '../../shared/slices';

/** A header that differs by this share of the limit belongs to another minute of the service. */
const NEW_MINUTE_SHARE = 0.5;
/** Other clients may send more than before, so we leave them this many times what they took. */
const OTHERS_MARGIN = 2;
/** After so many of our requests, a header that does not count them is ignored. */
const MAX_STRANGE = 8;

/** When a request left, in time and in order over all runs. */
export interface Departure {
	readonly seq: number;
	readonly sentMs: number;
}

/** Estimates how many more requests the service will accept now. Times are epoch milliseconds. */
export class Quota {
	/** A header, the request that it answers, and the latest request sent before it arrived. */
	private reading?: {
		remaining: number;
		seq: number;
		readonly lastSeq: number;
		readonly atMs: number;
	};
	private lastSeq = 0;
	/** When the service counted our own requests of the last minute, oldest first. */
	private readonly countedAtMs: number[] = [];
	/** The newest header; since it changed: when, our own requests of the minute before, and those counted since. */
	private header = { value: NaN, own: 0, requests: 0, sinceMs: 0, isIgnored: false };
	/** Requests counted from one header to the next: ours, and those of all clients. */
	private others = { own: 0, all: 0 };
	private largestLimit: number;

	/** @param statedLimit counts while no header says what remains */
	constructor(private statedLimit: number) {
		this.largestLimit = statedLimit;
	}

	get limitPerMinute(): number {
		return this.statedLimit;
	}

	/** Several credentials of one account can state different limits. No header may exceed the largest. */
	stateLimit(limitPerMinute: number): void {
		this.statedLimit = limitPerMinute;
		this.largestLimit = Math.max(this.largestLimit, limitPerMinute);
	}

	depart(nowMs: number): Departure {
		return { seq: ++this.lastSeq, sentMs: nowMs };
	}

	/** Requests that remain by the headers; null if they say nothing, or the newest is a minute old. */
	remaining(nowMs: number): number | null {
		return this.reading && nowMs - this.reading.atMs < MINUTE_MS ? this.reading.remaining : null;
	}

	/** Number of requests that may be sent while `inFlight` are in flight and `kept` places stay free. */
	room(inFlight: number, kept: number, nowMs: number): number {
		const remaining = this.remaining(nowMs);
		if (remaining === null) return this.limitPerMinute - this.ownRequests(nowMs) - kept - inFlight;
		// Meanwhile other clients take some places too.
		const { own, all } = this.others;
		const placesPerRequest = 1 + (OTHERS_MARGIN * Math.max(0, all - own)) / Math.max(1, own);
		return Math.round((remaining - kept) / placesPerRequest) - inFlight;
	}

	/** By the headers, nothing more may be sent, even with nothing in flight. */
	isUsedUp(nowMs: number): boolean {
		return this.remaining(nowMs) !== null && this.room(0, 0, nowMs) < 1;
	}

	/** When so many of our own requests, or all if there are fewer, are a minute old; infinite if there is none. */
	expiresAtMs(requests: number, nowMs: number): number {
		const last = Math.min(requests, this.ownRequests(nowMs)) - 1;
		return (this.countedAtMs[last] ?? Infinity) + MINUTE_MS;
	}

	/** The service counted, or may have counted, a request. `header`: the requests that remain by it. `inFlight` are not answered. */
	counted(header: number | undefined, departure: Departure, inFlight: number, nowMs: number): void {
		const { reading } = this;
		this.countedAtMs.push(nowMs);
		this.header.requests++;
		if (header === undefined) {
			if (reading && departure.seq > reading.seq) reading.remaining--;
		} else if (this.isCredible(header, nowMs)) {
			this.believe(header, departure, inFlight, nowMs);
		} else {
			this.forgetReading();
		}
	}

	/** From now on, only our own requests of the last minute count. */
	forgetReading(): void {
		this.reading = undefined;
	}

	limited(departure: Departure, nowMs: number): void {
		if (departure.seq > (this.reading?.seq ?? 0)) this.read(0, departure, nowMs);
	}

	/** A header is not credible if it exceeds the limit, such as a daily count, or stays the same. */
	private isCredible(value: number, nowMs: number): boolean {
		const ownNow = this.ownRequests(nowMs);
		if (value !== this.header.value)
			this.header = { value, own: ownNow, requests: 0, sinceMs: nowMs, isIgnored: false };
		const { own, requests, sinceMs } = this.header;
		// It may stay the same where places come back as fast as requests take them: one for each that is a minute old,
		// or evenly.
		const refilled = ((nowMs - sinceMs) * this.limitPerMinute) / MINUTE_MS;
		if (ownNow - own >= MAX_STRANGE && Math.abs(requests - refilled) >= MAX_STRANGE / 2)
			this.header.isIgnored = true;
		return value <= this.largestLimit && !this.header.isIgnored;
	}

	/** Responses can arrive out of order. Of requests that were in flight together, the lowest header is right. */
	private believe(header: number, departure: Departure, inFlight: number, nowMs: number): void {
		const { reading, others } = this;
		if (!reading) return this.read(header, departure, nowMs);
		const change = header - reading.remaining;
		const isNewMinute =
			Math.abs(change) >= this.limitPerMinute * NEW_MINUTE_SHARE &&
			// Requests counted after this one may have been answered before it.
			(change < 0 ||
				change > this.countedAtMs.filter((ms) => ms >= departure.sentMs).length + inFlight);
		const wasInFlight = departure.seq <= reading.lastSeq && !isNewMinute;
		if (wasInFlight ? change >= 0 : departure.seq <= reading.seq) return;
		// Requests sent before a new minute do not delay its end.
		if (isNewMinute) this.forgetUntil(departure.sentMs);
		else if (change < 0) {
			const own = Math.max(0, departure.seq - reading.seq);
			// Knowledge of others fades while as many requests leave as the limit allows in a minute.
			const kept = 1 - 1 / this.limitPerMinute;
			this.others = { own: others.own * kept + own, all: others.all * kept - change };
		}
		if (!wasInFlight) return this.read(header, departure, nowMs);
		reading.remaining = header;
		reading.seq = Math.max(reading.seq, departure.seq);
	}

	private read(remaining: number, { seq }: Departure, nowMs: number): void {
		this.reading = { remaining, seq, lastSeq: this.lastSeq, atMs: nowMs };
	}

	ownRequests(nowMs: number): number {
		this.forgetUntil(nowMs - MINUTE_MS);
		return this.countedAtMs.length;
	}

	private forgetUntil(ms: number): void {
		while ((this.countedAtMs[0] ?? Infinity) <= ms) this.countedAtMs.shift();
	}
}
