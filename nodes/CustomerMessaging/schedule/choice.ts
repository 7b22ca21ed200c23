import { unknownChoice } from '../fields/choice';
import { type PlaceholderIn, readDateTime } from './dateTime';
import { type Channel, sendAtField } from './form';
import { isZone, resolveLocal } from './localTime';
import { findNext, readDays, readTimeOfDay } from './next';
import { isProblem, type Problem } from '../shared/problem';
import type { Schedule } from '../shared/delivery';
import { given, quote } from '../shared/formatting';
import { formatReading, skippedMessage, twiceHint } from './formatting';

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
