import { Info } from 'luxon';

import { type Declaration, type FormParameter, harmless, isBlank, isEmpty } from '../fields/field';
import { unknownChoice } from '../fields/values';
import { MINUTE_MS } from '../shared/slices';
import type { Schedule } from '../shared/delivery';
import { isProblem, type Problem } from '../shared/ending';
import { givenOne, quote, quoted, say, type Sentence, written } from '../shared/formatting';
import {
	DAY_MS,
	formatReading,
	inZone,
	isZone,
	offsetMs,
	readDateTime,
	resolveLocal,
	scheduledFor,
	skippedMessage,
	twiceHint,
} from './localTime';

const weekdayNames = Info.weekdays('long', { locale: 'en' });

/** In Luxon's order: Monday is 1, Sunday 7. */
const weekdays = weekdayNames.map((name) => name.toLowerCase());

/** The timezone of times without an offset. */
export const timezoneField: FormParameter = {
	displayName: 'Timezone Name or ID',
	name: 'scheduleTimezone',
	...harmless,
	type: 'options',
	default: '',
	description:
		'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	typeOptions: { loadOptionsMethod: 'getTimezones' },
};

/** The field Send At. Not every kind of message has a field for a delay (spec §2.2–2.4). */
function sendAtField(takesDelay = false): FormParameter {
	return {
		displayName: 'Send At',
		name: 'sendAt',
		...harmless,
		type: 'options',
		default: 'now',
		description: 'When the service sends the message',
		options: [
			{ name: 'Now', value: 'now' },
			...(takesDelay ? [{ name: 'After a Delay', value: 'delay' }] : []),
			{ name: 'At a Date and Time', value: 'at' },
			{ name: 'Next Weekday and Time', value: 'next' },
			{ name: 'Within Hours', value: 'withinHours' },
		],
	};
}

/**
 * The form fields for the schedule, for all operations of one resource. The choice in `sendAt` shows
 * the other fields.
 */
export function scheduleForm(takesDelay = false): FormParameter[] {
	return [
		sendAtField(takesDelay),
		...(takesDelay ? [delayField] : []),
		shownBy('at', {
			displayName: 'Date and Time',
			name: 'scheduledFor',
			type: 'dateTime',
			default: '',
			placeholder: 'e.g. 2030-01-31 09:30:00',
			description: 'Read in the timezone below unless it has an offset of its own',
		}),
		shownBy('next', {
			displayName: 'Time of Day',
			name: 'nextTime',
			type: 'string',
			default: '',
			placeholder: 'e.g. 09:30',
			description: 'A time such as 09:30, in the timezone below',
		}),
		shownBy('next', {
			displayName: 'Weekdays',
			name: 'nextDays',
			type: 'multiOptions',
			default: [],
			description:
				'The message is sent on the next of these days on which the time has not passed yet',
			// Users expect the order of the week, not alphabetical order.
			options: weekdayNames.map((name) => ({ name, value: name.toLowerCase() })),
		}),
		shownBy('withinHours', {
			displayName: 'Hours From',
			name: 'hoursFrom',
			type: 'string',
			default: '',
			placeholder: 'e.g. 09:00',
			description: 'Start of the window. Messages outside it go out when it next opens.',
		}),
		shownBy('withinHours', {
			displayName: 'Hours To',
			name: 'hoursTo',
			type: 'string',
			default: '',
			placeholder: 'e.g. 20:00',
			description: 'End of the sending window; may be past midnight',
		}),
		{ ...timezoneField, displayOptions: { show: { sendAt: ['at', 'next', 'withinHours'] } } },
	];
}

/** A required field that is shown for one choice in `sendAt`. */
function shownBy(
	sendAt: string,
	field: Omit<FormParameter, keyof Declaration | 'displayOptions'>,
): FormParameter {
	return {
		...field,
		...harmless,
		requiredIfChosen: true,
		displayOptions: { show: { sendAt: [sendAt] } },
	};
}

