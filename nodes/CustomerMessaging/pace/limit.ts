import { MINUTE_MS } from '../shared/time';
import { type Departure, Quota } from './quota';

/** A longer `Retry-After` is cut to this, because the next run inherits the wait. */
export const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;
/** When to ask again if a response decides. The response wakes the run anyway. */
export const FALLBACK_WAIT_MS = 500;

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 15_000;
/** If we sent less than this share of the limit, it is doubtful that it is used up. */
const OUR_SHARE = 0.1;
/** How long it is remembered that no minute began, and how far the service's clock is ahead. */
const MEMORY_MS = 10 * MINUTE_MS;

/** Share of the limit that long runs leave to short ones. */
const RESERVED_SHARE = 0.05;
/** A run's first requests may use the reserve, so that a short run does not wait for a long one. */
const FIRST_REQUESTS = 20;
/** The reserve is given up when more may be possible within this time. */
const RELEASE_MS = 3_000;

/** What the end of a request says about the rate limit. */
export interface LimitFeedback {
	/**
	 * `counted`: the service counted the request. `refused`: it answered 429. `unanswered`: no response
	 * came, so it may have been counted. `notCounted`: it did not reach the service.
	 */
	limit: 'counted' | 'refused' | 'unanswered' | 'notCounted';
	/** The header `X-RateLimit-Remaining`. */
	remaining?: number;
	/** The header `Date`, in epoch milliseconds. */
	dateMs?: number;
	/** The header `Retry-After`. */
	retryAfterMs?: number;
}

/** When to ask again, and when to start a run again that does not wait. */
export interface Opening {
	untilMs: number;
	/** Whether nothing can leave earlier. */
	isCertain: boolean;
	retryAtMs?: number;
}

/** Nothing is sent before `untilMs`. Then one request, the probe, finds out whether more is possible. */
interface Block {
	readonly untilMs: number;
	readonly cause: 'fullMinute' | 'expiry' | 'backOff' | 'retryAfter';
	/** When the service asked to be asked again. */
	readonly toldMs?: number;
	/** How many probes were refused in a row. */
	readonly refusals: number;
	probe?: Departure;
}

/** Lets requests leave as fast as one rate limit allows. Times are epoch milliseconds. */
export class Limit {
	private block?: Block;
	private inFlight = 0;
	/** The service's clock minus ours. `Date` is cut to the second, so this is a lower bound. */
	private clockAhead = { ms: 0, readAtMs: -Infinity };
	private noMinuteAtMs = -Infinity;

	constructor(readonly quota: Quota) {}

	/**
	 * @param sent how many requests the run has sent
	 * @param size how many it will send
	 * @param isShared whether other runs use the limit too
	 */
	hasRoom(sent: number, size: number, isShared: boolean, nowMs: number): boolean {
		const { block, quota } = this;
		if (block) return !block.probe && nowMs >= block.untilMs;
		return quota.room(this.inFlight, this.placesKept(sent, size, isShared, nowMs), nowMs) >= 1;
	}

	/** When to ask again, if there is no room. */
	nextRoom(nowMs: number): Opening {
		const { block, quota } = this;
		let untilMs = nowMs + FALLBACK_WAIT_MS;
		if (block && !block.probe && block.untilMs > nowMs) untilMs = block.untilMs;
		else if (!block && quota.room(0, 0, nowMs) < 1) untilMs = quota.expiresAtMs(1, nowMs);
		const isCertain = block?.cause === 'retryAfter' && !block.probe;
		return { untilMs, isCertain, retryAtMs: Math.max(untilMs, block?.toldMs ?? 0) };
	}

	/** A request leaves. */
	depart(nowMs: number): Departure {
		const departure = this.quota.depart(nowMs);
		if (this.block) this.block.probe = departure;
		this.inFlight++;
		return departure;
	}

	/** Takes in how a request ended. */
	cameBack(departure: Departure, feedback: LimitFeedback, nowMs: number): void {
		const { quota, block } = this;
		const { limit, remaining, dateMs } = feedback;
		const isProbe = block?.probe === departure;
		this.inFlight--;
		if (dateMs !== undefined) this.readClock(dateMs - nowMs, nowMs);
		// More is possible, but nobody says how much.
		if (isProbe && limit === 'counted' && remaining === undefined) quota.forgetReading();
		if (limit === 'counted' || limit === 'unanswered') quota.counted(remaining, departure, nowMs);
		if (limit === 'refused') quota.refused(departure, nowMs);
		if (limit === 'refused' && isProbe && block.cause === 'fullMinute') this.noMinuteAtMs = nowMs;
		// Until the probe is back, the responses to earlier requests change nothing.
		if (!block?.probe || isProbe) this.block = this.blockAfter(feedback, isProbe, nowMs);
	}

