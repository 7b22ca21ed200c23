import { IANAZone } from 'luxon';

import { MINUTE_MS } from '../shared/time';

const dayMs = 24 * 60 * MINUTE_MS;

/**
 * What a local time comes to in a zone. Local times (`…LocalMs`) are epoch milliseconds of the
 * same date and time in UTC; `…Ms` alone is an instant.
 */
export type LocalTime =
	| { kind: 'once'; instantMs: number }
	/** Clocks go back over it. */
	| { kind: 'twice'; earlierMs: number; laterMs: number }
	/** Clocks go forward over it, at the instant `changeMs`. */
	| { kind: 'skipped'; changeMs: number; fromLocalMs: number; toLocalMs: number };

/** Those found, as asking the runtime takes long and a run asks for every row. */
const knownZones = new Set<string>();

/** Whether `zone` is the name of an IANA zone. Offsets are none, though newer runtimes take them. */
export function isZone(zone: string): boolean {
	if (knownZones.has(zone)) return true;
	const isKnown = /^[a-z]/i.test(zone) && IANAZone.isValidZone(zone);
	if (isKnown) knownZones.add(zone);
	return isKnown;
}

/** The zone's offset from UTC in milliseconds, ahead being positive. `zone` passes `isZone`. */
export function offsetMs(zone: string, instantMs: number): number {
	return IANAZone.create(zone).offset(instantMs) * MINUTE_MS;
}

/**
 * Finds the instants at which clocks in `zone` show `localMs`. Luxon's own reading is not enough:
 * it moves a skipped time forward and picks one of two without a word.
 */
export function resolveLocal(localMs: number, zone: string): LocalTime {
	// No zone has been more than a day off UTC, nor changed its clocks twice within two days.
	const before = offsetMs(zone, localMs - dayMs);
	const after = offsetMs(zone, localMs + dayMs);
	const [earlierMs, laterMs] = [...new Set([before, after])]
		.map((offset) => localMs - offset)
		.filter((instantMs) => instantMs + offsetMs(zone, instantMs) === localMs)
		.sort((a, b) => a - b);

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

/** The first instant of the new offset, between one instant of the old and one of the new. */
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
