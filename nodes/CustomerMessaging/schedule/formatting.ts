import { DateTime } from 'luxon';

import { MINUTE_MS } from '../shared/time';
import { type LocalTime, offsetMs } from './localTime';

/** Formats a local time as `02:30`, or `02:30:15` if it has seconds. */
function formatClock(localMs: number): string {
	const text = new Date(localMs).toISOString();
	return localMs % MINUTE_MS === 0 ? text.slice(11, 16) : text.slice(11, 19);
}

function formatDay(localMs: number): string {
	return new Date(localMs).toISOString().slice(0, 10);
}

/** Formats an instant as local time in `zone`: `2026-11-23 09:30:00`. */
export function formatReading(instantMs: number, zone: string): string {
	return new Date(instantMs + offsetMs(zone, instantMs))
		.toISOString()
		.slice(0, 19)
		.replace('T', ' ');
}

/** Formats an instant as people write it: `Tue 24 Nov 2026, 09:00, Europe/Berlin`. */
export function formatWhen(instantMs: number, zone: string): string {
	return `${inZone(instantMs, zone).toFormat('ccc d LLL yyyy, HH:mm')}, ${zone}`;
}

/** Creates a DateTime with English, Latin digits and the Gregorian calendar, regardless of the host's settings. */
export function inZone(instantMs: number, zone: string): DateTime {
	return DateTime.fromMillis(instantMs, {
		zone,
		locale: 'en',
		numberingSystem: 'latn',
		outputCalendar: 'gregory',
	});
}

/** Formats an instant as `2026-11-23T09:30:00.000+01:00`. */
export function formatIso(instantMs: number, zone: string): string {
	return inZone(instantMs, zone).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ");
}

/** Says which times to choose instead of a local time that a clock change skips. */
export function skippedMessage(
	localMs: number,
	{ fromLocalMs, toLocalMs }: Extract<LocalTime, { kind: 'skipped' }>,
	zone: string,
): string {
	const near = (otherMs: number) =>
		formatDay(otherMs) === formatDay(localMs)
			? formatClock(otherMs)
			: `${formatClock(otherMs)} on ${formatDay(otherMs)}`;
	return `${formatClock(localMs)} on ${formatDay(localMs)} does not exist in ${zone}: clocks go from ${near(fromLocalMs)} to ${near(toLocalMs)}. Choose ${near(fromLocalMs - MINUTE_MS)} or earlier, or ${near(toLocalMs)} or later`;
}

/** Says which of two instants is used for an ambiguous local time, and how to choose the other. */
export function twiceHint(
	localMs: number,
	{ earlierMs, laterMs }: Extract<LocalTime, { kind: 'twice' }>,
	zone: string,
	how = "choose 'At a Date and Time', switch 'Date and Time' to Expression and enter",
): string {
	return `${formatClock(localMs)} on ${formatDay(localMs)} comes twice in ${zone}, because clocks go back. The earlier one counts, ${formatIso(earlierMs, zone)}. For the later one, ${how} ${formatIso(laterMs, zone)}`;
}
