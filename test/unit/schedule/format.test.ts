// Expected values were worked out before the code ran, from the tz database 2025b with Python's
// zoneinfo: every instant converted to the zone and written with strftime;
// the other formats were worked out by hand.
import { Settings } from 'luxon';

import type { Decided } from '../../../nodes/CustomerMessaging/schedule/choice';
import {
	campaignSchedule,
	describeSchedule,
	pushSchedule,
	defaultScheduleFormat,
	checkFormat,
} from '../../../nodes/CustomerMessaging/schedule/format';

function at(utc: string, zone = 'UTC'): Decided {
	return { kind: 'at', instantMs: Date.parse(utc), zone };
}

const nowMs = Date.parse('2026-11-21T12:34:56Z');

// the zone the service reads in, the instant; date, time and zone for push; date and time for campaigns
const instants = [
	['UTC', '2026-11-23T08:30Z', '2026-11-23', '08:30:00', '0', 20261123, 830],
	['Europe/Berlin', '2026-11-23T08:30Z', '2026-11-23', '09:30:00', '+0100', 20261123, 930],
	['Europe/Berlin', '2026-10-25T01:30Z', '2026-10-25', '02:30:00', '+0100', 20261025, 230],
	['Europe/London', '2026-11-23T08:30Z', '2026-11-23', '08:30:00', '0', 20261123, 830],
	['America/New_York', '2027-01-01T04:59Z', '2026-12-31', '23:59:00', '-0500', 20261231, 2359],
	['Asia/Kathmandu', '2026-11-23T03:45Z', '2026-11-23', '09:30:00', '+0545', 20261123, 930],
	['Australia/Lord_Howe', '2026-10-03T15:30Z', '2026-10-04', '02:30:00', '+1100', 20261004, 230],
	['Pacific/Apia', '2011-12-30T10:00Z', '2011-12-31', '00:00:00', '+1400', 20111231, 0],
] as const;

describe.each(instants)('Read in %s, %s', (scheduleZone, utc, date, time, zone, day, clock) => {
	const format = { ...defaultScheduleFormat, scheduleZone };

	test('is written for push', () => {
		expect(pushSchedule.fields(at(utc), format)).toEqual({
			schedule_date: date,
			schedule_time: time,
			time_zone: zone,
		});
	});

	test('is written for email and SMS', () => {
		expect(campaignSchedule.fields(at(utc), format, nowMs)).toEqual({
			schedule_date: day,
			schedule_time: clock,
		});
	});

	test('is the present where now is chosen', () => {
		expect(campaignSchedule.fields({ kind: 'now' }, format, Date.parse(utc))).toEqual({
			schedule_date: day,
			schedule_time: clock,
		});
	});
});

test('The zone of the choice does not change what is sent', () => {
	expect(
		pushSchedule.fields(at('2026-11-23T08:30Z', 'Asia/Kolkata'), defaultScheduleFormat),
	).toEqual(pushSchedule.fields(at('2026-11-23T08:30Z', 'Europe/Berlin'), defaultScheduleFormat));
});

// 2026-11-23T08:05:07.089Z, a Monday, the 327th day, in ISO week 48; `date -u -d … +%s` is 1795421107
const campaignFormats = [
	['X', 'X', 1795421107, 1795421107],
	['yyMMdd', 'HHmmss', 261123, 80507],
	['kkkkWWc', 'HHmm', 2026481, 805],
	["'1'yyyyMMdd", "HHmm'00'", 120261123, 80500],
] as const;

test.each(campaignFormats)('Campaign formats %s and %s', (dateFormat, timeFormat, date, time) => {
	const format = {
		...defaultScheduleFormat,
		campaignDateFormat: dateFormat,
		campaignTimeFormat: timeFormat,
	};
	expect(campaignSchedule.fields(at('2026-11-23T08:05:07.089Z'), format, nowMs)).toEqual({
		schedule_date: date,
		schedule_time: time,
	});
});

const pushFormats = [
	['dd/MM/yyyy', 'hh:mm a', '23/11/2026', '01:35 PM'],
	['EEEE dd LLLL yyyy', 'HH:mm:ss.SSS', 'Monday 23 November 2026', '13:35:07.089'],
	["yyyy-MM-dd'T'HH:mm:ssZZZ", 'ZZ', '2026-11-23T13:35:07+0530', '+05:30'],
	["'KW' W kkkk ccc", 'HHmm', 'KW 48 2026 Mon', '1335'],
] as const;

test.each(pushFormats)('push formats %s and %s', (pushDateFormat, pushTimeFormat, date, time) => {
	const format = {
		...defaultScheduleFormat,
		pushDateFormat,
		pushTimeFormat,
		scheduleZone: 'Asia/Kolkata',
	};
	expect(checkFormat(format)).toEqual([]);
	expect(pushSchedule.fields(at('2026-11-23T08:05:07.089Z'), format)).toEqual({
		schedule_date: date,
		schedule_time: time,
		time_zone: '+0530',
	});
});

