import { MINUTE_MS } from '../../shared/slices';
import { ruleOf, type Verdict } from '../policy';
import type { Reply } from '../replies';
import type { Departure, Quota } from './quota';

/** The longest `Retry-After` that is waited for, because the next run inherits the wait. */
export const MAX_RETRY_AFTER_MS = 5 * MINUTE_MS;
const MAX_WAIT_AFTER_LIMITED_MS = 15_000;
/** If so many others were accepted since the last 429, a 429 concerns its row alone. */
const OTHERS_ACCEPTED = 10;
/** After so many 429s that concern it alone, a request is given up. */
export const MOST_LIMITED_ALONE = 3;

/** Limit of memory: that no minute began, how far the service's clock is ahead, and that runs share a limit. */
export const MEMORY_MS = 5 * MINUTE_MS;
/** When to ask again if a response decides. The response wakes the run anyway. */
export const FALLBACK_WAIT_MS = 500;

/** If we sent less than this share of the limit, it is doubtful that it is used up: the header may always say 0. */
const OUR_SHARE = 0.1;

/** Share of the limit that long runs leave to short ones. */
const RESERVED_SHARE = 0.05;
/** A run's first requests may use the reserve, so that a short run does not wait for a long one. */
const FIRST_REQUESTS = 20;
/** Another minute matters little to a run that takes so many. */
const LONG_RUN_MINUTES = 10;
/** The reserve is given up when more may be possible within this time. */
const RELEASE_MS = 3_000;

/** The wait before the next trial, after so many that were answered 429 within a minute. */
export function waitAfterLimited(times: number): number {
	return Math.min(1_000 * 2 ** times, MAX_WAIT_AFTER_LIMITED_MS);
}

type Headers = Pick<Extract<Reply, { kind: 'answer' }>, 'remaining' | 'dateMs' | 'retryAfterMs'>;

/** The end of a message, or of a health check, which has no row. */
export interface Feedback extends Headers {
	verdict: Verdict;
	/** It says nothing of this limit, because another one counts it. */
	isOfOtherLimit?: boolean;
	/** Stands for the request's row, or rows: the same for each attempt. It is kept, so it should hold nothing. */
	row?: object;
	/** Number of rows in the request that must not be repeated. */
	rows?: number;
}

/** When to ask again, and when to start a run again that does not wait. */
export interface Opening {
	untilMs: number;
	/** Nothing can leave earlier. */
	isCertain: boolean;
	retryAtMs?: number;
}

/** Nothing is sent before `untilMs`. Then one request, the trial, finds out whether more is possible. */
interface Block {
	readonly untilMs: number;
	readonly cause?: 'fullMinute' | 'retryAfter' | 'anotherKind';
	/** When the service asked to be asked again. */
	readonly toldMs?: number;
}

type State =
	| { readonly kind: 'open' }
	| ({ readonly kind: 'blocked' } & Block)
	| ({ readonly kind: 'trying'; readonly trial: Departure } & Block);

const open: State = { kind: 'open' };

/** The end of a request as the limit sees it. `limitedAlone`: only its row is limited. */
type Event = ReturnType<typeof ruleOf>['limit'] | 'limitedAlone';

/** Lets requests leave as fast as one rate limit allows. Times are epoch milliseconds. */
export class Limit {
	private state: State = open;
	private inFlight = 0;
	/** The service's clock minus ours. `Date` is cut to the second, so this is a lower bound. */
	private clockAhead = { ms: 0, readAtMs: -Infinity };
	private noMinuteAtMs = -Infinity;
	/** When trials were answered 429 in the last minute. */
	private limitedAtMs: number[] = [];
	private acceptedSinceLimited = 0;
	/** The last 429. `isAlone`: no other row was answered so since. `isOfMinute`: nothing is said to remain. */
	private lastLimited?: { row?: object; isAlone: boolean; isOfMinute: boolean };
	private departedMs = -Infinity;
	/** When a limit of another kind, such as so many a second, was last reached, and the time between departures since. */
	private anotherKind = { reachedAtMs: -Infinity, gapMs: 0 };

	constructor(readonly quota: Quota) {}

