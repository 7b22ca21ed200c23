import { IANAZone, DateTime } from 'luxon';
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { MINUTE_MS } from '../shared/slices';
import type { Problem } from '../shared/ending';
import { quoted, say, type Sentence, written } from '../shared/formatting';

export const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * The instants of a local time in a zone. Local times (`…LocalMs`) are the epoch milliseconds of the
 * same date and time in UTC; `…Ms` alone is an instant.
 */
type LocalTime =
	| { kind: 'once'; instantMs: number }
	/** Clocks are set back over this time. */
	| { kind: 'twice'; earlierMs: number; laterMs: number }
	/** Clocks are set forward over this time, at the instant `changeMs`. */
	| { kind: 'skipped'; changeMs: number; fromLocalMs: number; toLocalMs: number };

/** A cache, because the runtime's check is slow and a run needs it for every row. */
const validZones = new Set<string>();

/** Checks for the name of an IANA timezone. Offsets are refused, although newer runtimes accept them. */
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
	const before = offsetMs(zone, localMs - DAY_MS);
	const after = offsetMs(zone, localMs + DAY_MS);
	// Both offsets fit only where clocks are set back, so the first instant is the earlier one.
	const [earlierMs, laterMs] = [...new Set([before, after])]
		.map((offset) => localMs - offset)
		.filter((instantMs) => instantMs + offsetMs(zone, instantMs) === localMs);

	if (earlierMs === undefined) {
		const changeMs = findChange(zone, localMs - DAY_MS, localMs + DAY_MS);
		const [fromLocalMs, toLocalMs] = [changeMs + before, changeMs + after];
		return { kind: 'skipped', changeMs, fromLocalMs, toLocalMs };
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

/** An instant, or a local time that still needs a zone (see `LocalTime`). Both in milliseconds. */
export type AskedTime = { instantMs: number } | { localMs: number };

/** ISO 8601, with a `T` or a space before the time. Luxon alone would also read a lone year or time of day. */
const iso =
	/^(?<day>\d{4}-\d\d-\d\d)(?:[t ](?<time>(?:[01]\d|2[0-3])(?::[0-5]\d){1,2}(?:\.\d{1,9})?) ?(?<offset>z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i;

export const scheduledFor = { field: 'scheduledFor', label: 'Date and Time' };

/**
 * Reads a date-time field, by default `scheduledFor`: ISO text with or without an offset (also `+0000`, spec
 * §2.6), text as in emails (RFC 2822), a Luxon DateTime, or a JavaScript Date. Numbers are refused because
 * they may be seconds, milliseconds or days. A date without a time is refused too.
 */
export function readDateTime(value: unknown, { field, label } = scheduledFor): AskedTime | Problem {
	const refuse = (sentence: string | Sentence): Problem => ({ field, ...say`${sentence}` });
	if (typeof value === 'string' && value.trim() !== '') return readText(value.trim(), refuse);
	if (typeof value === 'number')
		return refuse(
			say`${written(value)} may be seconds or milliseconds. Write it as 2026-11-23T09:30`,
		);
	if (typeof value === 'object' && value !== null) {
		const instantMs = readMillis(value);
		if (Number.isFinite(instantMs)) return { instantMs };
		return refuse(
			`${label} is not a date and time. Enter one such as 2026-11-23T09:30, or use an expression that returns a DateTime or a Date`,
		);
	}
	return refuse(`${label} is empty. Enter one, e.g. 2026-11-23T09:30`);
}

/** Tests for members instead of classes: expressions may use another copy of Luxon or another realm's Date. */
function readMillis(value: object): number {
	const isTime = 'isLuxonDateTime' in value || 'getTime' in value;
	const ms: unknown = isTime && typeof value.valueOf === 'function' ? value.valueOf() : undefined;
	return typeof ms === 'number' ? ms : NaN;
}

function readText(text: string, refuse: (sentence: Sentence) => Problem): AskedTime | Problem {
	const isoParts = iso.exec(text)?.groups;
	if (!isoParts) {
		const instantMs = DateTime.fromRFC2822(text).toMillis();
		if (Number.isFinite(instantMs)) return { instantMs };
		return refuse(say`${quoted(text)} is not in the expected format. Write it as 2026-11-23T09:30`);
	}
	const { day = '', time, offset = '' } = isoParts;
	const whole = `${day}T${time ?? '00:00'}${offset}`.toUpperCase();
	const readMs = DateTime.fromISO(whole, { zone: 'UTC' }).toMillis();
	if (!Number.isFinite(readMs))
		return refuse(say`${day} is not in the calendar. Choose a day that exists`);
	if (time === undefined)
		return refuse(say`${day} is a day without a time. Add one, e.g. ${day}T09:30`);
	return offset === '' ? { localMs: readMs } : { instantMs: readMs };
}

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
	return inZone(instantMs, zone).toFormat('yyyy-MM-dd HH:mm:ss');
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
): string {
	return `${formatClock(localMs)} on ${formatDay(localMs)} comes twice in ${zone}, because clocks go back. The earlier one counts, ${formatIso(earlierMs, zone)}. For the later one, give ${formatIso(laterMs, zone)} as its date and time`;
}

/** Old names in the tz database that the runtime still lists, with the current names. */
const renamed: Record<string, string> = {
	'Africa/Asmera': 'Africa/Asmara',
	'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
	'America/Catamarca': 'America/Argentina/Catamarca',
	'America/Coral_Harbour': 'America/Atikokan',
	'America/Cordoba': 'America/Argentina/Cordoba',
	'America/Godthab': 'America/Nuuk',
	'America/Indianapolis': 'America/Indiana/Indianapolis',
	'America/Jujuy': 'America/Argentina/Jujuy',
	'America/Louisville': 'America/Kentucky/Louisville',
	'America/Mendoza': 'America/Argentina/Mendoza',
	'Asia/Calcutta': 'Asia/Kolkata',
	'Asia/Katmandu': 'Asia/Kathmandu',
	'Asia/Rangoon': 'Asia/Yangon',
	'Asia/Saigon': 'Asia/Ho_Chi_Minh',
	'Atlantic/Faeroe': 'Atlantic/Faroe',
	'Europe/Kiev': 'Europe/Kyiv',
	'Pacific/Enderbury': 'Pacific/Kanton',
	'Pacific/Ponape': 'Pacific/Pohnpei',
	'Pacific/Truk': 'Pacific/Chuuk',
};

/** All zones by their current names, in alphabetical order. */
export function listZones(): string[] {
	const listed = Intl.supportedValuesOf('timeZone').map((zone) => renamed[zone] ?? zone);
	return [...new Set([...listed, 'UTC'])].sort();
}

/** Lists the workflow's timezone, then all zones by name with their present offset. n8n calls it for the form. */
export async function getTimezones(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return [
		{ name: `Workflow's Timezone: ${this.getTimezone()}`, value: '' },
		...listZones().map((zone) => ({
			name: `${zone} (${inZone(Date.now(), zone).toFormat("'UTC'ZZ")})`,
			value: zone,
		})),
	];
}
