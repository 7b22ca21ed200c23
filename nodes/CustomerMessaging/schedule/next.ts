import { weekdays } from './form';
import { offsetMs, resolveLocal } from './localTime';
import type { Problem } from '../shared/problem';
import { MINUTE_MS } from '../shared/time';
import { given, quote } from '../shared/formatting';
import { skippedMessage, twiceHint } from './formatting';

const dayMs = 24 * 60 * MINUTE_MS;

/** Reads a time such as `09:30`, `9:30` or `9am` as milliseconds after midnight, by default `nextTime`. */
export function readTimeOfDay(
	value: unknown,
	{ field, label } = { field: 'nextTime', label: 'Time of Day' },
): number | Problem {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	const [, hour, minute = '0', half] = /^(\d\d?)(?::([0-5]\d))? ?([ap]m)?$/.exec(text) ?? [];
	const hours = readHours(Number(hour), half, text.includes(':'));
	if (hours !== undefined) return (hours * 60 + Number(minute)) * MINUTE_MS;
	return {
		field,
		message: `${label} must be a time such as 09:30, 9:30 or 9am, but it is ${given(value)}`,
	};
}

/** The hours after midnight. Without am or pm, a lone number could be anything, so it needs minutes. */
function readHours(
	hour: number,
	half: string | undefined,
	hasMinutes: boolean,
): number | undefined {
	if (half !== undefined) {
		if (!(hour >= 1 && hour <= 12)) return undefined;
		return (hour % 12) + (half === 'pm' ? 12 : 0);
	}
	return hasMinutes && hour <= 23 ? hour : undefined;
}

/** Reads weekdays, given by name or by Luxon's number, as Luxon's numbers. */
export function readDays(value: unknown): Set<number> | Problem {
	const field = 'nextDays';
	const chosen: unknown[] = Array.isArray(value)
		? value
		: [value ?? ''].filter((day) => day !== '');
	if (chosen.length === 0) return { field, message: 'Weekdays is empty. Choose at least one' };

	const days = chosen.map(weekdayNumber);
	const unknown = chosen.filter((_, index) => days[index] === undefined);
	if (unknown.length === 0) return new Set(days.filter((day) => day !== undefined));
	return {
		field,
		message: `Weekdays contains ${unknown.map(quote).join(', ')}. Use the names Monday to Sunday, or 1 for Monday to 7 for Sunday`,
	};
}

function weekdayNumber(day: unknown): number | undefined {
	if (typeof day !== 'string' && typeof day !== 'number') return undefined;
	const text = String(day).trim().toLowerCase();
	const index = weekdays.findIndex((name, at) => text === name || text === String(at + 1));
	return index === -1 ? undefined : index + 1;
}

/**
 * Finds the first instant after `nowMs` at which clocks in `zone` show `timeMs` after midnight on one
 * of `days`. Refuses a local time that a future clock change skips.
 */
export function findNext(
	timeMs: number,
	days: Set<number>,
	zone: string,
	nowMs: number,
): { instantMs: number; hint?: string } | Problem {
	const nowLocalMs = nowMs + offsetMs(zone, nowMs);
	const todayMs = Math.floor(nowLocalMs / dayMs) * dayMs;

	for (let dateMs = todayMs; ; dateMs += dayMs) {
		const weekday = new Date(dateMs).getUTCDay() || 7;
		if (!days.has(weekday)) continue;

		const localMs = dateMs + timeMs;
		const local = resolveLocal(localMs, zone);
		if (local.kind === 'once' && local.instantMs > nowMs) return { instantMs: local.instantMs };
		if (local.kind === 'skipped' && local.changeMs > nowMs) {
			return { field: 'nextTime', message: skippedMessage(localMs, local, zone) };
		}
		if (local.kind !== 'twice') continue;
		if (local.earlierMs > nowMs) {
			return { instantMs: local.earlierMs, hint: twiceHint(localMs, local, zone) };
		}
		if (local.laterMs > nowMs) return { instantMs: local.laterMs };
	}
}