	/** Room for a run that has sent so many of its requests. `isShared`: other runs use the limit too. */
	hasRoom(sent: number, size: number, isShared: boolean, nowMs: number): boolean {
		const { state, quota } = this;
		if (state.kind !== 'open') return state.kind === 'blocked' && nowMs >= state.untilMs;
		if (nowMs < this.nextSpreadMs(nowMs)) return false;
		return quota.room(this.inFlight, this.placesKept(sent, size, isShared, nowMs), nowMs) >= 1;
	}

	/** When to ask again, if there is no room. */
	nextRoom(nowMs: number): Opening {
		const { state, quota } = this;
		let untilMs = nowMs + FALLBACK_WAIT_MS;
		if (state.kind === 'open') {
			const spreadMs = this.nextSpreadMs(nowMs);
			if (spreadMs > nowMs) untilMs = spreadMs;
			if (quota.room(0, 0, nowMs) < 1) untilMs = quota.expiresAtMs(1, nowMs);
			return { untilMs, isCertain: false, retryAtMs: untilMs };
		}
		if (state.kind === 'blocked' && state.untilMs > nowMs) untilMs = state.untilMs;
		const isCertain = state.kind === 'blocked' && state.cause === 'retryAfter';
		return { untilMs, isCertain, retryAtMs: Math.max(untilMs, state.toldMs ?? 0) };
	}

	depart(nowMs: number): Departure {
		const departure = this.quota.depart(nowMs);
		if (this.state.kind !== 'open')
			this.state = { ...this.state, kind: 'trying', trial: departure };
		this.departedMs = nowMs;
		this.inFlight++;
		return departure;
	}

	/** A request that was answered 429 may leave before others, unless the whole minute may be used up. */
	mayRepeatLimited(): boolean {
		if (this.state.kind !== 'open' || this.lastLimited?.isOfMinute) return false;
		return this.acceptedSinceLimited >= OTHERS_ACCEPTED;
	}

	/** @returns whether the request was answered 429 for itself alone */
	completed(departure: Departure, feedback: Feedback, nowMs: number): boolean {
		const { state } = this;
		const isTrial = state.kind === 'trying' && state.trial === departure;
		const event = this.eventOf(feedback, isTrial);
		this.learn(event, departure, feedback, nowMs);
		this.state = this.next(event, departure, feedback, nowMs);
		if (!isTrial || event !== 'limitedOtherwise') return event === 'limitedAlone';
		// Almost any limit would have let it pass by now, had it not been answered so for itself.
		const isLate = this.backOffEndsAtMs(nowMs) - nowMs >= MAX_WAIT_AFTER_LIMITED_MS;
		return isLate || this.lastLimited?.isAlone === true;
	}

	private eventOf({ verdict, isOfOtherLimit }: Feedback, isTrial: boolean): Event {
		if (isOfOtherLimit) return 'unanswered';
		const { limit } = ruleOf(verdict);
		if (limit !== 'limitedOtherwise' || isTrial) return limit;
		return this.acceptedSinceLimited >= OTHERS_ACCEPTED ? 'limitedAlone' : limit;
	}

	private learn(event: Event, departure: Departure, feedback: Feedback, nowMs: number): void {
		const { quota, state, lastLimited } = this;
		const { row, remaining, dateMs } = feedback;
		const isTrial = state.kind === 'trying' && state.trial === departure;
		this.inFlight--;
		if (dateMs !== undefined) this.readClock(dateMs - nowMs, nowMs);
		if (event === 'notCounted') return;
		if (event === 'counted' || event === 'unanswered') {
			// More is possible, but nobody says how much.
			if (isTrial && event === 'counted' && remaining === undefined) quota.forgetReading();
			quota.counted(remaining, departure, this.inFlight, nowMs);
			if (event === 'counted') this.acceptedSinceLimited++;
			return;
		}
		const isSameAlone = lastLimited?.isAlone === true && lastLimited.row === row;
		const isAlone = event === 'limitedAlone' || isSameAlone;
		this.lastLimited = { row, isAlone, isOfMinute: event === 'limited' };
		this.acceptedSinceLimited = 0;
		if (event === 'limited') quota.limited(departure, nowMs);
		if (!isTrial) return;
		if (state.cause === 'fullMinute') this.noMinuteAtMs = nowMs;
		this.limitedAtMs.push(nowMs);
	}