const delayField: FormParameter = {
	displayName: 'Delay (Seconds)',
	name: 'time',
	...harmless,
	type: 'number',
	default: 60,
	typeOptions: { minValue: 1, numberPrecision: 0 },
	description: 'Whole seconds after which the service sends the message',
	displayOptions: { show: { sendAt: ['delay'] } },
};

/** Reads a time such as `09:30` as milliseconds after midnight. */
function readTimeOfDay(value: unknown, field: string, label: string): number | Problem {
	const text = typeof value === 'string' ? value.trim() : '';
	const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
	if (hours !== undefined) return (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
	return { field, ...say`${label} must be a time such as 09:30, but it is ${givenOne(value)}` };
}

/** Reads the names of weekdays as Luxon's numbers. */
function readDays(value: unknown): Set<number> | Problem {
	const field = 'nextDays';
	const chosen: unknown[] = [isEmpty(value) ? [] : value].flat();
	if (chosen.length === 0) return { field, rule: 'Weekdays is empty. Choose at least one' };

	const days = chosen.map((day) =>
		typeof day === 'string' ? weekdays.indexOf(day.trim().toLowerCase()) + 1 : 0,
	);
	const unknown = chosen.filter((_, index) => days[index] === 0);
	if (unknown.length === 0) return new Set(days);
	return {
		field,
		...say`Weekdays contains ${written(unknown.map(quote).join(', '))}. Use the names Monday to Sunday`,
	};
}

/** A time that clocks show, or one that they skip. */
type Next =
	| { instantMs: number; hint?: string }
	| { skipped: Extract<ReturnType<typeof resolveLocal>, { kind: 'skipped' }>; localMs: number };

/**
 * Finds the first instant after `nowMs` at which clocks in `zone` show `timeMs` after midnight.
 *
 * @param isDay checks for a day to search, given as its date in UTC
 * @param endsAtSkip true to end the search at a time that clocks skip at this instant, instead of at a later day
 */
function findNext(
	{ timeMs, zone, nowMs }: { timeMs: number; zone: string; nowMs: number },
	isDay: (dateMs: number) => boolean,
	endsAtSkip: (changeMs: number) => boolean,
): Next {
	const todayMs = Math.floor((nowMs + offsetMs(zone, nowMs)) / DAY_MS) * DAY_MS;
	for (let dateMs = todayMs; ; dateMs += DAY_MS) {
		if (!isDay(dateMs)) continue;
		const localMs = dateMs + timeMs;
		const local = resolveLocal(localMs, zone);
		if (local.kind === 'skipped') {
			if (local.changeMs > nowMs && endsAtSkip(local.changeMs)) return { skipped: local, localMs };
		} else if (local.kind === 'once') {
			if (local.instantMs > nowMs) return { instantMs: local.instantMs };
		} else if (local.earlierMs > nowMs) {
			return { instantMs: local.earlierMs, hint: twiceHint(localMs, local, zone) };
		} else if (local.laterMs > nowMs) return { instantMs: local.laterMs };
	}
}

/** Hours of the day in a zone's local time. They may span midnight. */
type Hours = Extract<Schedule, { kind: 'within' }>;

/** A schedule whose time is certain. */
export type Decided = Exclude<Schedule, Hours>;

/** Decides whether a message that leaves now is sent at once or when its hours begin. */
export function decide(schedule: Schedule, nowMs: number): Decided {
	if (schedule.kind !== 'within') return schedule;
	if (isWithin(schedule, nowMs)) return { kind: 'now' };
	const { fromMs: timeMs, zone } = schedule;
	const isInside = (changeMs: number) => isWithin(schedule, changeMs);
	const begin = findNext({ timeMs, zone, nowMs }, () => true, isInside);
	// If clocks skip the beginning, the hours begin at the clock change.
	if ('skipped' in begin) return { kind: 'at', zone, instantMs: begin.skipped.changeMs };
	return { kind: 'at', zone, ...begin };
}

/** The end is not part of the hours. */
function isWithin({ fromMs, toMs, zone }: Hours, instantMs: number): boolean {
	const localMs = instantMs + offsetMs(zone, instantMs);
	const timeMs = localMs - Math.floor(localMs / DAY_MS) * DAY_MS;
	return fromMs < toMs ? timeMs >= fromMs && timeMs < toMs : timeMs >= fromMs || timeMs < toMs;
}

/** The schedule parameters for one item, from the form or an expression. */
type ScheduleChoice = Readonly<Record<string, unknown>>;

interface ScheduleContext {
	nowMs: number;
	workflowZone: string;
}

type ScheduleReading = { schedule: Schedule } | { problems: Problem[] };

/**
 * Converts one item's schedule parameters to an instant or a delay (spec §4.2 note 3). Never throws:
 * returns all problems at once, each with its parameter. Times in the past and local times that a
 * clock change skips are refused. If a local time occurs twice, `at` chooses the earlier instant and
 * `next` the first one that has not passed. `withinHours` is decided when the message leaves; see `decide`.
 */
export function readSchedule(
	choice: ScheduleChoice,
	context: ScheduleContext,
	takesDelay?: boolean,
): ScheduleReading {
	switch (choice.sendAt) {
		case 'now':
			return { schedule: { kind: 'now' } };
		case 'delay':
			return takesDelay
				? readDelay(choice.time, context)
				: refuse(
						'sendAt',
						"This message cannot be sent after a delay. Choose 'Now', 'At a Date and Time', 'Next Weekday and Time' or 'Within Hours'",
					);
		case 'at':
			return readAt(choice, context);
		case 'next':
			return readNext(choice, context);
		case 'withinHours':
			return readHours(choice, context);
		default:
			return refuse('sendAt', unknownChoice(sendAtField(takesDelay), choice.sendAt));
	}
}

function refuse(field: string, sentence: string | Sentence): { problems: Problem[] } {
	return { problems: [{ field, ...say`${sentence}` }] };
}

function readDelay(time: unknown, { nowMs }: ScheduleContext): ScheduleReading {
	const seconds = typeof time === 'string' && /^\d+$/.test(time.trim()) ? Number(time) : time;
	if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds < 1)
		return refuse(
			'time',
			say`Delay must be a number of whole seconds, 1 or more, but it is ${givenOne(time)}`,
		);
	return isTooFar(nowMs + seconds * 1000, nowMs)
		? refuse('time', `Delay: ${seconds} seconds are ${tooFar}`)
		: { schedule: { kind: 'delay', seconds } };
}

