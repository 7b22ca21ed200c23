import type { DateTime } from 'luxon';

import { isZone, inZone, formatIso, formatReading } from './localTime';
import type { Problem } from '../shared/ending';
import { MINUTE_MS } from '../shared/slices';
import { quote } from '../shared/formatting';
import type { Schedule } from '../shared/delivery';
import { decide, type Decided } from './choice';

/** The account's formats for schedules, from the credential: Luxon tokens and an IANA timezone. */
export const defaultScheduleFormat = {
	/** Writes digits only, unless `campaignAsText` is set, because email and SMS take integers (spec §2.3, §2.4). */
	campaignDateFormat: 'yyyyMMdd',
	campaignTimeFormat: 'HHmm',
	/** True if email and SMS take dates and times as text instead. */
	campaignAsText: false,
	/** Date and time of a campaign sent now. The reference does not specify them. `leaveOut`: neither is sent. */
	campaignNow: 'present' as 'present' | 'nextMinute' | 'leaveOut',
	/** Push takes text, whose format the reference does not show (spec §2.2, §4.2 note 4). */
	pushDateFormat: 'yyyy-MM-dd',
	pushTimeFormat: 'HH:mm:ss',
	/** Writes the time of an event as text. The reference does not describe events (spec §6). */
	eventTimeFormat: 'yyyy-MM-dd HH:mm:ss',
	/** The timezone in which the service reads dates and times. */
	scheduleZone: 'UTC',
};

export type ScheduleFormat = typeof defaultScheduleFormat;

/** The fields that hold tokens. */
type FormatField = Extract<keyof ScheduleFormat, `${string}Format`>;

/**
 * Luxon's tokens except presets (`D`, `t`, `ff` …) and local weeks (`n`, `i`), whose output depends on
 * the runtime's language data.
 */
const token =
	/^([SsmhHdu]|[smhHd]{2}|SSS|uuu?|Z{1,5}|[zaXx]|[cEML]|[cEML]{3,5}|[ML]{2}|y|yy|yyyy|yyyyyy|G|GG|GGGGG|kk|kkkk|WW?|o|ooo|qq?)$/;

/** Pairs of times that a format must write differently, and a hint if it does not. */
const pairs = [
	['2026-03-04T05:06Z', '2026-03-04T05:07Z', 'minutes are mm, while MM is the month'],
	['2026-03-04T05:06Z', '2026-03-04T17:06Z', 'hours from 00 to 23 are HH'],
	['2026-03-04T05:06Z', '2026-03-05T05:06Z', 'days of the month are dd'],
	['2026-03-04T05:06Z', '2026-04-04T05:06Z', 'months are MM, while mm is the minute'],
	['2026-03-04T05:06Z', '2027-03-04T05:06Z', 'years are yyyy'],
	['2026-03-04T01:11Z', '2026-03-04T11:01Z', 'two digits for each are HHmm'],
	['2026-01-11T05:06Z', '2026-11-01T05:06Z', 'two digits for each are MMdd'],
] as const;

/**
 * Validates the credential's schedule settings. Refuses an unknown zone or token, a campaign format
 * that does not write a whole number (spec §2.3, §2.4) unless text is sent, and formats that write two
 * different minutes the same way.
 */
export function checkFormat(format: ScheduleFormat): Problem[] {
	const { scheduleZone: zone } = format;
	const unknownZone = `Schedule Zone ${quote(zone)} is not known. Use its IANA name, e.g. UTC or Europe/Berlin`;
	return [
		...(isZone(zone) ? [] : [{ field: 'scheduleZone', rule: unknownZone }]),
		...checkTogether(
			format,
			['campaignDateFormat', 'campaignTimeFormat'],
			format.campaignAsText ? unusableTokens : unusableNumber,
		),
		...checkTogether(format, ['pushDateFormat', 'pushTimeFormat'], unusableTokens),
		...checkTogether(format, ['eventTimeFormat'], unusableTokens),
	];
}

/** Checks the formats that together write one time: the first writes the date, the last the time of day. */
function checkTogether(
	format: ScheduleFormat,
	fields: readonly FormatField[],
	unusable: (tokens: string) => string | undefined,
): Problem[] {
	const problems = fields.flatMap((field): Problem[] => {
		const rule = unusable(format[field]);
		return rule === undefined ? [] : [{ field, rule }];
	});
	if (problems.length > 0) return problems;

	const formats = fields.map((field) => format[field]);
	const alike = pairs.find(([one, other]) =>
		formats.every((tokens) => write(one, tokens) === write(other, tokens)),
	);
	if (alike === undefined) return [];
	const [one, other, advice] = alike;
	const quoted = formats.map((tokens) => `'${tokens}'`).join(' and ');
	const written = formats.map((tokens) => write(one, tokens)).join(' and ');
	const rule = `${quoted} cannot tell ${one} from ${other}: both become ${written}. In Luxon's formats ${advice}`;
	const isSameDay = one.slice(0, 10) === other.slice(0, 10);
	return [{ field: String(fields.at(isSameDay ? -1 : 0)), rule }];
}

function unusableNumber(tokens: string): string | undefined {
	const unusable = unusableTokens(tokens);
	if (unusable !== undefined) return unusable;
	const wrong = [pairs[0][0], '2026-12-31T23:59:59.999Z']
		.map((iso) => write(iso, tokens))
		.find((text) => !/^\d+$/.test(text) || !Number.isSafeInteger(Number(text)));
	if (wrong === undefined) return undefined;
	return `'${tokens}' writes '${wrong}', but email and SMS take whole numbers of at most 15 digits. Use tokens that write digits only, e.g. yyyyMMdd, HHmm or X, or turn on Campaign Times As Text`;
}