	private blockAfter(
		{ limit, retryAfterMs }: LimitFeedback,
		isProbe: boolean,
		nowMs: number,
	): Block | undefined {
		const { block } = this;
		const refusals = (isProbe && block?.refusals) || 0;
		if (limit === 'refused' && retryAfterMs !== undefined) {
			const askedMs = nowMs + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
			// The back-off still applies to a probe, because a service may always say 0.
			const untilMs = isProbe ? Math.max(askedMs, backOffEndsAtMs(refusals, nowMs)) : askedMs;
			const toldMs = nowMs + retryAfterMs;
			return { untilMs, cause: 'retryAfter', toldMs, refusals: isProbe ? refusals + 1 : 0 };
		}
		if (!isProbe && block?.cause === 'retryAfter') return block;
		if (isProbe && limit === 'refused') return this.newBlock(refusals + 1, nowMs);
		// Another probe has to find out.
		if (isProbe && limit !== 'counted') return { untilMs: nowMs, cause: 'backOff', refusals };
		const isOpen = !this.quota.isUsedUp(nowMs);
		if (isProbe || !block) return isOpen ? undefined : this.newBlock(0, nowMs);
		return isOpen && this.quota.remaining(nowMs) !== null ? undefined : block;
	}

	private newBlock(refusals: number, nowMs: number): Block {
		const { quota } = this;
		const backOffMs = backOffEndsAtMs(refusals, nowMs);
		const fullMinuteMs = this.fullMinuteAtMs(nowMs);
		const untilMs = Math.min(quota.expiresAtMs(1, nowMs), fullMinuteMs);
		const isDoubtful = quota.ownRequests(nowMs) < quota.limitPerMinute * OUR_SHARE;
		if (untilMs === Infinity || (refusals > 0 ? untilMs < backOffMs : isDoubtful))
			return { untilMs: backOffMs, cause: 'backOff', refusals };
		return { untilMs, cause: untilMs === fullMinuteMs ? 'fullMinute' : 'expiry', refusals };
	}

	private readClock(ms: number, nowMs: number): void {
		const isOld = nowMs - this.clockAhead.readAtMs > MEMORY_MS;
		if (isOld || ms > this.clockAhead.ms) this.clockAhead = { ms, readAtMs: nowMs };
	}

	/** The next full minute of the service's clock; infinite if its limit does not seem to follow it. */
	private fullMinuteAtMs(nowMs: number): number {
		if (nowMs - this.noMinuteAtMs <= MEMORY_MS) return Infinity;
		const { ms } = this.clockAhead;
		return (Math.floor((nowMs + ms) / MINUTE_MS) + 1) * MINUTE_MS - ms;
	}

	/** How many places a run must leave free. */
	private placesKept(sent: number, size: number, isShared: boolean, nowMs: number): number {
		const { limitPerMinute } = this.quota;
		const reserve = Math.floor(limitPerMinute * RESERVED_SHARE);
		const expiresInMs = this.quota.expiresAtMs(reserve, nowMs) - nowMs;
		const isLast = size - sent <= reserve;
		if (sent < FIRST_REQUESTS || isLast || expiresInMs < RELEASE_MS) return 0;
		// A run that is alone keeps only what it can spare without taking a minute longer.
		const minutes = Math.ceil(size / limitPerMinute);
		const isAlone = !isShared && size < Infinity;
		const spare = (minutes * limitPerMinute - size) / Math.max(1, minutes - 1);
		const kept = isAlone ? Math.min(Math.floor(spare), reserve) : reserve;
		// The less time is left, the fewer short runs will come.
		return Math.ceil(kept * Math.min(1, expiresInMs / MINUTE_MS));
	}
}

function backOffEndsAtMs(refusals: number, nowMs: number): number {
	return nowMs + Math.min(FIRST_BACKOFF_MS * 2 ** refusals, MAX_BACKOFF_MS);
}
