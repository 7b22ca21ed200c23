import { MINUTE_MS } from '../shared/time';

/** How long it is remembered that a heuristic was wrong, and how far the service's clock is ahead. */
const MEMORY_MS = 10 * MINUTE_MS;
/** How long a bucket is left to refill. */
const REFILL_MS = 15_000;

/** Why new requests may be possible: a minute of the clock begins, our oldest request is a minute old, a bucket refills. */
export type ResetHeuristic = 'fullMinute' | 'expiry' | 'refill';

export interface Reset {
	atMs: number;
	heuristic: ResetHeuristic;
}

/** Estimates when more requests will be possible, and remembers which heuristics were wrong. */
export class ResetHeuristics {
	/** The service's clock minus ours. `Date` is cut to the second, so this is a lower bound. */
	private clockAhead = { ms: 0, readAtMs: -Infinity };
	private readonly wrongAtMs: Record<ResetHeuristic, number> = {
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

	/** A request that left because of this heuristic was refused. */
	wasWrong(heuristic: ResetHeuristic, nowMs: number): void {
		this.wrongAtMs[heuristic] = nowMs;
	}

	/** The first reset that is likely after `sinceMs`, if any. `expiresAtMs`: when our oldest request is a minute old. */
	next(sinceMs: number, expiresAtMs: number, mayRefill: boolean, nowMs: number): Reset | undefined {
		const resets: Reset[] = [];
		// That our oldest request expires is only true of a sliding minute, but in each minute anew.
		if (expiresAtMs > sinceMs && expiresAtMs < Infinity)
			resets.push({ atMs: expiresAtMs, heuristic: 'expiry' });
		const fullMinuteAtMs = this.fullMinuteAtMs(sinceMs, nowMs);
		if (fullMinuteAtMs < Infinity) resets.push({ atMs: fullMinuteAtMs, heuristic: 'fullMinute' });
		if (mayRefill && this.isPossible('refill', nowMs)) {
			resets.push({ atMs: sinceMs + REFILL_MS, heuristic: 'refill' });
		}
		return resets.sort((a, b) => a.atMs - b.atMs)[0];
	}

	/** The first full minute of the service's clock after `sinceMs`; infinite if that heuristic was wrong. */
	fullMinuteAtMs(sinceMs: number, nowMs: number): number {
		if (!this.isPossible('fullMinute', nowMs)) return Infinity;
		const { ms: aheadMs } = this.clockAhead;
		const minute = Math.floor((sinceMs + aheadMs) / MINUTE_MS) + 1;
		return minute * MINUTE_MS - aheadMs;
	}

	protected isPossible(heuristic: ResetHeuristic, nowMs: number): boolean {
		return nowMs - this.wrongAtMs[heuristic] > MEMORY_MS;
	}
}
