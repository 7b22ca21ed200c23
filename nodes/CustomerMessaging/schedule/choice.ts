import { weekdays, type Channel, sendAtField } from './form';
import {
	offsetMs,
	resolveLocal,
	skippedMessage,
	twiceHint,
	isZone,
	formatReading,
} from './localTime';
import { type Problem, isProblem } from '../shared/result';
import { MINUTE_MS } from '../shared/apis';
import { given, quote } from '../shared/formatting';
import type { Schedule } from '../shared/delivery';
import { unknownChoice } from '../fields/values';
import { type PlaceholderIn, readDateTime } from './dateTime';
import { isEmpty } from '../fields/field';

const dayMs = 24 * 60 * MINUTE_MS;

/** Reads a time such as `09:30`, `9:30` or `9am` as milliseconds after midnight, by default `nextTime`. */
export function readTimeOfDay(
	value: unknown,
	{ field, label } = { field: 'nextTime', label: 'Time of Day' },
): number | Problem {
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	const [, hour, minute = '0', half] = /^(\d\d?)(?::([0-5]\d))? ?([ap]m)?$/.exec(text) ?? [];
	const hours = toTwentyFourHours(Number(hour), half, text.includes(':'));
	if (hours !== undefined) return (hours * 60 + Number(minute)) * MINUTE_MS;
	return {
		field,
		message: `${label} must be a time such as 09:30, 9:30 or 9am, but it is ${given(value)}`,
	};
}

