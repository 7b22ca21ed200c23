import { DateTime } from 'luxon';

import { MINUTE_MS } from '../shared/time';
import { type LocalTime, offsetMs } from './localTime';

/** `02:30`, or `02:30:15` where there are seconds. */
function clockOf(localMs: number): string {
	const text = new Date(localMs).toISOString();
	return localMs % MINUTE_MS === 0 ? text.slice(11, 16) : text.slice(11, 19);
}

function dayOf(localMs: number): string {
	return new Date(localMs).toISOString().slice(0, 10);
}

/** `2026-11-23 09:30:00`, the clock's reading in `zone`. */
export function readingOf(instantMs: number, zone: string): string {
	return new Date(instantMs + offsetMs(zone, instantMs)).toISOString().slice(0, 19).replace('T', ' ');
}

/** English, Latin digits and the Gregorian calendar, whatever the host's settings are. */
export function inZone(instantMs: number, zone: string): DateTime {
	return DateTime.fromMillis(instantMs, {
		zone,
		locale: 'en',
		numberingSystem: 'latn',
		outputCalendar: 'gregory',
	});
}

/** `2026-11-23T09:30:00.000+01:00`. */
export function isoOf(instantMs: number, zone: string): string {
	return inZone(instantMs, zone).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ");
}

/** Names the neighbours of a local time that clocks skip: the last before it, the first after it. */
export function skippedMessage(
	localMs: number,
	{ fromLocalMs, toLocalMs }: Extract<LocalTime, { kind: 'skipped' }>,
	zone: string,
): string {
	const near = (otherMs: number) =>
		dayOf(otherMs) === dayOf(localMs) ? clockOf(otherMs) : `${clockOf(otherMs)} on ${dayOf(otherMs)}`;
	return `${clockOf(localMs)} on ${dayOf(localMs)} does not exist in ${zone}: clocks go from ${near(fromLocalMs)} to ${near(toLocalMs)}. Choose ${near(fromLocalMs - MINUTE_MS)} or earlier, or ${near(toLocalMs)} or later`;
}

/** Says which of two counts and how to have the other. */
export function twiceHint(
	localMs: number,
	{ earlierMs, laterMs }: Extract<LocalTime, { kind: 'twice' }>,
	zone: string,
): string {
	return `${clockOf(localMs)} on ${dayOf(localMs)} comes twice in ${zone}, because clocks go back. The earlier one counts, ${isoOf(earlierMs, zone)}. For the later one, choose 'At a Date and Time' and enter ${isoOf(laterMs, zone)}`;
}
