import { MINUTE_MS } from '../shared/time';

/** Share of the limit that long runs leave to short ones. */
const RESERVED_SHARE = 0.05;
/** A run's first requests may use the reserve, so that a short run does not wait for a long one. */
const FIRST_REQUESTS = 20;
/** The reserve is given up when more may be possible within this time. */
const RELEASE_MS = 3_000;
/** A run that is this long and this large keeps the reserve even if it takes a minute longer. */
const LONG_RUN = { minutes: 10, requests: 5_000 };

export function reserveWithin(limitPerMinute: number): number {
	return Math.floor(limitPerMinute * RESERVED_SHARE);
}

/**
 * How many places a run must leave free.
 *
 * @param size how many requests the run will send; infinite if that is not known
 * @param isShared whether other runs use the limit too
 * @param expiresInMs how long it is until our own requests make room for a whole reserve
 * @param fullMinuteInMs how long it is until a minute of the service may begin
 */
export function placesKept(
	{ size, sent }: { size: number; sent: number },
	limitPerMinute: number,
	isShared: boolean,
	expiresInMs: number,
	fullMinuteInMs: number,
): number {
	const reserve = reserveWithin(limitPerMinute);
	const isLast = size - sent <= reserve;
	if (sent < FIRST_REQUESTS || isLast || expiresInMs < RELEASE_MS) return 0;
	// A run that is alone keeps only what it can spare without taking a minute longer.
	const minutes = Math.ceil(size / limitPerMinute);
	const spare =
		isShared || size === Infinity
			? reserve
			: Math.floor((minutes * limitPerMinute - size) / Math.max(1, minutes - 1));
	const isLong = minutes >= LONG_RUN.minutes && size >= LONG_RUN.requests;
	const kept = spare < 1 && isLong && fullMinuteInMs >= RELEASE_MS ? reserve : spare;
	// The less time is left, the fewer short runs will come.
	return Math.ceil(Math.min(kept, reserve) * Math.min(1, expiresInMs / MINUTE_MS));
}
