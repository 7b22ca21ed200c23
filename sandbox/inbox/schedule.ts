import { toText } from '../json';
import { isMessageChannel, isObject, type Channel, type JsonObject } from '../terms';

/** When a message is to be sent, according to its body. */
export type Schedule =
	| { kind: 'now' }
	| { kind: 'at'; atMs: number }
	| { kind: 'delay'; atMs: number; seconds: number }
	/** In an unknown format, or beyond the range of dates. It is shown as it was sent. */
	| { kind: 'unread'; written: string };

const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** The last one of JavaScript's dates, in 275760. Formatting a later one throws. */
const maxDateMs = 8.64e15;

// An immediate campaign contains the present (spec §2.3, §2.4), rounded to the minute and by another clock.
const presentMs = minuteMs;

/**
 * Reads the schedule of a body. Push is read as `yyyy-MM-dd`, `HH:mm:ss` and an offset such
 * as `+0530`, or as seconds from its arrival; email and SMS as the integers `yyyyMMdd` and `HHmm` in
 * UTC, or as epoch seconds in both. Spec §4.2 and §2.3 leave the form open; this is the node's default.
 * @param arrivedMs epoch milliseconds
 */
export function readSchedule(channel: Channel | null, body: unknown, arrivedMs: number): Schedule {
	if (!isObject(body)) return { kind: 'now' };
	if (channel === 'push') return pushSchedule(body, arrivedMs);
	return isMessageChannel(channel) ? campaignSchedule(body, arrivedMs) : { kind: 'now' };
}

function pushSchedule(body: JsonObject, arrivedMs: number): Schedule {
	const { time, schedule_date: date, schedule_time: timeOfDay, time_zone: zone = '0' } = body;
	const isDated = date !== undefined || timeOfDay !== undefined;
	if (time === undefined && !isDated) return { kind: 'now' };

	const seconds = typeof time === 'string' && /^\d+$/.test(time) ? Number(time) : time;
	if (!isDated && isInteger(seconds) && seconds >= 0) {
		const atMs = arrivedMs + seconds * secondMs;
		if (atMs <= maxDateMs) return { kind: 'delay', atMs, seconds };
	}
	const offset = offsetMs(zone);
	const local = localMs(date, timeOfDay);
	if (time !== undefined || offset === undefined || local === undefined) {
		return { kind: 'unread', written: written(time, date, timeOfDay, body.time_zone) };
	}
	return { kind: 'at', atMs: local - offset };
}

function campaignSchedule(body: JsonObject, arrivedMs: number): Schedule {
	const { schedule_date: date, schedule_time: time } = body;
	if (date === undefined && time === undefined) return { kind: 'now' };

	const atMs = epochMs(date, time) ?? digitsMs(date, time);
	if (atMs === undefined) return { kind: 'unread', written: written(date, time) };
	return atMs <= arrivedMs + presentMs ? { kind: 'now' } : { kind: 'at', atMs };
}

/** Both fields hold the same instant where the account's format is epoch seconds. */
function epochMs(date: unknown, time: unknown): number | undefined {
	return date === time && isInteger(date) && date >= 1e9 && date < 1e10
		? date * secondMs
		: undefined;
}

function digitsMs(date: unknown, time: unknown): number | undefined {
	if (!isInteger(date) || !isInteger(time) || time < 0 || time > 9999) return undefined;
	const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(String(date)) ?? [];
	const [, hours, minutes] = /^(\d\d)(\d\d)$/.exec(String(time).padStart(4, '0')) ?? [];
	return localMs(`${year}-${month}-${day}`, `${hours}:${minutes}:00`);
}

/** Epoch milliseconds of the same date and time in UTC; undefined where there is no such time. */
function localMs(date: unknown, time: unknown): number | undefined {
	const text = `${String(date)}T${String(time)}`;
	if (!/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text)) return undefined;
	const ms = Date.parse(`${text}Z`);
	// Date.parse turns the 31st of a shorter month into the 1st of the next.
	return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== text ? undefined : ms;
}

function offsetMs(zone: unknown): number | undefined {
	if (zone === '0') return 0;
	const [, sign, hours, minutes] = /^([+-])(\d\d)([0-5]\d)$/.exec(String(zone)) ?? [];
	if (sign === undefined) return undefined;
	const ms = (Number(hours) * 60 + Number(minutes)) * minuteMs;
	return sign === '-' ? -ms : ms;
}

function isInteger(value: unknown): value is number {
	return Number.isSafeInteger(value);
}

function written(...values: unknown[]): string {
	const texts = values.filter((value) => value !== undefined).map(toText);
	return texts.join(' ').slice(0, 100);
}