describe("The host's Luxon settings", () => {
	const { defaultLocale, defaultNumberingSystem, defaultOutputCalendar, defaultZone } = Settings;

	afterEach(() => {
		Object.assign(Settings, {
			defaultLocale,
			defaultNumberingSystem,
			defaultOutputCalendar,
			defaultZone,
		});
	});

	test('do not change what is written', () => {
		Settings.defaultLocale = 'ar-EG';
		Settings.defaultNumberingSystem = 'arab';
		Settings.defaultOutputCalendar = 'islamic';
		Settings.defaultZone = 'Asia/Tokyo';
		const format = { ...defaultScheduleFormat, pushDateFormat: 'EEE d MMM yyyy' };

		expect(checkFormat(format)).toEqual([]);
		expect(pushSchedule.fields(at('2026-11-23T08:30Z'), format)).toEqual({
			schedule_date: 'Mon 23 Nov 2026',
			schedule_time: '08:30:00',
			time_zone: '0',
		});
		expect(campaignSchedule.fields(at('2026-11-23T08:30Z'), format, nowMs)).toEqual({
			schedule_date: 20261123,
			schedule_time: 830,
		});
		expect(describeSchedule(at('2026-11-23T08:30Z', 'Europe/Berlin'))?.local).toBe(
			'2026-11-23T09:30:00.000+01:00',
		);
	});
});

describe('checkFormat', () => {
	test('accepts the defaults and epoch times', () => {
		expect(checkFormat(defaultScheduleFormat)).toEqual([]);
		expect(
			checkFormat({
				...defaultScheduleFormat,
				campaignDateFormat: 'X',
				campaignTimeFormat: 'x',
				pushDateFormat: 'x',
				pushTimeFormat: 'X',
				eventTimeFormat: 'X',
				scheduleZone: 'Pacific/Apia',
			}),
		).toEqual([]);
	});

	const numbers =
		'but email and SMS take whole numbers of at most 15 digits. Use tokens that write digits only, e.g. yyyyMMdd, HHmm or X, or turn on Campaign Times As Text';
	const known =
		'is not a Luxon token that can be used here. Use tokens such as yyyy, MM, dd, HH, mm and ss, and put text in single quotes';
	const empty = 'Enter a format in Luxon tokens, e.g. yyyyMMdd or HHmm';

	test.each([
		['campaignTimeFormat', 'HH:mm', `'HH:mm' writes '05:06', ${numbers}`],
		['campaignDateFormat', 'yyyy-MM-dd', `'yyyy-MM-dd' writes '2026-03-04', ${numbers}`],
		[
			'campaignDateFormat',
			'yyyyMMddHHmmssSSS',
			`'yyyyMMddHHmmssSSS' writes '20260304050600000', ${numbers}`,
		],
		['campaignDateFormat', 'YYYYMMDD', `'YYYY' in 'YYYYMMDD' ${known}`],
		['pushDateFormat', 'yyyy-MM-ddTHH:mm', `'T' in 'yyyy-MM-ddTHH:mm' ${known}`],
		['pushTimeFormat', 'tt', `'tt' in 'tt' ${known}`],
		['pushTimeFormat', 'HH:mm uhr', `'r' in 'HH:mm uhr' ${known}`],
		[
			'pushTimeFormat',
			"HH 'o clock",
			"'HH 'o clock' opens a quote and does not close it. Add the closing quote",
		],
		['pushTimeFormat', '', empty],
		[
			'scheduleZone',
			'Berlin',
			"Schedule Zone 'Berlin' is not known. Use its IANA name, e.g. UTC or Europe/Berlin",
		],
		[
			'scheduleZone',
			'+05:30',
			"Schedule Zone '+05:30' is not known. Use its IANA name, e.g. UTC or Europe/Berlin",
		],
	])('refuses the %s %p', (field, value, message) => {
		expect(checkFormat({ ...defaultScheduleFormat, [field]: value })).toEqual([{ field, message }]);
	});

	test.each([
		['campaignTimeFormat', 'HHMM', 'formats minutes are mm, while MM is the month'],
		['campaignTimeFormat', 'hhmm', 'formats hours from 00 to 23 are HH'],
		['campaignTimeFormat', 'Hm', 'formats two digits for each are HHmm'],
		['campaignDateFormat', 'yyyyMM', 'formats days of the month are dd'],
		['campaignDateFormat', 'yyyymmdd', 'formats months are MM, while mm is the minute'],
		['campaignDateFormat', 'MMdd', 'formats years are yyyy'],
		['campaignDateFormat', 'yyyyMd', 'formats two digits for each are MMdd'],
	])('refuses the %s %p, which writes different minutes alike', (field, value, advice) => {
		expect(checkFormat({ ...defaultScheduleFormat, [field]: value })).toEqual([
			{ field, message: expect.stringContaining(advice) as string },
		]);
	});

	test('names the times that would look the same', () => {
		expect(checkFormat({ ...defaultScheduleFormat, campaignTimeFormat: 'HHMM' })).toEqual([
			{
				field: 'campaignTimeFormat',
				message:
					"'yyyyMMdd' and 'HHMM' write 2026-03-04T05:06Z and 2026-03-04T05:07Z alike, as 20260304 and 0503. Change one of them: in Luxon's formats minutes are mm, while MM is the month",
			},
		]);
	});

	test('names every problem at once', () => {
		const fields = checkFormat({
			...defaultScheduleFormat,
			campaignDateFormat: 'YYYY',
			campaignTimeFormat: 'HH:mm',
			pushDateFormat: '',
			pushTimeFormat: 'Q',
			eventTimeFormat: 'YYYY',
			scheduleZone: 'Nowhere',
		}).map(({ field }) => field);
		expect(fields).toEqual([
			'scheduleZone',
			'campaignDateFormat',
			'campaignTimeFormat',
			'pushDateFormat',
			'pushTimeFormat',
			'eventTimeFormat',
		]);
	});
});
