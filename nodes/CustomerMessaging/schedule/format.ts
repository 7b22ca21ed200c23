import type { DateTime } from 'luxon';

import { isWholeNumber } from './checkFormat';
import type { ScheduleFormat } from './scheduleFormat';
import type { Schedule } from '../shared/delivery';
import type { ScheduleReading } from './choice';
import type { Decided } from './hours';
import { inZone, formatIso, formatReading } from './formatting';

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
 * Writes the schedule of a push notification (spec §2.2, §4.2 note 3): no fields for now, only `time`
 * for a delay, otherwise date, time and zone. `time_zone` is the offset from UTC at that instant, for
 * example `+0530`, or its default `0` if there is no offset. `format` must have passed `checkFormat`.
 */
export function pushScheduleFields(schedule: Decided, format: ScheduleFormat): PushScheduleFields {
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
 * Writes the schedule of an email or SMS campaign (spec §2.3, §2.4), which always has both fields. A
 * delay has been refused before.
 *
 * @param nowMs the time of sending in epoch milliseconds, used for the schedule `now`
 * @throws RangeError for a format that `checkFormat` refuses, because the body would contain null
 */
export function campaignScheduleFields(
	schedule: Decided,
	format: ScheduleFormat,
	nowMs: number,
): CampaignScheduleFields {
	const dateTime = inZone(schedule.kind === 'at' ? schedule.instantMs : nowMs, format.scheduleZone);
	return {
		schedule_date: digits(dateTime, format.campaignDateFormat),
		schedule_time: digits(dateTime, format.campaignTimeFormat),
	};
}

/** How one kind of message represents its schedule. */
export interface ScheduleWriter {
	/** The fields of the body. `nowMs` is the time of sending in epoch milliseconds. */
	fields(schedule: Decided, format: ScheduleFormat, nowMs: number): object;
	/** The tokens that write the date and the time; absent if the time may have passed. */
	tokens?: (format: ScheduleFormat) => readonly [date: string, time: string];
}

export const pushSchedule: ScheduleWriter = {
	fields: pushScheduleFields,
	tokens: ({ pushDateFormat, pushTimeFormat }) => [pushDateFormat, pushTimeFormat],
};

export const campaignSchedule: ScheduleWriter = {
	fields: campaignScheduleFields,
	tokens: ({ campaignDateFormat, campaignTimeFormat }) => [campaignDateFormat, campaignTimeFormat],
};

/** Writes the time of an event, which the reference does not describe (spec §6). */
export const eventTime: ScheduleWriter = {
	fields: (schedule, { eventTimeFormat, scheduleZone }, nowMs) => {
		const instantMs = schedule.kind === 'at' ? schedule.instantMs : nowMs;
		return { event_time: inZone(instantMs, scheduleZone).toFormat(eventTimeFormat) };
	},
};

/**
 * The instant that the service reads from the written schedule, in epoch milliseconds. For example,
 * `HHmm` writes 19:07:30 as 19:07. Undefined unless the schedule has an instant that must not pass.
 */
export function writtenInstantMs(
	schedule: Schedule,
	{ tokens }: ScheduleWriter,
	format: ScheduleFormat,
): number | undefined {
	if (schedule.kind !== 'at' || !tokens) return undefined;
	const exact = inZone(schedule.instantMs, format.scheduleZone);
	const writtenAlike = (rounded: DateTime) =>
		tokens(format).every((token) => rounded.toFormat(token) === exact.toFormat(token));
	// `checkFormat` refuses formats that are coarser than a minute.
	const written = [exact.startOf('minute'), exact.startOf('second')].find(writtenAlike) ?? exact;
	return written.toMillis();
}

/** Refuses a future time that the format writes as a time that has passed. */
export function refusePassed(
	schedule: Schedule,
	sendAt: unknown,
	writer: ScheduleWriter,
	{ format, nowMs }: { format: ScheduleFormat; nowMs: number },
): ScheduleReading {
	const writtenMs = writtenInstantMs(schedule, writer, format);
	if (schedule.kind !== 'at' || writtenMs === undefined || writtenMs >= nowMs) return { schedule };
	const { instantMs, zone } = schedule;
	const message = `${formatReading(instantMs, zone)} in ${zone} is sent to the service as ${formatReading(writtenMs, zone)}, which has passed. Choose a time at least a minute ahead`;
	return { problems: [{ field: sendAt === 'next' ? 'nextTime' : 'scheduledFor', message }] };
}

/** Describes the chosen instant for the output: in its zone and in UTC, both in ISO 8601. */
export function describeSchedule(
	schedule: Schedule,
): { zone: string; local: string; utc: string } | undefined {
	if (schedule.kind !== 'at') return undefined;
	const { instantMs, zone } = schedule;
	return { zone, local: formatIso(instantMs, zone), utc: new Date(instantMs).toISOString() };
}

function digits(dateTime: DateTime, format: string): number {
	const text = dateTime.toFormat(format);
	if (!isWholeNumber(text))
		throw new RangeError(`'${format}' writes '${text}', not a whole number`);
	return Number(text);
}
