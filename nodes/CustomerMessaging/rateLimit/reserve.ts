import { MINUTE_MS } from '../shared/time';
import { type Client, hasPriority } from './clientQueue';

/** Share of the limit that long runs leave to others and to short runs of this process. */
const RESERVED_SHARE = 0.05;
/** A run that is this long and this large leaves room to short ones, even if it takes a minute longer. */
const LONG_RUN = { minutes: 10, sends: 5_000 };
/** For how long after another run was seen the reserve is worth a minute. */
const SHARED_KEPT_MS = 5 * MINUTE_MS;

/** The reserve is given up when more requests may be possible within this time. */
const RELEASE_MS = 3_000;

/** How many places are kept free for short runs at most. */
export function reserveOf(limitPerMinute: number): number {
	return Math.floor(limitPerMinute * RESERVED_SHARE);
}

/** How long it is until more requests may be possible. */
interface Soon {
	/** Until our own requests make room for a reserve. */
	roomInMs: number;
	/** Until the next full minute, if a minute of the service may begin then. */
	fullMinuteInMs: number;
}

/**
 * How many places a run must leave to others.
 *
 * @param sharedBeforeMs how long ago another run was seen
 */
export function placesKept(
	client: Client,
	limitPerMinute: number,
	{ roomInMs, fullMinuteInMs }: Soon,
	sharedBeforeMs: number,
): number {
	const reserve = reserveOf(limitPerMinute);
	const isLast = client.size - client.sent <= reserve;
	if (hasPriority(client) || isLast || roomInMs < RELEASE_MS) return 0;
	// The less time is left, the fewer short runs will come.
	const share = Math.min(1, roomInMs / MINUTE_MS);
	const spare = sparePerMinute(client, limitPerMinute);
	if (sharedBeforeMs < SHARED_KEPT_MS || spare >= reserve) return Math.ceil(reserve * share);
	if (spare >= 1) return Math.ceil(spare * share);
	const keeps = isLong(client, limitPerMinute) && fullMinuteInMs >= RELEASE_MS;
	return keeps ? Math.ceil(reserve * share) : 0;
}

/** How many places a run can leave in each minute without taking a minute longer. */
function sparePerMinute({ size }: Client, limitPerMinute: number): number {
	const minutes = Math.ceil(size / limitPerMinute);
	return minutes < 2 || size === Infinity
		? Infinity
		: Math.floor((minutes * limitPerMinute - size) / (minutes - 1));
}

function isLong({ size }: Client, limitPerMinute: number): boolean {
	return size >= LONG_RUN.sends && size > (LONG_RUN.minutes - 1) * limitPerMinute;
}
