import { MINUTE_MS, OwnLog } from './ownLog';

/** How much of the share taken by others is kept from one header to the next. */
const SHARE_KEPT = 0.985;
/** A service that refills by the second lets one through this soon after it refused the last. */
const REFILL_MS = 2_000;
/** After so long a lull a header may be out of date: one request goes ahead to look. */
const LULL_MS = 2_000;
/** An opening this soon after a full minute speaks for a window that follows the clock. */
const AFTER_MINUTE_MS = 5_000;
/** For how long the best reading of the service's clock is kept. */
const CLOCK_KEPT_MS = 5 * MINUTE_MS;
/** A header with this share of the most that was ever left belongs to a new window. */
const FRESH_SHARE = 0.9;
/** A rise by this share of the most that was ever left is no trickle: the window began anew. */
const RESET_SHARE = 0.5;
/** So many answers in a row without the header, and it is no longer counted on. */
const SILENT_ANSWERS = 10;

/** What speaks for an opening at a certain time. */
export type Guess = 'clock' | 'log' | 'refill' | 'backoff';

/** When a request left, in time and in order. */
export interface Departure {
	/** Order of sending, over all runs. */
	readonly seq: number;
	readonly sentMs: number;
	/** How many requests had come back when it left. */
	readonly endedBefore: number;
}

/**
 * What can be known of the service's window from its answers. The spec (§8) gives a limit per minute
 * and a header with what is left, but not when the minute begins: with the clock, with the first
 * request, 60 s ago (sliding), or never (a bucket that refills). All times are epoch milliseconds.
 */
export class Window {
	private seen?: { remaining: number; atMs: number; logOpensMs: number };
	private newestSeq = 0;
	private ended = 0;
	/** Requests that came back without a header since `seen`. */
	private mute = 0;
	private silentAnswers = 0;
	private mostRemaining = 0;
	private readonly log = new OwnLog();
	/** The service's clock less ours, at the least: `Date` is cut to the second. */
	private ahead = { ms: 0, readMs: -Infinity };
	/** What was taken between headers, by us and by all. */
	private taken = { own: 0, all: 0 };
	private readonly wrong = new Set<Guess>();
	/** Whether a window was seen to begin anew at a full minute. */
	private followsClock = false;

	constructor(public limitPerMinute: number) {}

	depart(seq: number, nowMs: number): Departure {
		return { seq, sentMs: nowMs, endedBefore: this.ended };
	}

	/** What is left by the newest header, or null where none speaks of this minute. */
	remaining(nowMs: number): number | null {
		return this.seen && nowMs - this.seen.atMs < MINUTE_MS ? this.seen.remaining : null;
	}

	/** Whether the newest header is so old that others may have taken what it said was left. */
	isLull(nowMs: number): boolean {
		return this.seen !== undefined && nowMs - this.seen.atMs > LULL_MS;
	}

	/** What a window holds: the limit, or less where the headers never told of so much. */
	get capacity(): number {
		return Math.min(this.limitPerMinute, this.mostRemaining || Infinity);
	}

	/** How many more requests may go when `inFlight` are out and `reserve` are kept for others. */
	room(inFlight: number, reserve: number, nowMs: number): number {
		const remaining = this.remaining(nowMs);
		if (remaining === null) return this.limitPerMinute - reserve - this.log.count(nowMs) - inFlight;
		const left = remaining - reserve;
		const room = Math.floor(left / this.takenPerOwn()) - inFlight - this.mute;
		// With nothing in flight there is nothing to wait for: one goes and finds out.
		return inFlight === 0 && left > 0 ? Math.max(1, room) : room;
	}

	isNewest({ seq }: Departure): boolean {
		return seq > this.newestSeq;
	}

	/** The service counted a request of ours. */
	count(nowMs: number): void {
		this.log.add(nowMs);
	}

	/** A request came back without a header. */
	miss(): void {
		this.ended++;
		this.mute++;
		this.silentAnswers++;
	}

	/**
	 * A header. Answers overtake each other, so it is believed only if no later request's was seen
	 * before; and requests overtake each other, so that of two that were out together the lower
	 * header counts, unless they are so far apart that a new window lies between.
	 */
	see(remaining: number, departure: Departure, nowMs: number): void {
		const together = this.ended++ - departure.endedBefore;
		this.silentAnswers = 0;
		const seen = this.seen;
		if (!this.isNewest(departure)) {
			if (seen && remaining < seen.remaining && seen.remaining - remaining <= together) {
				seen.remaining = Math.max(1, remaining);
			}
			return;
		}
		const ownTaken = departure.seq - this.newestSeq;
		this.newestSeq = departure.seq;
		if (seen && remaining < seen.remaining) {
			this.taken.own = this.taken.own * SHARE_KEPT + ownTaken;
			this.taken.all = this.taken.all * SHARE_KEPT + seen.remaining - remaining;
		}
		if (seen && seen.atMs >= departure.sentMs && remaining > seen.remaining) {
			if (seen.remaining > 0 && remaining - seen.remaining <= together) return;
		}
		this.mostRemaining = Math.max(this.mostRemaining, remaining);
		if (seen && remaining > seen.remaining) this.rise(seen, remaining, departure, nowMs);
		this.seen = { remaining, atMs: nowMs, logOpensMs: this.logOpening(nowMs) };
		this.mute = 0;
	}