function readAt(choice: ScheduleChoice, context: ScheduleContext): ScheduleReading {
	const read = readInstant(choice.scheduledFor, choice.scheduleTimezone, context.workflowZone);
	if ('problems' in read) return read;
	const { instantMs, zone, hint } = read.schedule;
	if (isTooFar(instantMs, context.nowMs))
		return refuse('scheduledFor', `${formatReading(instantMs, zone)} is ${tooFar}`);
	if (instantMs >= context.nowMs) return read;
	const now = formatReading(context.nowMs, zone);
	return refuse(
		'scheduledFor',
		`${formatReading(instantMs, zone)} in ${zone} has passed: it is now ${now} there. Choose a later time${hint === undefined ? '' : `. ${hint}`}`,
	);
}

/** Probably a calendar with other years, such as the Thai one, or milliseconds instead of seconds. */
const isTooFar = (instantMs: number, nowMs: number) =>
	instantMs > inZone(nowMs, 'UTC').plus({ years: 5 }).toMillis();
const tooFar = 'more than five years ahead. Correct it, or choose an earlier time';

/** Reads a date and time, by default `scheduledFor`. If a local time occurs twice, the earlier one is used. */
function readInstant(
	value: unknown,
	timezone: unknown,
	workflowZone: string,
	{ field, label } = scheduledFor,
): { schedule: Extract<Schedule, { kind: 'at' }> } | { problems: Problem[] } {
	const zone = readZone(timezone, workflowZone);
	const asked = readDateTime(value, { field, label });
	if (isProblem(zone) || isProblem(asked)) return { problems: [zone, asked].filter(isProblem) };
	const at = (instantMs: number, hint?: string) => ({
		schedule: { kind: 'at' as const, instantMs, zone, hint },
	});
	if ('instantMs' in asked) return at(asked.instantMs);
	const { localMs } = asked;
	const local = resolveLocal(localMs, zone);
	switch (local.kind) {
		case 'once':
			return at(local.instantMs);
		case 'twice':
			return at(local.earlierMs, twiceHint(localMs, local, zone));
		case 'skipped':
			return refuse(field, skippedMessage(localMs, local, zone));
	}
}

