import { MINUTE_MS } from '../../shared/apis';
import type { Departure, Quota } from './quota';

/**
 * For so long it is remembered that no minute began, how far the service's clock is ahead, and that runs share a
 * limit. A longer `Retry-After` is cut to this, because the next run inherits the wait.
 */
export const MEMORY_MS = 5 * MINUTE_MS;
/** Before the service is asked again, for the first time. */
export const FIRST_WAIT_MS = 1_000;
/** When to ask again if a response decides. The response wakes the run anyway. */
export const FALLBACK_WAIT_MS = 500;

const MAX_BACKOFF_MS = 15_000;
/** If we sent less than this share of the limit, it is doubtful that it is used up: the header may always say 0. */
const OUR_SHARE = 0.1;

/** If so many others were accepted since the last 429, a 429 concerns its row alone. */
const OTHERS_ACCEPTED = 10;
/** Share of the limit that long runs leave to short ones. */
const RESERVED_SHARE = 0.05;
/** A run's first requests may use the reserve, so that a short run does not wait for a long one. */
const FIRST_REQUESTS = 20;
/** Another minute matters little to a run that takes so many. */
const LONG_RUN_MINUTES = 10;
/** The reserve is given up when more may be possible within this time. */
const RELEASE_MS = 3_000;

/** What the end of a request says about the rate limit. */
export interface LimitFeedback {
	/**
	 * `counted`: the service counted the request. `refused`: it answered 429. `unanswered`: no response
	 * came, so it may have been counted. `notCounted`: it did not reach the service.
	 */
	limit: 'counted' | 'refused' | 'unanswered' | 'notCounted';
	/** The header `X-RateLimit-Remaining`. On a 429, more than 0 means that the minute is not used up. */
	remaining?: number;
	/** The header `Date`, in epoch milliseconds. */
	dateMs?: number;
	/** The header `Retry-After`. */
	retryAfterMs?: number;
	/** Stands for the row. */
	row?: object;
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
	readonly cause?: 'fullMinute' | 'retryAfter' | 'anotherKind';
	/** When the service asked to be asked again. */
	readonly toldMs?: number;
	probe?: Departure;
}

/** Lets requests leave as fast as one rate limit allows. Times are epoch milliseconds. */
export class Limit {
	private block?: Block;
	private inFlight = 0;
	/** The service's clock minus ours. `Date` is cut to the second, so this is a lower bound. */
	private clockAhead = { ms: 0, readAtMs: -Infinity };
	private noMinuteAtMs = -Infinity;
	/** When probes were refused in the last minute. */
	private refusedAtMs: number[] = [];
	private acceptedSinceRefusal = 0;
	/**
	 * Of the last 429, its row, whether that was refused for itself alone since another row was, and whether it said
	 * that the minute is used up, or nothing.
	 */
	private lastRefusal: { row?: object; isAlone: boolean; isOfMinute: boolean } = {
		isAlone: false,
		isOfMinute: false,
	};
	private departedMs = -Infinity;
	/** When a limit of another kind, such as so many a second, last refused, and the time between departures since. */
	private anotherKind = { refusedAtMs: -Infinity, gapMs: 0 };

	constructor(readonly quota: Quota) {}

	/**
	 * @param sent how many requests the run has sent
	 * @param size how many it will send
	 * @param isShared whether other runs use the limit too
	 */
	hasRoom(sent: number, size: number, isShared: boolean, nowMs: number): boolean {
		const { block, quota } = this;
		if (block) return !block.probe && nowMs >= block.untilMs;
		if (nowMs < this.nextSpreadMs(nowMs)) return false;
		return quota.room(this.inFlight, this.placesKept(sent, size, isShared, nowMs), nowMs) >= 1;
	}

	/** When to ask again, if there is no room. */
	nextRoom(nowMs: number): Opening {
		const { block, quota } = this;
		let untilMs = nowMs + FALLBACK_WAIT_MS;
		if (!block && this.nextSpreadMs(nowMs) > nowMs) untilMs = this.nextSpreadMs(nowMs);
		if (block && !block.probe && block.untilMs > nowMs) untilMs = block.untilMs;
		if (!block && quota.room(0, 0, nowMs) < 1) untilMs = quota.expiresAtMs(1, nowMs);
		const isCertain = block?.cause === 'retryAfter' && !block.probe;
		return { untilMs, isCertain, retryAtMs: Math.max(untilMs, block?.toldMs ?? 0) };
	}

	/** A request leaves. */
	depart(nowMs: number): Departure {
		const departure = this.quota.depart(nowMs);
		if (this.block) this.block.probe = departure;
		this.departedMs = nowMs;
		this.inFlight++;
		return departure;
	}

	/**
	 * Whether a request that was refused before may be sent although others were not sent yet. If it can be refused
	 * for the whole minute again, it comes last.
	 */
	mayRepeatRefused(): boolean {
		return (
			!this.block && !this.lastRefusal.isOfMinute && this.acceptedSinceRefusal >= OTHERS_ACCEPTED
		);
	}