/** The hours after midnight. Without am or pm, a lone number could be anything, so it needs minutes. */
function toTwentyFourHours(
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

/** The hours of a day, which may span midnight, as clocks in a zone show them. */
type Hours = Extract<Schedule, { kind: 'within' }>;

/** A schedule whose time is certain. */
export type Decided = Exclude<Schedule, Hours>;

/** Decides whether a message that leaves now is sent at once or when its hours begin. */
export function decide(schedule: Schedule, nowMs: number): Decided {
	if (schedule.kind !== 'within') return schedule;
	return isWithin(schedule, nowMs) ? { kind: 'now' } : findBegin(schedule, nowMs);
}

/** The end is not part of the hours. */
function isWithin({ fromMs, toMs, zone }: Hours, instantMs: number): boolean {
	const localMs = instantMs + offsetMs(zone, instantMs);
	const timeMs = localMs - Math.floor(localMs / dayMs) * dayMs;
	return fromMs < toMs ? timeMs >= fromMs && timeMs < toMs : timeMs >= fromMs || timeMs < toMs;
}

/** Finds when the hours next begin: where clocks skip that time, when they have skipped it. */
function findBegin(hours: Hours, nowMs: number): Decided {
	const { fromMs, zone } = hours;
	const todayMs = Math.floor((nowMs + offsetMs(zone, nowMs)) / dayMs) * dayMs;
	for (let dateMs = todayMs; ; dateMs += dayMs) {
		const localMs = dateMs + fromMs;
		const local = resolveLocal(localMs, zone);
		if (local.kind === 'once' && local.instantMs > nowMs)
			return { kind: 'at', instantMs: local.instantMs, zone };
		if (local.kind === 'skipped' && local.changeMs > nowMs && isWithin(hours, local.changeMs))
			return { kind: 'at', instantMs: local.changeMs, zone };
		if (local.kind !== 'twice') continue;
		const { earlierMs, laterMs } = local;
		if (earlierMs > nowMs)
			return { kind: 'at', instantMs: earlierMs, zone, hint: twiceHint(localMs, local, zone) };
		if (laterMs > nowMs) return { kind: 'at', instantMs: laterMs, zone };
	}
}

/** The schedule with the most fields that a message may get. */
export function withAllFields(schedule: Schedule, nowMs: number): Decided {
	return schedule.kind === 'within'
		? { kind: 'at', instantMs: nowMs, zone: schedule.zone }
		: schedule;
}

/** The schedule parameters of one item, from the form or an expression. */
export interface ScheduleChoice {
	/** `now`, `delay`, `at`, `next` or `withinHours`. */
	sendAt?: unknown;
	/** Whole seconds. */
	time?: unknown;
	scheduledFor?: unknown;
	/** `HH:mm`. */
	nextTime?: unknown;
	/** Names of weekdays, or Luxon's numbers: 1 is Monday, 7 is Sunday. */
	nextDays?: unknown;
	/** `HH:mm`; the hours may span midnight. */
	hoursFrom?: unknown;
	hoursTo?: unknown;
	/** IANA timezone; empty for the workflow's. */
	scheduleTimezone?: unknown;
}

export interface ScheduleContext {
	/** The current time in epoch milliseconds. */
	nowMs: number;
	/** The workflow's IANA timezone. */
	workflowZone: string;
	placeholderIn?: PlaceholderIn;
}

export type ScheduleReading = { schedule: Schedule } | { problems: Problem[] };

/**
 * Converts one item's schedule parameters to an instant or a delay (spec §4.2 note 3). Never throws:
 * returns all problems at once, each with its parameter. Times in the past and local times that a
 * clock change skips are refused. If a local time occurs twice, `at` chooses the earlier instant and
 * `next` the first one that has not passed. `withinHours` is decided when the message leaves; see `decide`.
 */
export function readSchedule(
	choice: ScheduleChoice,
	context: ScheduleContext,
	channel: Channel = 'push',
): ScheduleReading {
	switch (choice.sendAt) {
		case 'now':
			return { schedule: { kind: 'now' } };
		case 'delay':
			return channel === 'push' ? readDelay(choice.time) : refuse('sendAt', onlyPush);
		case 'at':
			return readAt(choice, context);
		case 'next':
			return readNext(choice, context);
		case 'withinHours':
			return readHours(choice, context);
		default:
			return refuse('sendAt', unknownChoice(sendAtField(channel), choice.sendAt));
	}
}

const onlyPush =
	"Only push can be sent after a delay. Choose 'Now', 'At a Date and Time', 'Next Weekday and Time' or 'Within Hours'";

function refuse(field: string, message: string): ScheduleReading {
	return { problems: [{ field, message }] };
}

function readDelay(time: unknown): ScheduleReading {
	const seconds = typeof time === 'string' && /^\d+$/.test(time.trim()) ? Number(time) : time;
	return typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds >= 1
		? { schedule: { kind: 'delay', seconds } }
		: refuse(
				'time',
				`Delay must be a number of whole seconds, 1 or more, but it is ${given(time)}`,
			);
}

function readAt(
	choice: ScheduleChoice,
	{ nowMs, workflowZone, placeholderIn }: ScheduleContext,
): ScheduleReading {
	const zone = readZone(choice.scheduleTimezone, workflowZone);
	const asked = readDateTime(choice.scheduledFor, undefined, placeholderIn);
	if (isProblem(zone) || isProblem(asked)) return { problems: [zone, asked].filter(isProblem) };

	if ('instantMs' in asked) return future(asked.instantMs, zone, nowMs);

	const { localMs } = asked;
	const local = resolveLocal(localMs, zone);
	switch (local.kind) {
		case 'once':
			return future(local.instantMs, zone, nowMs);
		case 'twice':
			return future(local.earlierMs, zone, nowMs, twiceHint(localMs, local, zone));
		case 'skipped':
			return refuse('scheduledFor', skippedMessage(localMs, local, zone));
	}
}

export function at(instantMs: number, zone: string, hint?: string): ScheduleReading {
	const schedule = { kind: 'at' as const, instantMs, zone };
	return { schedule: hint === undefined ? schedule : { ...schedule, hint } };
}

/** After this, a date may have a five-digit year in some zone. */
export const maxInstantMs = Date.UTC(9999, 0, 1);

function future(instantMs: number, zone: string, nowMs: number, hint?: string): ScheduleReading {
	if (instantMs > maxInstantMs)
		return refuse(
			'scheduledFor',
			'Date and Time is too far ahead. Choose one before the year 9999',
		);
	if (instantMs >= nowMs) return at(instantMs, zone, hint);
	return refuse(
		'scheduledFor',
		`${formatReading(instantMs, zone)} in ${zone} has passed: it is now ${formatReading(nowMs, zone)} there. Choose a later time${hint === undefined ? '' : `. ${hint}`}`,
	);
}

function readNext(
	choice: ScheduleChoice,
	{ nowMs, workflowZone }: ScheduleContext,
): ScheduleReading {
	const zone = readZone(choice.scheduleTimezone, workflowZone);
	const timeMs = readTimeOfDay(choice.nextTime);
	const days = readDays(choice.nextDays);
	if (isProblem(zone) || isProblem(timeMs) || isProblem(days)) {
		return { problems: [zone, timeMs, days].filter(isProblem) };
	}
	const next = findNext(timeMs, days, zone, nowMs);
	return isProblem(next) ? { problems: [next] } : at(next.instantMs, zone, next.hint);
}

const hourFields = {
	from: { field: 'hoursFrom', label: 'Hours From' },
	to: { field: 'hoursTo', label: 'Hours To' },
};

function readHours(
	{ hoursFrom, hoursTo, scheduleTimezone }: ScheduleChoice,
	{ workflowZone }: ScheduleContext,
): ScheduleReading {
	const zone = readZone(scheduleTimezone, workflowZone);
	const fromMs = readTimeOfDay(hoursFrom, hourFields.from);
	const toMs = readTimeOfDay(hoursTo, hourFields.to);
	if (isProblem(zone) || isProblem(fromMs) || isProblem(toMs))
		return { problems: [zone, fromMs, toMs].filter(isProblem) };
	if (fromMs !== toMs) return { schedule: { kind: 'within', fromMs, toMs, zone } };
	const message = `${hourFields.to.label} is the same as ${hourFields.from.label}, so it is not clear whether all day or no time is meant. Choose a later or an earlier time, or set Send At to Now to send at any time`;
	return { problems: [{ field: hourFields.to.field, message }] };
}

/** Reads `scheduleTimezone`; empty means the workflow's timezone. */
export function readZone(value: unknown, workflowZone: string): string | Problem {
	const field = 'scheduleTimezone';
	if (value === undefined || value === null || value === '') {
		if (isZone(workflowZone)) return workflowZone;
		return {
			field,
			message: `The workflow's timezone ${quote(workflowZone)} is not known. Choose one here or in the workflow's settings, e.g. Europe/Berlin`,
		};
	}
	const zone = typeof value === 'string' ? value.trim() : '';
	if (isZone(zone)) return zone;
	return {
		field,
		message: `Timezone ${quote(value)} is not known. Use its IANA name, e.g. Europe/Berlin`,
	};
}

const field = 'event_time';
const label = 'Event Time';

/**
 * Reads when an event happened. Empty means the time of sending. Unlike the time of a message, it may
 * have passed. Never throws: returns all problems at once, each with its parameter.
 *
 * @param timezone IANA timezone of a time without an offset; empty for the workflow's
 */
export function readEventTime(
	value: unknown,
	timezone: unknown,
	workflowZone: string,
	placeholderIn?: PlaceholderIn,
): ScheduleReading {
	if (isEmpty(value)) return { schedule: { kind: 'now' } };
	const zone = readZone(timezone, workflowZone);
	const asked = readDateTime(value, { field, label }, placeholderIn);
	if (isProblem(zone) || isProblem(asked)) return { problems: [zone, asked].filter(isProblem) };

	if ('instantMs' in asked) {
		return asked.instantMs > maxInstantMs ? tooFarAhead : at(asked.instantMs, zone);
	}
	const { localMs } = asked;
	const local = resolveLocal(localMs, zone);
	switch (local.kind) {
		case 'once':
			return local.instantMs > maxInstantMs ? tooFarAhead : at(local.instantMs, zone);
		case 'twice':
			return at(
				local.earlierMs,
				zone,
				twiceHint(localMs, local, zone, "switch 'Event Time' to Expression and enter"),
			);
		case 'skipped':
			return refuseEventTime(skippedMessage(localMs, local, zone));
	}
}

function refuseEventTime(message: string): { problems: Problem[] } {
	return { problems: [{ field, message }] };
}

const tooFarAhead = refuseEventTime(`${label} is too far ahead. Choose one before the year 9999`);
