import { QuotaEstimator, type Reset } from '../nodes/CustomerMessaging/rateLimit/quotaEstimator';
import { RateLimiter } from '../nodes/CustomerMessaging/rateLimit/rateLimiter';
import { MINUTE_MS } from '../nodes/CustomerMessaging/shared/time';

type Random = () => number;
type LimiterMaker = (limit: number, random: Random) => RateLimiter;

const withEstimator =
	(Estimator: new (limit: number) => QuotaEstimator): LimiterMaker =>
	(limit, random) =>
		new RateLimiter(limit, random, new Estimator(limit));

const withLimiter =
	(Limiter: new (limit: number, random: Random) => RateLimiter): LimiterMaker =>
	(limit, random) =>
		new Limiter(limit, random);

class WithoutClockMinute extends QuotaEstimator {
	override nextReset(sinceMs: number): Reset {
		const ownMs = this.expiresAtMs(1, sinceMs);
		const atMs = ownMs > sinceMs && ownMs < Infinity ? ownMs : sinceMs + MINUTE_MS;
		return { atMs, heuristic: 'ownRequests' };
	}
}

class WithoutOwnRequests extends QuotaEstimator {
	override nextReset(sinceMs: number): Reset {
		const reset = super.nextReset(sinceMs);
		return reset.heuristic === 'clockMinute' ? reset : super.nextReset(reset.atMs);
	}
}

class WithoutServiceClock extends QuotaEstimator {
	override setClock(): void {}
}

class WithoutShareOfOthers extends QuotaEstimator {
	protected override takenPerOwnRequest(): number {
		return 1;
	}
}

class WithoutReordering extends QuotaEstimator {
	protected override isReordered(): boolean {
		return false;
	}
}

class WithoutForgetting extends QuotaEstimator {
	protected override isNewWindow(): boolean {
		return false;
	}
}

class WithoutShortWait extends QuotaEstimator {
	protected override explainsUsedLimit(): boolean {
		return true;
	}
}

class WithoutConstantHeaders extends QuotaEstimator {
	protected override isConstant(): boolean {
		return false;
	}
}

class WithoutRelease extends QuotaEstimator {
	override expiresAtMs(): number {
		return Infinity;
	}
}

class WithoutReserve extends RateLimiter {
	protected override get reserve(): number {
		return 0;
	}
}

class WithoutLastMinute extends RateLimiter {
	protected override costsAMinute(): boolean {
		return false;
	}
}

/** Each part of the limiter that can be left out, and the limiter without it. */
export const ABLATIONS: Array<[string, LimiterMaker]> = [
	['nothing', withLimiter(RateLimiter)],
	['probe at the next full minute', withEstimator(WithoutClockMinute)],
	['clock of the service from `Date`', withEstimator(WithoutServiceClock)],
	['probe when our oldest request expires', withEstimator(WithoutOwnRequests)],
	['share taken by others', withEstimator(WithoutShareOfOthers)],
	['lowest header of requests under way together', withEstimator(WithoutReordering)],
	['forgetting requests of an earlier window', withEstimator(WithoutForgetting)],
	['short wait after little traffic', withEstimator(WithoutShortWait)],
	['ignoring headers that never change', withEstimator(WithoutConstantHeaders)],
	['releasing the reserve', withEstimator(WithoutRelease)],
	['using the reserve to save a minute', withLimiter(WithoutLastMinute)],
	['reserve', withLimiter(WithoutReserve)],
];