function unusableTokens(tokens: string): string | undefined {
	if (tokens.trim() === '') return 'Enter a format in Luxon tokens, e.g. yyyyMMdd or HHmm';
	const unquoted = tokens.replace(/'[^']*'/g, ' ');
	if (unquoted.includes("'"))
		return `'${tokens}' opens a quote and does not close it. Add the closing quote`;

	const unknown = (unquoted.match(/([A-Za-z])\1*/g) ?? []).find((run) => !token.test(run));
	if (unknown === undefined) return undefined;
	return `'${unknown}' in '${tokens}' is not a Luxon token that can be used here. Use tokens such as yyyy, MM, dd, HH, mm and ss, and put text in single quotes`;
}

function write(iso: string, tokens: string): string {
	return inZone(Date.parse(iso), 'UTC').toFormat(tokens);
}

/** Writes the schedule of one kind of message. */
export interface ScheduleWriter {
	/** True if its body has a field for a delay. */
	takesDelay?: true;
	/** The fields of the body. `nowMs` is the time of sending in epoch milliseconds. */
	fields(schedule: Decided, format: ScheduleFormat, nowMs: number): object;
	/** The time that the body holds if the message is sent now; absent or undefined if it holds none. */
	timeOfNow?: typeof campaignTimeOfNow;
	/** The tokens that write the date and the time; absent if the time may have passed. */
	tokens?: (format: ScheduleFormat) => readonly [date: string, time: string];
}

/**
 * Writes the schedule of a push notification (spec §2.2, §4.2 note 3): no fields for now, only `time`
 * for a delay, otherwise date, time and zone. `time_zone` is the offset from UTC at that instant, for
 * example `+0530`, or its default `0` if there is no offset. `format` must have passed `checkFormat`.
 */
export const pushSchedule = {
	takesDelay: true,
	fields(schedule: Decided, format: ScheduleFormat) {
		if (schedule.kind === 'now') return {};
		if (schedule.kind === 'delay') return { time: schedule.seconds };

		const dateTime = inZone(schedule.instantMs, format.scheduleZone);
		return {
			schedule_date: dateTime.toFormat(format.pushDateFormat),
			schedule_time: dateTime.toFormat(format.pushTimeFormat),
			time_zone: dateTime.offset === 0 ? '0' : dateTime.toFormat('ZZZ'),
		};
	},
	tokens: ({ pushDateFormat, pushTimeFormat }) => [pushDateFormat, pushTimeFormat],
} satisfies ScheduleWriter;

/**
 * Writes the schedule of an email or SMS campaign (spec §2.3, §2.4). Both fields are written, except for now if the
 * account leaves them out. A delay has been refused before. `format` must have passed `checkFormat`.
 */
export const campaignSchedule = {
	fields(schedule: Decided, format: ScheduleFormat, nowMs: number) {
		const time = schedule.kind === 'at' ? schedule : campaignTimeOfNow(format, nowMs);
		if (!time) return {};
		const dateTime = inZone(time.instantMs, format.scheduleZone);
		const writeField = (tokens: string) => {
			const written = dateTime.toFormat(tokens);
			return format.campaignAsText ? written : Number(written);
		};
		return {
			schedule_date: writeField(format.campaignDateFormat),
			schedule_time: writeField(format.campaignTimeFormat),
		};
	},
	timeOfNow: campaignTimeOfNow,
	tokens: ({ campaignDateFormat, campaignTimeFormat }) => [campaignDateFormat, campaignTimeFormat],
} satisfies ScheduleWriter;

function campaignTimeOfNow(
	{ campaignNow, scheduleZone: zone }: ScheduleFormat,
	nowMs: number,
): { instantMs: number; zone: string } | undefined {
	if (campaignNow === 'leaveOut') return undefined;
	const nextMinuteMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
	return { instantMs: campaignNow === 'present' ? nowMs : nextMinuteMs, zone };
}

/** Writes the time of an event, which the reference does not describe (spec §6). */
export const eventTime: ScheduleWriter = {
	fields(schedule, { scheduleZone, eventTimeFormat }, nowMs) {
		const instantMs = schedule.kind === 'at' ? schedule.instantMs : nowMs;
		return { event_time: inZone(instantMs, scheduleZone).toFormat(eventTimeFormat) };
	},
};

/** Decides a schedule when its message leaves. A message for now gets the time that its body holds. */
export function decideWritten(
	schedule: Schedule,
	writer: ScheduleWriter | undefined,
	format: ScheduleFormat,
	nowMs: number,
): Decided {
	if (schedule.kind !== 'now') return decide(schedule, nowMs);
	const written = writer?.timeOfNow?.(format, nowMs);
	return written ? { kind: 'now', written } : schedule;
}

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
): { schedule: Schedule } | { problems: Problem[] } {
	const writtenMs = writtenInstantMs(schedule, writer, format);
	if (schedule.kind !== 'at' || writtenMs === undefined || writtenMs >= nowMs) return { schedule };
	const { instantMs, zone } = schedule;
	const rule = `${formatReading(instantMs, zone)} in ${zone} is sent to the service as ${formatReading(writtenMs, zone)}, which has passed. Choose a time at least a minute ahead`;
	return { problems: [{ field: sendAt === 'next' ? 'nextTime' : 'scheduledFor', rule }] };
}

/** Describes the time of a schedule for the output: in its zone and in UTC, both in ISO 8601. */
export function describeSchedule(schedule: Schedule) {
	const time = schedule.kind === 'now' ? schedule.written : schedule;
	if (!time || !('instantMs' in time)) return undefined;
	const { instantMs, zone } = time;
	return { zone, local: formatIso(instantMs, zone), utc: new Date(instantMs).toISOString() };
}
