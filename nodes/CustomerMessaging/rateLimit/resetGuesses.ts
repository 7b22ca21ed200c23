import { MINUTE_MS } from '../shared/time';

/** How long it is remembered that a guess was wrong, and how far the service's clock is ahead. */
const MEMORY_MS = 10 * MINUTE_MS;
/** How long a bucket is left to refill. */
const REFILL_MS = 15_000;

/** Why new requests may be possible: a minute of the clock begins, our oldest request is a minute old, a bucket refills. */
export type Guess = 'fullMinute' | 'expiry' | 'refill';

export interface Reset {
	atMs: number;
	guess: Guess;
}

/** Guesses when more requests will be possible, and remembers which guesses were wrong. */
export class ResetGuesses {
	/** The service's clock minus ours. `Date` is cut to the second, so this is a lower bound. */
	private clockAhead = { ms: 0, readAtMs: -Infinity };
	private readonly wrongAtMs: Record<Guess, number> = {
		fullMinute: -Infinity,
		expiry: -Infinity,
		refill: -Infinity,
	};

	/** Takes in a `Date` header. */
	setClock(dateMs: number, nowMs: number): void {
		const ms = dateMs - nowMs;
		if (ms > this.clockAhead.ms || nowMs - this.clockAhead.readAtMs > MEMORY_MS) {
			this.clockAhead = { ms, readAtMs: nowMs };
		}
	}

	/** A request that left because of this guess was refused. */
	wasWrong(guess: Guess, nowMs: number): void {
		this.wrongAtMs[guess] = nowMs;
	}

	/** The first guess after `sinceMs`, if any is left. `expiresAtMs`: when our oldest request is a minute old. */
	next(sinceMs: number, expiresAtMs: number, mayRefill: boolean, nowMs: number): Reset | undefined {
		const guesses: Reset[] = [];
		// That our oldest request expires is only true of a sliding minute, but in each minute anew.
		if (expiresAtMs > sinceMs && expiresAtMs < Infinity)
			guesses.push({ atMs: expiresAtMs, guess: 'expiry' });
		const fullMinuteAtMs = this.fullMinuteAtMs(sinceMs, nowMs);
		if (fullMinuteAtMs < Infinity) guesses.push({ atMs: fullMinuteAtMs, guess: 'fullMinute' });
		if (mayRefill && this.isPossible('refill', nowMs)) {
			guesses.push({ atMs: sinceMs + REFILL_MS, guess: 'refill' });
		}
		return guesses.sort((a, b) => a.atMs - b.atMs)[0];
	}

	/** The first full minute of the service's clock after `sinceMs`; infinite if that guess was wrong. */
	fullMinuteAtMs(sinceMs: number, nowMs: number): number {
		if (!this.isPossible('fullMinute', nowMs)) return Infinity;
		const { ms: aheadMs } = this.clockAhead;
		const minute = Math.floor((sinceMs + aheadMs) / MINUTE_MS) + 1;
		return minute * MINUTE_MS - aheadMs;
	}

	protected isPossible(guess: Guess, nowMs: number): boolean {
		return nowMs - this.wrongAtMs[guess] > MEMORY_MS;
	}
}
