import { QuotaEstimator } from '../nodes/CustomerMessaging/rateLimit/quotaEstimator';
import { RateLimiter } from '../nodes/CustomerMessaging/rateLimit/rateLimiter';
import {
	type Guess,
	type Reset,
	ResetGuesses,
} from '../nodes/CustomerMessaging/rateLimit/resetGuesses';

type Random = () => number;
type LimiterMaker = (limit: number, random: Random) => RateLimiter;

const withEstimator =
	(Estimator: new (limit: number) => QuotaEstimator): LimiterMaker =>
	(limit, random) =>
		new RateLimiter(limit, random, new Estimator(limit));

const withGuesses =
	(Guesses: new () => ResetGuesses): LimiterMaker =>
	(limit, random) =>
		new RateLimiter(limit, random, new QuotaEstimator(limit, new Guesses()));

const withLimiter =
	(Limiter: new (limit: number, random: Random) => RateLimiter): LimiterMaker =>
	(limit, random) =>
		new Limiter(limit, random);

class WithoutFullMinute extends ResetGuesses {
	protected override isPossible(guess: Guess, nowMs: number): boolean {
		return guess !== 'fullMinute' && super.isPossible(guess, nowMs);
	}
}

class WithoutRefill extends ResetGuesses {
	protected override isPossible(guess: Guess, nowMs: number): boolean {
		return guess !== 'refill' && super.isPossible(guess, nowMs);
	}
}

class WithoutExpiry extends ResetGuesses {
	override next(
		sinceMs: number,
		_expiresAtMs: number,
		mayRefill: boolean,
		nowMs: number,
	): Reset | undefined {
		return super.next(sinceMs, -Infinity, mayRefill, nowMs);
	}
}

class WithoutMemory extends ResetGuesses {
	override wasWrong(): void {}
}

class WithoutServiceClock extends ResetGuesses {
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
	['probe at the next full minute', withGuesses(WithoutFullMinute)],
	['clock of the service from `Date`', withGuesses(WithoutServiceClock)],
	['probe when our oldest request expires', withGuesses(WithoutExpiry)],
	['probe after 15 s (refill)', withGuesses(WithoutRefill)],
	['remembering which probe was wrong', withGuesses(WithoutMemory)],
	['share taken by others', withEstimator(WithoutShareOfOthers)],
	['lowest header of requests under way together', withEstimator(WithoutReordering)],
	['recognising a new window', withEstimator(WithoutForgetting)],
	['back-off after little traffic', withEstimator(WithoutBackOffAfterLittle)],
	['check of the header', withEstimator(WithoutHeaderCheck)],
	['reserve', withLimiter(WithoutReserve)],
];
