import { IANAZone } from 'luxon';

import { MINUTE_MS } from '../shared/time';

const dayMs = 24 * 60 * MINUTE_MS;

/**
 * The instants of a local time in a zone. Local times (`…LocalMs`) are the epoch milliseconds of the
 * same date and time in UTC; `…Ms` alone is an instant.
 */
export type LocalTime =
	| { kind: 'once'; instantMs: number }
	/** Clocks are set back over this time. */
	| { kind: 'twice'; earlierMs: number; laterMs: number }
	/** Clocks are set forward over this time, at the instant `changeMs`. */
	| { kind: 'skipped'; changeMs: number; fromLocalMs: number; toLocalMs: number };

/** A cache, because the runtime's check is slow and a run needs it for every row. */
const validZones = new Set<string>();

/** Whether `zone` is the name of an IANA timezone. Offsets are not, although newer runtimes accept them. */
export function isZone(zone: string): boolean {
	if (validZones.has(zone)) return true;
	const isValid = /^[a-z]/i.test(zone) && IANAZone.isValidZone(zone);
	if (isValid) validZones.add(zone);
	return isValid;
}

/** The zone's offset from UTC in milliseconds, positive east of UTC. `zone` must have passed `isZone`. */
export function offsetMs(zone: string, instantMs: number): number {
	return IANAZone.create(zone).offset(instantMs) * MINUTE_MS;
}

/**
 * Finds the instants at which clocks in `zone` show `localMs`. Luxon cannot be used for this: it
 * silently moves a skipped time forward and picks one of two instants.
 */
export function resolveLocal(localMs: number, zone: string): LocalTime {
	// No zone has ever been more than a day from UTC, or changed its clocks twice within two days.
	const before = offsetMs(zone, localMs - dayMs);
	const after = offsetMs(zone, localMs + dayMs);
	// Both offsets fit only where clocks are set back, so the first instant is the earlier one.
	const [earlierMs, laterMs] = [...new Set([before, after])]
		.map((offset) => localMs - offset)
		.filter((instantMs) => instantMs + offsetMs(zone, instantMs) === localMs);

	if (earlierMs === undefined) {
		const changeMs = findChange(zone, localMs - dayMs, localMs + dayMs);
		return {
			kind: 'skipped',
			changeMs,
			fromLocalMs: changeMs + before,
			toLocalMs: changeMs + after,
		};
	}
	return laterMs === undefined
		? { kind: 'once', instantMs: earlierMs }
		: { kind: 'twice', earlierMs, laterMs };
}

/** Finds the first instant with a new offset, by bisection between an old and a new instant. */
function findChange(zone: string, oldMs: number, newMs: number): number {
	const old = offsetMs(zone, oldMs);
	let [low, high] = [oldMs, newMs];
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (offsetMs(zone, middle) === old) low = middle;
		else high = middle;
	}
	return high;
}