function readNext(choice: ScheduleChoice, context: ScheduleContext): ScheduleReading {
	const { nowMs, workflowZone } = context;
	const zone = readZone(choice.scheduleTimezone, workflowZone);
	const timeMs = readTimeOfDay(choice.nextTime, 'nextTime', 'Time of Day');
	const days = readDays(choice.nextDays);
	if (isProblem(zone) || isProblem(timeMs) || isProblem(days))
		return { problems: [zone, timeMs, days].filter(isProblem) };
	const isDay = (dateMs: number) => days.has(new Date(dateMs).getUTCDay() || 7);
	const next = findNext({ timeMs, zone, nowMs }, isDay, () => true);
	return 'skipped' in next
		? refuse('nextTime', skippedMessage(next.localMs, next.skipped, zone))
		: { schedule: { kind: 'at', zone, ...next } };
}

function readHours(choice: ScheduleChoice, { workflowZone }: ScheduleContext): ScheduleReading {
	const zone = readZone(choice.scheduleTimezone, workflowZone);
	const fromMs = readTimeOfDay(choice.hoursFrom, 'hoursFrom', 'Hours From');
	const toMs = readTimeOfDay(choice.hoursTo, 'hoursTo', 'Hours To');
	if (isProblem(zone) || isProblem(fromMs) || isProblem(toMs))
		return { problems: [zone, fromMs, toMs].filter(isProblem) };
	if (fromMs !== toMs) return { schedule: { kind: 'within', fromMs, toMs, zone } };
	return refuse(
		'hoursTo',
		'Hours To is the same as Hours From, so it is not clear whether all day or no time is meant. Choose a later or an earlier time, or set Send At to Now to send at any time',
	);
}

/**
 * Names such as `BST` and `IST`, which several countries use for different zones. The runtime picks one of these, and
 * accepts upper and lower case.
 */
const isAbbreviation = (zone: string) =>
	(/^[a-z]{3}$/i.test(zone) || /^[^a-z/]+$/.test(zone)) && !/^(?:UTC|GMT|[CEW]ET)$/i.test(zone);

/** Reads `scheduleTimezone`; empty means the workflow's timezone. */
function readZone(value: unknown, workflowZone: string): string | Problem {
	const entered = typeof value === 'string' ? value.trim() : '';
	const zone = isBlank(value) ? workflowZone : entered;
	if (isZone(zone) && !isAbbreviation(entered)) return zone;
	const why = isZone(zone) ? 'may stand for several' : 'is not known';
	const sentence = isBlank(value)
		? say`The workflow's timezone ${quote(workflowZone)} is not known. Choose one here or in the workflow's settings, e.g. Europe/Berlin`
		: say`Timezone ${quoted(value)} ${why}. Use its IANA name, e.g. Europe/Berlin`;
	return { field: 'scheduleTimezone', ...sentence };
}

/**
 * Reads the time of an event. Empty means the time of sending. Unlike the time of a message, it may
 * have passed. Never throws: returns all problems at once, each with its parameter.
 *
 * @param timezone IANA timezone of a time without an offset; empty for the workflow's
 */
export function readEventTime(
	value: unknown,
	timezone: unknown,
	workflowZone: string,
): ScheduleReading {
	if (isBlank(value)) return { schedule: { kind: 'now' } };
	const field = { field: 'event_time', label: 'Event Time' };
	return readInstant(value, timezone, workflowZone, field);
}
