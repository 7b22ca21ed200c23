export const MINUTE_MS = 60_000;
const CLOCK_MEMORY_MS = 5 * MINUTE_MS;

/** How far back the share of others is remembered, in answers. */
const SHARE_MEMORY = 0.97;
/** A server that refills by the second lets a request through this soon after the last was refused. */
const REFILL_MS = 2_000;
/** An opening this soon after the full minute speaks for a window that follows the clock. */
const AFTER_MINUTE_MS = 5_000;

/** Why one probe was due: what it proves wrong when it is refused. */
export type Guess = 'clock' | 'log' | 'refill' | 'backoff';

/**
 * What can be known of the service's window from its answers. The spec (§8) gives a limit per minute
 * and a header with what is left, but not when the minute begins: with the clock, with the first
 * request, 60 s ago (sliding), or never (a bucket that refills). All times are epoch milliseconds.
 */
export class Window {
	/** The newest header in order of sending, since answers overtake each other. */
	private seen?: { remaining: number; atMs: number };
	private seenSeq = 0;
	/** Requests that ended without moving `seen`, so that it may or may not include them. */
	private unseen = 0;
	/** When our own counted requests came back, oldest first from index `first`. */
	private log: number[] = [];
	private first = 0;
	/** The service's clock less ours, at the least: `Date` is cut to the second. */
	private ahead?: { ms: number; atMs: number };
	private ownTaken = 0;
	private allTaken = 0;
	private followsClock = true;
	private refills = true;
	private logHolds = true;
	private most = 0;

	constructor(public limitPerMinute: number) {}

	/** What is left by the newest header, or null where it says nothing about this minute. */
	remaining(nowMs: number): number | null {
		return this.seen && nowMs - this.seen.atMs < MINUTE_MS ? this.seen.remaining : null;
	}

	/** How many more requests may go when `inFlight` are out and `reserve` are kept for others. */
	room(inFlight: number, reserve: number, nowMs: number): number {
		const remaining = this.remaining(nowMs);
		if (remaining === null) return this.limitPerMinute - reserve - this.logged(nowMs) - inFlight;
		const left = remaining - reserve;
		const room = Math.floor(left / this.takenPerOwn) - inFlight - this.unseen;
		// With nothing in flight there is nothing to wait for: one goes and finds out.
		return inFlight === 0 && left > 0 ? Math.max(1, room) : room;
	}

	isNewer(seq: number): boolean {
		return seq > this.seenSeq;
	}

	/** An answer's header, to a request that was the `seq`th to be sent. */
	see(remaining: number, seq: number, overlapping: number, nowMs: number): void {
		if (this.seen && remaining < this.seen.remaining) {
			this.ownTaken = this.ownTaken * SHARE_MEMORY + seq - this.seenSeq;
			this.allTaken = this.allTaken * SHARE_MEMORY + this.seen.remaining - remaining;
		}
		this.most = Math.max(this.most, remaining);
		this.seen = { remaining, atMs: nowMs };
		this.seenSeq = seq;
		this.unseen = overlapping;
	}

	/** A request ended, and no header told whether it was counted. */
	passUnseen(): void {
		this.unseen++;
	}

	/** The service counted a request of ours. */
	count(nowMs: number): void {
		this.log.push(nowMs);
	}

	/** Headers are no guide for now: go by our own log. */
	forgetSeen(seq: number): void {
		this.seen = undefined;
		this.seenSeq = seq;
	}

	setClock(dateMs: number, nowMs: number): void {
		const ms = dateMs - nowMs;
		if (!this.ahead || ms > this.ahead.ms || nowMs - this.ahead.atMs > CLOCK_MEMORY_MS) {
			this.ahead = { ms, atMs: nowMs };
		}
	}

	/** When the window, exhausted at `sinceMs`, is likely to have room again. */
	opening(sinceMs: number, nowMs: number): { atMs: number; guess: Guess } {
		const log = this.logHolds ? this.logOpening(nowMs) : Infinity;
		let opening: { atMs: number; guess: Guess } = { atMs: log, guess: 'log' };
		const clock = this.clockOpening(sinceMs);
		if (this.followsClock && clock < opening.atMs) opening = { atMs: clock, guess: 'clock' };
		if (this.refills && sinceMs + REFILL_MS < opening.atMs) {
			opening = { atMs: sinceMs + REFILL_MS, guess: 'refill' };
		}
		return opening;
	}

	/** When a whole window's worth is likely to come: nothing need be kept back just before it. */
	fullOpening(nowMs: number): number {
		const log = this.logOpening(nowMs);
		return this.followsClock ? Math.min(log, this.clockOpening(nowMs)) : log;
	}

	wasWrong(guess: Guess): void {
		if (guess === 'clock') this.followsClock = false;
		if (guess === 'refill') this.refills = false;
		if (guess === 'log') this.logHolds = false;
	}

	/** A request found the exhausted window open. */
	opened(nowMs: number): void {
		this.logHolds = true;
		if (this.seen && this.seen.remaining >= 0.9 * this.most) this.first = this.log.length - 1;
		this.followsClock = (nowMs + (this.ahead?.ms ?? 0)) % MINUTE_MS < AFTER_MINUTE_MS;
	}

	private get takenPerOwn(): number {
		return this.ownTaken === 0 ? 1 : Math.max(1, this.allTaken / this.ownTaken);
	}

	private clockOpening(sinceMs: number): number {
		const aheadMs = this.ahead?.ms ?? 0;
		return (Math.floor((sinceMs + aheadMs) / MINUTE_MS) + 1) * MINUTE_MS - aheadMs;
	}

	private logOpening(nowMs: number): number {
		return this.logged(nowMs) === 0 ? nowMs : (this.log[this.first] ?? nowMs) + MINUTE_MS;
	}

	private logged(nowMs: number): number {
		const fromMs = nowMs - MINUTE_MS;
		while ((this.log[this.first] ?? Infinity) <= fromMs) this.first++;
		if (this.first > 1_000 && this.first > this.log.length / 2) {
			this.log = this.log.slice(this.first);
			this.first = 0;
		}
		return this.log.length - this.first;
	}
}
