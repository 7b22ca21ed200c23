import type { DateTime } from 'luxon';

import { isWholeNumber } from './checkFormat';
import type { ScheduleFormat } from './scheduleFormat';
import type { Schedule } from '../shared/delivery';
import type { ScheduleReading } from './choice';
import { inZone, isoOf, readingOf } from './formatting';

export interface PushScheduleFields {
	/** Seconds from now. */
	time?: number;
	schedule_date?: string;
	schedule_time?: string;
	time_zone?: string;
}

export interface CampaignScheduleFields {
	schedule_date: number;
	schedule_time: number;
}

/**
 * The fields of a push notification (spec §2.2, §4.2 note 3): none for now, `time` alone for a
 * delay, else date, time and zone. `time_zone` is `0`, its default, without an offset from UTC,
 * and the offset at that instant, as `+0530`, otherwise. `format` passes `checkFormat`.
 */
export function pushScheduleFields(schedule: Schedule, format: ScheduleFormat): PushScheduleFields {
	if (schedule.kind === 'now') return {};
	if (schedule.kind === 'delay') return { time: schedule.seconds };

	const dateTime = inZone(schedule.instantMs, format.scheduleZone);
	return {
		schedule_date: dateTime.toFormat(format.pushDateFormat),
		schedule_time: dateTime.toFormat(format.pushTimeFormat),
		time_zone: dateTime.offset === 0 ? '0' : dateTime.toFormat('ZZZ'),
	};
}

/**
 * The fields of an email or SMS campaign, always both (spec §2.3, §2.4): `nowMs`, in epoch
 * milliseconds, stands for now; a delay is refused before. Throws a RangeError for a format that
 * `checkFormat` refuses, as the body would carry null.
 */
export function campaignScheduleFields(
	schedule: Schedule,
	format: ScheduleFormat,
	nowMs: number,
): CampaignScheduleFields {
	const dateTime = inZone(schedule.kind === 'at' ? schedule.instantMs : nowMs, format.scheduleZone);
	return {
		schedule_date: digits(dateTime, format.campaignDateFormat),
		schedule_time: digits(dateTime, format.campaignTimeFormat),
	};
}

/** How one kind of message says when it is to be sent. */
export interface ScheduleWriter {
	/** The fields of the body; `nowMs` is the moment of sending in epoch milliseconds. */
	fields(schedule: Schedule, format: ScheduleFormat, nowMs: number): object;
	/** The tokens that write the date and the time. */
	tokens: (format: ScheduleFormat) => readonly [date: string, time: string];
}

export const pushSchedule: ScheduleWriter = {
	fields: pushScheduleFields,
	tokens: ({ pushDateFormat, pushTimeFormat }) => [pushDateFormat, pushTimeFormat],
};

export const campaignSchedule: ScheduleWriter = {
	fields: campaignScheduleFields,
	tokens: ({ campaignDateFormat, campaignTimeFormat }) => [campaignDateFormat, campaignTimeFormat],
};

/**
 * The instant that the service reads, in epoch milliseconds: under `HHmm`, 19:07:30 is written as
 * 19:07. Undefined unless the schedule names an instant.
 */
export function writtenInstantMs(
	schedule: Schedule,
	{ tokens }: ScheduleWriter,
	format: ScheduleFormat,
): number | undefined {
	if (schedule.kind !== 'at') return undefined;
	const exact = inZone(schedule.instantMs, format.scheduleZone);
	const writtenAlike = (rounded: DateTime) =>
		tokens(format).every((token) => rounded.toFormat(token) === exact.toFormat(token));
	// No format is coarser than a minute: `checkFormat` refuses those.
	const written = [exact.startOf('minute'), exact.startOf('second')].find(writtenAlike) ?? exact;
	return written.toMillis();
}

/** Refuses a time that lies ahead but is written as one that has passed. */
export function refusePassed(
	schedule: Schedule,
	sendAt: unknown,
	writer: ScheduleWriter,
	{ format, nowMs }: { format: ScheduleFormat; nowMs: number },
): ScheduleReading {
	const writtenMs = writtenInstantMs(schedule, writer, format);
	if (schedule.kind !== 'at' || writtenMs === undefined || writtenMs >= nowMs) return { schedule };
	const { instantMs, zone } = schedule;
	const message = `${readingOf(instantMs, zone)} in ${zone} is sent to the service as ${readingOf(writtenMs, zone)}, which has passed. Choose a time at least a minute ahead`;
	return { problems: [{ field: sendAt === 'next' ? 'nextTime' : 'scheduledFor', message }] };
}

/** The chosen instant for the output, in the zone it was chosen in and in UTC, both ISO 8601. */
export function describeSchedule(
	schedule: Schedule,
): { zone: string; local: string; utc: string } | undefined {
	if (schedule.kind !== 'at') return undefined;
	const { instantMs, zone } = schedule;
	return { zone, local: isoOf(instantMs, zone), utc: new Date(instantMs).toISOString() };
}

function digits(dateTime: DateTime, format: string): number {
	const text = dateTime.toFormat(format);
	if (!isWholeNumber(text)) throw new RangeError(`'${format}' gives '${text}', not a whole number`);
	return Number(text);
}
