import type { DateTime } from 'luxon';

import { isWholeNumber } from './checkFormat';
import type { Schedule } from './choice';
import { inZone, isoOf } from './words';

export { checkFormat } from './checkFormat';

/** How the account writes schedules: Luxon tokens and an IANA zone, from the credential. */
export interface ScheduleFormat {
	/** Gives digits only: email and SMS take integers (spec §2.3, §2.4). */
	campaignDateFormat: string;
	campaignTimeFormat: string;
	/** Push takes text whose format is not shown (spec §2.2, §4.2 note 4). */
	pushDateFormat: string;
	pushTimeFormat: string;
	/** The zone in which the service reads dates and times. */
	scheduleZone: string;
}

export const defaultScheduleFormat: ScheduleFormat = {
	campaignDateFormat: 'yyyyMMdd',
	campaignTimeFormat: 'HHmm',
	pushDateFormat: 'yyyy-MM-dd',
	pushTimeFormat: 'HH:mm:ss',
	scheduleZone: 'UTC',
};

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