	/**
	 * Takes in how a request ended.
	 *
	 * @returns whether it was refused for itself alone
	 */
	completed(departure: Departure, feedback: LimitFeedback, nowMs: number): boolean {
		const { quota, block } = this;
		const { limit, remaining = 0, dateMs } = feedback;
		const isProbe = block?.probe === departure;
		const isOfAnotherKind = limit === 'refused' && remaining > 0;
		const isOfRow = isOfAnotherKind && !isProbe && this.acceptedSinceRefusal >= OTHERS_ACCEPTED;
		this.inFlight--;
		if (dateMs !== undefined) this.readClock(dateMs - nowMs, nowMs);
		// More is possible, but nobody says how much.
		if (isProbe && limit === 'counted' && feedback.remaining === undefined) quota.forgetReading();
		if (limit === 'counted' || limit === 'unanswered')
			quota.counted(feedback.remaining, departure, nowMs);
		if (limit === 'counted') this.acceptedSinceRefusal++;
		if (limit === 'refused') {
			const { row } = feedback;
			const isAlone = isOfRow || (row === this.lastRefusal.row && this.lastRefusal.isAlone);
			this.lastRefusal = { row, isAlone, isOfMinute: !isOfAnotherKind };
			this.acceptedSinceRefusal = 0;
		}
		if (isOfRow) return true;
		if (limit === 'refused' && !isOfAnotherKind) quota.refused(departure, nowMs);
		if (limit === 'refused' && isProbe) {
			if (block.cause === 'fullMinute') this.noMinuteAtMs = nowMs;
			this.refusedAtMs.push(nowMs);
		}
		// Until the probe is back, the responses to earlier requests change nothing.
		if (block?.probe && !isProbe) return false;
		if (!isOfAnotherKind) this.block = this.blockAfter(feedback, isProbe, nowMs);
		else if (isProbe || (!block && departure.sentMs > this.anotherKind.refusedAtMs))
			this.block = this.backOff(feedback, isProbe, nowMs);
		if (!isOfAnotherKind || !isProbe) return false;
		// Almost any limit would have let it pass by now, had it not been refused for itself.
		const isLate = this.backOffEndsAtMs(nowMs) - nowMs >= MAX_BACKOFF_MS;
		return isLate || this.lastRefusal.isAlone;
	}

	/**
	 * Nothing leaves for a while. If that is not enough, what follows is spread evenly over the minute, and
	 * then twice as far apart each time.
	 */
	private backOff({ retryAfterMs }: LimitFeedback, isProbe: boolean, nowMs: number): Block {
		const { refusedAtMs, gapMs } = this.anotherKind;
		const isFirst = nowMs - refusedAtMs >= MINUTE_MS;
		const widerMs = gapMs > 0 ? 2 * gapMs : MINUTE_MS / this.quota.limitPerMinute;
		this.anotherKind = { refusedAtMs: nowMs, gapMs: isFirst ? 0 : isProbe ? gapMs : widerMs };
		const untilMs = this.backOffEndsAtMs(nowMs);
		if (retryAfterMs === undefined) return { untilMs, cause: 'anotherKind' };
		const toldMs = nowMs + retryAfterMs;
		const askedMs = nowMs + Math.min(retryAfterMs, MEMORY_MS);
		return { untilMs: Math.max(untilMs, askedMs), cause: 'retryAfter', toldMs };
	}

	private nextSpreadMs(nowMs: number): number {
		const { gapMs, refusedAtMs } = this.anotherKind;
		return nowMs - refusedAtMs < MINUTE_MS ? this.departedMs + gapMs : nowMs;
	}

	private blockAfter(
		{ limit, retryAfterMs }: LimitFeedback,
		isProbe: boolean,
		nowMs: number,
	): Block | undefined {
		const { block } = this;
		if (limit === 'refused' && retryAfterMs !== undefined) {
			const askedMs = nowMs + Math.min(retryAfterMs, MEMORY_MS);
			// The back-off still applies to a probe, because a service may always say 0.
			const untilMs = isProbe ? Math.max(askedMs, this.backOffEndsAtMs(nowMs)) : askedMs;
			return { untilMs, cause: 'retryAfter', toldMs: nowMs + retryAfterMs };
		}
		if (isProbe && limit === 'refused') return this.newBlock(nowMs);
		// Another probe has to find out.
		if (isProbe && limit !== 'counted') return { untilMs: nowMs };
		if (isProbe || !block) return this.quota.isUsedUp(nowMs) ? this.newBlock(nowMs) : undefined;
		const hasOpened = this.quota.remaining(nowMs) !== null && !this.quota.isUsedUp(nowMs);
		const mayOpen = block.cause === undefined || block.cause === 'fullMinute';
		return hasOpened && mayOpen ? undefined : block;
	}

	private newBlock(nowMs: number): Block {
		const { quota } = this;
		const backOffMs = this.backOffEndsAtMs(nowMs);
		const fullMinuteMs = this.fullMinuteAtMs(nowMs);
		const untilMs = Math.min(quota.expiresAtMs(1, nowMs), fullMinuteMs);
		const isDoubtful = quota.ownRequests(nowMs) < quota.limitPerMinute * OUR_SHARE;
		if (untilMs === Infinity || (this.refusedAtMs.length > 0 ? untilMs < backOffMs : isDoubtful))
			return { untilMs: backOffMs };
		return { untilMs, cause: untilMs === fullMinuteMs ? 'fullMinute' : undefined };
	}

	/** The more probes were refused in the last minute, the longer until the next one. */
	private backOffEndsAtMs(nowMs: number): number {
		this.refusedAtMs = this.refusedAtMs.filter((ms) => nowMs - ms < MINUTE_MS);
		return nowMs + Math.min(FIRST_WAIT_MS * 2 ** this.refusedAtMs.length, MAX_BACKOFF_MS);
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
		const minutes = Math.ceil(size / limitPerMinute);
		const isLong = minutes >= LONG_RUN_MINUTES && this.fullMinuteAtMs(nowMs) - nowMs >= RELEASE_MS;
		// Others that are alone keep only what they can spare without taking a minute longer.
		const spare = (minutes * limitPerMinute - size) / Math.max(1, minutes - 1);
		const kept = isShared || isLong ? reserve : Math.min(Math.floor(spare), reserve);
		// The less time is left, the fewer short runs will come.
		return Math.ceil(kept * Math.min(1, expiresInMs / MINUTE_MS));
	}
}