	private next(event: Event, departure: Departure, feedback: Feedback, nowMs: number): State {
		const { state, quota } = this;
		const { retryAfterMs } = feedback;
		if (state.kind === 'trying') {
			// Until the trial is back, the responses to earlier requests change nothing.
			if (departure !== state.trial) return state;
			if (event === 'limitedOtherwise') return this.backOff(retryAfterMs, true, nowMs);
			// The back-off still applies, because a service may always say 0.
			if (event === 'limited' && retryAfterMs !== undefined)
				return askedToWait(nowMs, retryAfterMs, this.backOffEndsAtMs(nowMs));
			if (event === 'limited' || (event === 'counted' && quota.isUsedUp(nowMs)))
				return this.block(nowMs);
			// Otherwise another trial has to find out.
			return event === 'counted' ? open : { kind: 'blocked', untilMs: nowMs };
		}
		if (event === 'limitedAlone') return state;
		if (event === 'limitedOtherwise') {
			const isNew = state.kind === 'open' && departure.sentMs > this.anotherKind.reachedAtMs;
			return isNew ? this.backOff(retryAfterMs, false, nowMs) : state;
		}
		if (event === 'limited' && retryAfterMs !== undefined) return askedToWait(nowMs, retryAfterMs);
		if (state.kind === 'open') return quota.isUsedUp(nowMs) ? this.block(nowMs) : state;
		const hasOpened = quota.remaining(nowMs) !== null && !quota.isUsedUp(nowMs);
		const mayOpen = state.cause === undefined || state.cause === 'fullMinute';
		return hasOpened && mayOpen ? open : state;
	}

	/** Nothing leaves for a while. If that is not enough, requests spread over the minute, then twice as far apart. */
	private backOff(retryAfterMs: number | undefined, isTrial: boolean, nowMs: number): State {
		const { reachedAtMs, gapMs } = this.anotherKind;
		const isFirst = nowMs - reachedAtMs >= MINUTE_MS;
		const widerMs = gapMs > 0 ? 2 * gapMs : MINUTE_MS / this.quota.limitPerMinute;
		this.anotherKind = { reachedAtMs: nowMs, gapMs: isFirst ? 0 : isTrial ? gapMs : widerMs };
		const untilMs = this.backOffEndsAtMs(nowMs);
		return retryAfterMs === undefined
			? { kind: 'blocked', untilMs, cause: 'anotherKind' }
			: askedToWait(nowMs, retryAfterMs, untilMs);
	}

	private nextSpreadMs(nowMs: number): number {
		const { gapMs, reachedAtMs } = this.anotherKind;
		return nowMs - reachedAtMs < MINUTE_MS ? this.departedMs + gapMs : nowMs;
	}

	/** The minute is used up. */
	private block(nowMs: number): State {
		const { quota } = this;
		const backOffMs = this.backOffEndsAtMs(nowMs);
		const fullMinuteMs = this.fullMinuteAtMs(nowMs);
		const untilMs = Math.min(quota.expiresAtMs(1, nowMs), fullMinuteMs);
		const isDoubtful = quota.ownRequests(nowMs) < quota.limitPerMinute * OUR_SHARE;
		if (untilMs === Infinity || (this.limitedAtMs.length > 0 ? untilMs < backOffMs : isDoubtful))
			return { kind: 'blocked', untilMs: backOffMs };
		return { kind: 'blocked', untilMs, cause: untilMs === fullMinuteMs ? 'fullMinute' : undefined };
	}

	/** The more trials were answered 429 in the last minute, the longer until the next one. */
	private backOffEndsAtMs(nowMs: number): number {
		this.limitedAtMs = this.limitedAtMs.filter((ms) => nowMs - ms < MINUTE_MS);
		return nowMs + waitAfterLimited(this.limitedAtMs.length);
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

	/** Number of places that a run must leave free. */
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

/** Nothing leaves before the time that the service named, nor before `leastMs`. */
function askedToWait(nowMs: number, retryAfterMs: number, leastMs = nowMs): State {
	const untilMs = Math.max(leastMs, nowMs + Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
	return { kind: 'blocked', untilMs, cause: 'retryAfter', toldMs: nowMs + retryAfterMs };
}
