import { QuotaEstimator } from '../nodes/CustomerMessaging/rateLimit/quotaEstimator';
import { RateLimiter } from '../nodes/CustomerMessaging/rateLimit/rateLimiter';
import {
	type ResetHeuristic,
	type Reset,
	ResetHeuristics,
} from '../nodes/CustomerMessaging/rateLimit/resetHeuristics';

type Random = () => number;
type LimiterMaker = (limit: number, random: Random) => RateLimiter;

const withEstimator =
	(Estimator: new (limit: number) => QuotaEstimator): LimiterMaker =>
	(limit, random) =>
		new RateLimiter(limit, random, new Estimator(limit));

const withHeuristics =
	(Heuristics: new () => ResetHeuristics): LimiterMaker =>
	(limit, random) =>
		new RateLimiter(limit, random, new QuotaEstimator(limit, new Heuristics()));

const withLimiter =
	(Limiter: new (limit: number, random: Random) => RateLimiter): LimiterMaker =>
	(limit, random) =>
		new Limiter(limit, random);

class WithoutFullMinute extends ResetHeuristics {
	protected override isPossible(heuristic: ResetHeuristic, nowMs: number): boolean {
		return heuristic !== 'fullMinute' && super.isPossible(heuristic, nowMs);
	}
}

class WithoutRefill extends ResetHeuristics {
	protected override isPossible(heuristic: ResetHeuristic, nowMs: number): boolean {
		return heuristic !== 'refill' && super.isPossible(heuristic, nowMs);
	}
}

class WithoutExpiry extends ResetHeuristics {
	override next(
		sinceMs: number,
		_expiresAtMs: number,
		mayRefill: boolean,
		nowMs: number,
	): Reset | undefined {
		return super.next(sinceMs, -Infinity, mayRefill, nowMs);
	}
}

class WithoutMemory extends ResetHeuristics {
	override wasWrong(): void {}
}

class WithoutServiceClock extends ResetHeuristics {
	override setClock(): void {}
}

class WithoutShareOfOthers extends QuotaEstimator {
	protected override placesPerRequest(): number {
		return 1;
	}
}

class WithoutReordering extends QuotaEstimator {
	protected override isLower(): boolean {
		return false;
	}
}

class WithoutForgetting extends QuotaEstimator {
	protected override isOtherWindow(): boolean {
		return false;
	}
}

class WithoutBackOffAfterLittle extends QuotaEstimator {
	override explainsUsedLimit(): boolean {
		return true;
	}
}

class WithoutHeaderCheck extends QuotaEstimator {
	protected override isCredible(): boolean {
		return true;
	}
}

class WithoutReserve extends RateLimiter {
	protected override reserveFor(): number {
		return 0;
	}
}

/** Each part of the limiter that can be left out, and the limiter without it. */
export const ABLATIONS: Array<[string, LimiterMaker]> = [
	['nothing', withLimiter(RateLimiter)],
	['probe at the next full minute', withHeuristics(WithoutFullMinute)],
	['clock of the service from `Date`', withHeuristics(WithoutServiceClock)],
	['probe when our oldest request expires', withHeuristics(WithoutExpiry)],
	['probe after 15 s (refill)', withHeuristics(WithoutRefill)],
	['remembering which probe was wrong', withHeuristics(WithoutMemory)],
	['share taken by others', withEstimator(WithoutShareOfOthers)],
	['lowest header of requests under way together', withEstimator(WithoutReordering)],
	['recognising a new window', withEstimator(WithoutForgetting)],
	['back-off after little traffic', withEstimator(WithoutBackOffAfterLittle)],
	['check of the header', withEstimator(WithoutHeaderCheck)],
	['reserve', withLimiter(WithoutReserve)],
];
