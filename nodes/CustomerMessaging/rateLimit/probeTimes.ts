import { MINUTE_MS } from '../shared/time';
import type { Quota } from './quota';

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 15_000;
/** How long it is remembered that no minute began, and how far the service's clock is ahead. */
const MEMORY_MS = 10 * MINUTE_MS;
/** If we sent less than this share of the limit, our requests do not explain that it is used up. */
const OUR_SHARE = 0.1;

/** Why a probe is sent when it is. */
export type Cause = 'fullMinute' | 'expiry' | 'backOff';

/** When more requests may be possible, after the limit was used up. Times are epoch milliseconds. */
export class ProbeTimes {
	/** The service's clock minus ours. `Date` is cut to the second, so this is a lower bound. */
	private clockAhead = { ms: 0, readAtMs: -Infinity };
	private noMinuteAtMs = -Infinity;

	/** Takes in a `Date` header. */
	setClock(dateMs: number, nowMs: number): void {
		const ms = dateMs - nowMs;
		if (ms > this.clockAhead.ms || nowMs - this.clockAhead.readAtMs > MEMORY_MS) {
			this.clockAhead = { ms, readAtMs: nowMs };
		}
	}

	/** A probe was refused. */
	wasWrong(cause: string, nowMs: number): void {
		if (cause === 'fullMinute') this.noMinuteAtMs = nowMs;
	}

	/** The next full minute of the service's clock; infinite if its limit does not seem to follow it. */
	fullMinuteAtMs(nowMs: number): number {
		if (nowMs - this.noMinuteAtMs <= MEMORY_MS) return Infinity;
		const { ms } = this.clockAhead;
		return (Math.floor((nowMs + ms) / MINUTE_MS) + 1) * MINUTE_MS - ms;
	}

	/** @param refusals how many probes were refused in a row */
	next(quota: Quota, refusals: number, nowMs: number): { untilMs: number; cause: Cause } {
		const backOffMs = backOffEndsAtMs(refusals, nowMs);
		const isOurs = quota.ownRequests(nowMs) >= quota.limitPerMinute * OUR_SHARE;
		const expiryMs = quota.expiresAtMs(1, nowMs);
		const fullMinuteMs = this.fullMinuteAtMs(nowMs);
		const untilMs = Math.min(expiryMs, fullMinuteMs);
		const backsOff = refusals > 0 ? untilMs < backOffMs : !isOurs;
		if (backsOff || untilMs === Infinity) return { untilMs: backOffMs, cause: 'backOff' };
		return { untilMs, cause: untilMs === fullMinuteMs ? 'fullMinute' : 'expiry' };
	}
}

export function backOffEndsAtMs(refusals: number, nowMs: number): number {
	return nowMs + Math.min(FIRST_BACKOFF_MS * 2 ** refusals, MAX_BACKOFF_MS);
}