	/** A 429: nothing is left, whether or not a header says so. */
	refuse(departure: Departure, nowMs: number): void {
		const { silentAnswers } = this;
		this.see(0, departure, nowMs);
		this.silentAnswers = silentAnswers;
	}

	/** Whether the header is only missing for once. */
	get expectsHeaders(): boolean {
		return this.silentAnswers < SILENT_ANSWERS;
	}

	/** Headers are no guide for now: go by our own log. */
	goByLog({ seq }: Departure): void {
		this.seen = undefined;
		this.newestSeq = seq;
	}

	setClock(dateMs: number, nowMs: number): void {
		const ms = dateMs - nowMs;
		if (ms > this.ahead.ms || nowMs - this.ahead.readMs > CLOCK_KEPT_MS) {
			this.ahead = { ms, readMs: nowMs };
		}
	}

	/** When a window exhausted at `nowMs` is first likely to have room again, and why. */
	opening(nowMs: number): { atMs: number; guess: Guess } {
		return this.firstGuess(nowMs, this.logOpening(nowMs));
	}

	/** When it is worth looking whether there is more left than the newest header said, and why. */
	outdated(nowMs: number): { atMs: number; guess: Guess } {
		if (!this.seen || this.remaining(nowMs) === null) {
			return { atMs: this.logOpening(nowMs), guess: 'log' };
		}
		const { atMs, guess } = this.firstGuess(this.seen.atMs, this.seen.logOpensMs);
		return { atMs: Math.max(atMs, this.seen.atMs + LULL_MS), guess };
	}

	/** When at least `places` are likely to come free. */
	wideOpening(places: number, nowMs: number): number {
		const byLogMs = this.log.freesAt(places, nowMs) ?? Infinity;
		if (!this.followsClock || this.wrong.has('clock')) return byLogMs;
		return Math.min(byLogMs, this.clockOpening(nowMs));
	}

	private firstGuess(sinceMs: number, logOpensMs: number): { atMs: number; guess: Guess } {
		// Places come free at this pace at best, whatever our log says.
		const slotMs = MINUTE_MS / this.limitPerMinute;
		const guesses: Array<{ atMs: number; guess: Guess }> = [
			{ atMs: Math.max(logOpensMs, sinceMs + slotMs), guess: 'log' },
			{ atMs: this.clockOpening(sinceMs), guess: 'clock' },
			{ atMs: sinceMs + REFILL_MS, guess: 'refill' },
		];
		let first: { atMs: number; guess: Guess } = { atMs: Infinity, guess: 'backoff' };
		for (const guess of guesses) {
			if (!this.wrong.has(guess.guess) && guess.atMs < first.atMs) first = guess;
		}
		return first;
	}

	/** A request sent after a lull found `remaining`: if that is no more, the guess was wrong. */
	lookedAgain(remaining: number, { sentMs }: Departure): void {
		const { atMs, guess } = this.outdated(sentMs);
		// Places of our own log come free one by one, and this one took one.
		if (guess === 'log' || atMs > sentMs || !this.seen) return;
		if (remaining < this.seen.remaining) this.wrong.add(guess);
	}

	wasWrong(guess: Guess): void {
		this.wrong.add(guess);
	}

	/** There was less left than the headers and our own requests account for: others took it. */
	wasOvertaken(): void {
		this.taken.own = Math.max(1, this.taken.own);
		this.taken.all = Math.max(this.taken.all, this.taken.own) + this.taken.own / 2;
	}

	/** A request found the exhausted window open. */
	opened(): void {
		this.wrong.delete('log');
	}

	/** More is left than before: what that says of when windows begin. */
	private rise(before: { remaining: number; atMs: number }, to: number, { sentMs }: Departure, nowMs: number): void {
		if (to >= this.mostRemaining * FRESH_SHARE) this.log.forgetBefore(sentMs);
		if (to - before.remaining < this.mostRemaining * RESET_SHARE) return;
		const sinceMinuteMs = (nowMs + this.ahead.ms) % MINUTE_MS;
		if (sinceMinuteMs < AFTER_MINUTE_MS) {
			this.followsClock = true;
			this.wrong.delete('clock');
		} else if (nowMs - before.atMs < sinceMinuteMs) {
			// No minute began in between. Where one did, a process that was busy may just have looked late.
			this.followsClock = false;
			this.wrong.add('clock');
		}
	}

	/** How many requests are taken by all for one of ours. */
	private takenPerOwn(): number {
		return this.taken.own === 0 ? 1 : Math.max(1, this.taken.all / this.taken.own);
	}

	private clockOpening(sinceMs: number): number {
		const { ms } = this.ahead;
		return (Math.floor((sinceMs + ms) / MINUTE_MS) + 1) * MINUTE_MS - ms;
	}

	private logOpening(nowMs: number): number {
		return this.log.freesAt(1, nowMs) ?? nowMs;
	}
}
