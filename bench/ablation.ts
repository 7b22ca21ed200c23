import { ProbeTimes } from '../nodes/CustomerMessaging/rateLimit/probeTimes';
import { type Departure, Quota } from '../nodes/CustomerMessaging/rateLimit/quota';
import { type Client, RateLimiter } from '../nodes/CustomerMessaging/rateLimit/rateLimiter';

type LimiterMaker = (limit: number) => RateLimiter;
type Next = ReturnType<ProbeTimes['next']>;

const withQuota =
	(Without: new (limit: number) => Quota): LimiterMaker =>
	(limit) =>
		new RateLimiter(limit, new Without(limit));

const withProbeTimes =
	(Without: new () => ProbeTimes): LimiterMaker =>
	(limit) =>
		new RateLimiter(limit, new Quota(limit), new Without());

class WithoutFullMinute extends ProbeTimes {
	override fullMinuteAtMs(): number {
		return Infinity;
	}
}

class WithoutServiceClock extends ProbeTimes {
	override setClock(): void {}
}

class WithoutMemory extends ProbeTimes {
	override wasWrong(): void {}
}

class WithoutExpiry extends ProbeTimes {
	override next(quota: Quota, refusals: number, nowMs: number): Next {
		return super.next(replace(quota, { expiresAtMs: () => Infinity }), refusals, nowMs);
	}
}

class WithoutBackOffAfterLittle extends ProbeTimes {
	override next(quota: Quota, refusals: number, nowMs: number): Next {
		return super.next(replace(quota, { ownRequests: () => Infinity }), refusals, nowMs);
	}
}

class WithoutShareOfOthers extends Quota {
	protected override placesPerRequest(): number {
		return 1;
	}
}

class WithoutNewMinute extends Quota {
	protected override isNewMinute(): boolean {
		return false;
	}
}

class WithoutHeaderCheck extends Quota {
	protected override isCredible(): boolean {
		return true;
	}
}

/** Of requests that were in flight together, the first header is believed. */
class WithoutLowest extends Quota {
	private sent = 0;
	private sentWhenRead = 0;

	override depart(nowMs: number): Departure {
		const departure = super.depart(nowMs);
		this.sent = departure.seq;
		return departure;
	}

	protected override believe(header: number, departure: Departure, nowMs: number): void {
		if (departure.seq <= this.sentWhenRead) return;
		this.sentWhenRead = this.sent;
		super.believe(header, departure, nowMs);
	}
}

/** A run of no size keeps no reserve. */
class WithoutReserve extends RateLimiter {
	override register(concurrency: number, wake?: () => void): Client {
		return super.register(concurrency, wake, 0);
	}
}

function replace(quota: Quota, methods: Partial<Quota>): Quota {
	return Object.assign(Object.create(quota) as Quota, methods);
}

/** Each part of the limiter that can be left out, and the limiter without it. */
export const ABLATIONS: Array<[string, LimiterMaker]> = [
	['nothing', (limit) => new RateLimiter(limit)],
	['probe at the next full minute', withProbeTimes(WithoutFullMinute)],
	['clock of the service from `Date`', withProbeTimes(WithoutServiceClock)],
	['probe when our oldest request is a minute old', withProbeTimes(WithoutExpiry)],
	['remembering that a full minute was wrong', withProbeTimes(WithoutMemory)],
	['share taken by others', withQuota(WithoutShareOfOthers)],
	['lowest header of requests in flight together', withQuota(WithoutLowest)],
	['recognising a new minute', withQuota(WithoutNewMinute)],
	['back-off after little traffic', withProbeTimes(WithoutBackOffAfterLittle)],
	['check of the header', withQuota(WithoutHeaderCheck)],
	['reserve', (limit) => new WithoutReserve(limit)],
];
