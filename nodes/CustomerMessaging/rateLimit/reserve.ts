import { MINUTE_MS } from '../shared/time';
import { type Client, hasPriority } from './clientQueue';

/** Share of the limit that long runs leave to others and to short runs of this process. */
const RESERVED_SHARE = 0.05;
/** A run that is this long and this large leaves room to short ones, even if it takes a minute longer. */
const LONG_RUN = { minutes: 10, sends: 5_000 };
/** For how long after another run was seen the reserve is worth a minute. */
const SHARED_KEPT_MS = 5 * MINUTE_MS;

/** The reserve is given up when as many of our own requests make room within this time. */
const RELEASE_MS = 3_000;

/** How many places are kept free for short runs at most. */
export function reserveOf(limitPerMinute: number): number {
	return Math.floor(limitPerMinute * RESERVED_SHARE);
}

/**
 * How many places a run must leave to others.
 *
 * @param roomInMs when our own requests make room for a reserve
 * @param sharedBeforeMs how long ago another run was seen
 */
export function placesKept(
	client: Client,
	limitPerMinute: number,
	roomInMs: number,
	sharedBeforeMs: number,
): number {
	const reserve = reserveOf(limitPerMinute);
	const isLast = client.size - client.sent <= reserve;
	if (hasPriority(client) || isLast || roomInMs < RELEASE_MS) return 0;
	if (sharedBeforeMs >= SHARED_KEPT_MS && costsAMinute(client, limitPerMinute)) return 0;
	// The less time is left, the fewer short runs will come.
	return Math.ceil(reserve * Math.min(1, roomInMs / MINUTE_MS));
}

/** Whether the places of all its minutes are just enough for a run. */
function costsAMinute({ size }: Client, limitPerMinute: number): boolean {
	const minutes = Math.ceil(size / limitPerMinute);
	const unused = minutes * limitPerMinute - size;
	const isLong = minutes >= LONG_RUN.minutes && size >= LONG_RUN.sends;
	return !isLong && unused < reserveOf(limitPerMinute);
}
