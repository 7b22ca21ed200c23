// Expected values were worked out before the code ran, from the tz database 2025b with Python's
// zoneinfo: the instants of a local time are those that show it when they are converted back,
// neighbours of a gap and next times were found by walking minute by minute, and every instant
// was converted to the zone and written with strftime. Other formats were worked out by hand.
import { Settings } from 'luxon';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import {
	decide,
	type Decided,
	readSchedule,
} from '../../../nodes/CustomerMessaging/schedule/choice';
import * as schedules from '../../../nodes/CustomerMessaging/schedule/format';
import { getTimezones, isZone } from '../../../nodes/CustomerMessaging/schedule/localTime';
import { saying } from '../support/saying';

/** What is read for an instant. */
const at = (utc: string, zone = 'UTC', hint?: string) => ({
	schedule: { kind: 'at', instantMs: Date.parse(utc), zone, hint },
});

const refusal = (message: string, field = 'scheduledFor') => ({
	problems: [saying(message, field)],
});

/** The hint about a local time, with its seconds, that clocks show with two offsets. */
function twice(zone: string, local: string, earlier: string, later: string): string {
	const [date = '', clock = ''] = local.split('T');
	return `${clock.replace(/:00$/, '')} on ${date} comes twice in ${zone}, because clocks go back. The earlier one counts, ${local}.000${earlier}. For the later one, give ${local}.000${later} as its date and time`;
}

/** The refusal of a local time that clocks skip. */
function skipped(zone: string, local: string, change: [string, string], choice: string) {
	const [date, clock] = local.split('T');
	return `${clock} on ${date} does not exist in ${zone}: clocks go from ${change.join(' to ')}. Choose ${choice}`;
}

const berlin = 'Europe/Berlin';

/** A new year before the time, because a time may be at most five years ahead. */
function yearBefore(written: unknown) {
	const [year = 2026] = /\d{4}/.exec(String(written)) ?? [];
	return { nowMs: Date.UTC(Number(year) - 1, 0, 1), workflowZone: 'UTC' };
}

const readAt = (
	scheduledFor: unknown,
	scheduleTimezone: unknown = '',
	context = yearBefore(scheduledFor),
) => readSchedule({ sendAt: 'at', scheduledFor, scheduleTimezone }, context);

const instantMs = Date.parse('2026-11-23T09:30:00Z');

test.each<[zone: string, written: unknown, utc: string]>([
	['UTC', ' 2026-11-23t09:30 ', '2026-11-23T09:30:00Z'],
	['UTC', '2026-11-23 09:30:59.123456789', '2026-11-23T09:30:59.123Z'],
	// With an offset of its own, even in a gap of the zone.
	[berlin, '2026-03-29T02:30:00+01:00', '2026-03-29T01:30:00Z'],
	['UTC', '2026-11-23T09:30 +14', '2026-11-22T19:30:00Z'],
	// As emails and HTTP have it.
	['UTC', 'Mon, 23 Nov 2026 09:30:00 +0100', '2026-11-23T08:30:00Z'],
	// A DateTime of any copy of Luxon, or a Date of any realm.
	['UTC', { isLuxonDateTime: true, valueOf: () => instantMs }, '2026-11-23T09:30:00Z'],
	['UTC', { getTime: true, valueOf: () => instantMs }, '2026-11-23T09:30:00Z'],
])('In %s, %s is the instant %s', (zone, written, utc) => {
	expect(readAt(written, zone)).toEqual(at(utc, zone));
});

test('A time that comes twice is the earlier one, unless its offset says otherwise', () => {
	const local = '2026-10-25T02:59:59';
	const hint = twice(berlin, local, '+02:00', '+01:00');
	expect(readAt(local, berlin)).toEqual(at(`${local}+02:00`, berlin, hint));
	expect(readAt(`${local}.000+01:00`, berlin)).toEqual(at(`${local}+01:00`, berlin));
});

const newYear = '00:00 on 2011-12-31';
const around = `23:59 on 2011-12-29 or earlier, or ${newYear} or later`;
const spring = '01:59 or earlier, or 03:00 or later';

test.each<[zone: string, local: string, change: [from: string, to: string], choice: string]>([
	[berlin, '2026-03-29T02:30', ['02:00', '03:00'], spring],
	['Pacific/Apia', '2011-12-30T12:00', ['00:00', newYear], around],
])('In %s, %s is skipped by a clock change', (zone, local, change, choice) => {
	expect(readAt(local, zone)).toMatchObject(refusal(skipped(zone, local, change, choice)));
});

/** Times and offsets that do not exist, what Luxon alone would read, and other notations. */
const unread = [
	...['2026-11-23T24:00', '2026-11-23T09:60', '2026-11-23T09:30+15:00', '2026-11-23T09:30+05:60'],
	...['09:30', '20261123T0930', '23.11.2026 09:30', 'x2026-11-23T09:30', '2026-11-23T09:30x'],
];
const format = 'is not in the expected format. Write it as 2026-11-23T09:30';
const empty = 'Date and Time is empty. Enter one, e.g. 2026-11-23T09:30';
const notADate =
	'Date and Time is not a date and time. Enter one such as 2026-11-23T09:30, or use an expression that returns a DateTime or a Date';

test.each<[written: unknown, message: string]>([
	['', empty],
	[true, empty],
	['2026-11-23', '2026-11-23 is a day without a time. Add one, e.g. 2026-11-23T09:30'],
	['2100-02-29T09:30', '2100-02-29 is not in the calendar. Choose a day that exists'],
	...unread.map((value): [string, string] => [value, `'${value}' ${format}`]),
	[46350, '46350 may be seconds or milliseconds. Write it as 2026-11-23T09:30'],
	// Objects that only look like a DateTime or a Date.
	[{ toMillis: () => instantMs }, notADate],
	[new Date(NaN), notADate],
])('%p is refused: %s', (written, message) => {
	expect(readAt(written, 'UTC')).toMatchObject(refusal(message));
});

test('A time is refused after five years, and so is such a delay, as one in milliseconds', () => {
	const context = { nowMs: Date.parse('2026-11-23T08:30:00Z'), workflowZone: 'Asia/Bangkok' };
	const rule = 'more than five years ahead. Correct it, or choose an earlier time';
	expect(readAt('2031-11-23T15:30', '', context)).toHaveProperty('schedule');
	const late = refusal(`2031-11-23 15:31:00 is ${rule}`);
	expect(readAt('2031-11-23T15:31', '', context)).toEqual(late);
	const delayed = readSchedule({ sendAt: 'delay', time: 1_795_426_200 }, context, true);
	expect(delayed).toMatchObject(refusal(`Delay: 1795426200 seconds are ${rule}`, 'time'));
});

describe('The past', () => {
	const context = { nowMs: Date.parse('2026-11-23T08:30:00.500Z'), workflowZone: berlin };

	test('ends at the present, and is refused with the time, the zone and the present', () => {
		expect(readAt('2026-11-23T09:30:00.499', '', context)).toHaveProperty('problems');
		expect(readAt('2026-11-23T09:30:00.500', '', context)).toHaveProperty('schedule');
		const passed =
			'2026-11-22 23:15:00 in Asia/Kolkata has passed: it is now 2026-11-23 14:00:00 there. Choose a later time';
		expect(readAt('2026-11-22T23:15', 'Asia/Kolkata', context)).toMatchObject(refusal(passed));
	});

	test('holds the first pass of a doubled hour during the second, and says how to have the second', () => {
		const during = { nowMs: Date.parse('2026-10-25T00:45:00Z'), workflowZone: berlin };
		const hint = twice(berlin, '2026-10-25T02:30:00', '+02:00', '+01:00');
		const passed =
			'2026-10-25 02:30:00 in Europe/Berlin has passed: it is now 2026-10-25 02:45:00 there. Choose a later time';
		expect(readAt('2026-10-25T02:30', '', during)).toMatchObject(refusal(`${passed}. ${hint}`));
	});
});

// Luxon knows the first.
test.each([
	['local', 'is not known'],
	...['BST', 'Bst', 'EST5EDT'].map((zone) => [zone, 'may stand for several']),
])("The zone '%s' is refused: it %s", (zone, why) => {
	const message = `Timezone '${zone}' ${why}. Use its IANA name, e.g. Europe/Berlin`;
	expect(readAt('2026-11-23T09:30', zone)).toMatchObject(refusal(message, 'scheduleTimezone'));
});

test.each(['UTC', 'GMT', 'CET', 'EET', 'WET', 'Japan', 'EUROPE/BERLIN'])(
	"The zone '%s' stands for one only",
	(zone) => expect(readAt('2026-11-23T09:30', zone)).toHaveProperty('schedule'),
);

test('The zone of the workflow stays as it is, but is refused by name, with the time, if it is unknown', () => {
	const read = (scheduledFor: string, workflowZone: string) =>
		readAt(scheduledFor, null, { ...yearBefore(2026), workflowZone });
	expect(read('2026-11-23T09:30', 'BST')).toHaveProperty('schedule');
	const message =
		"The workflow's timezone 'DEFAULT' is not known. Choose one here or in the workflow's settings, e.g. Europe/Berlin";
	const [zone] = refusal(message, 'scheduleTimezone').problems;
	const problems = [zone, { field: 'scheduledFor' }];
	expect(read('2026-11-23', 'DEFAULT')).toMatchObject({ problems });
});

describe('The next weekday and time', () => {
	const readNext = (nextTime: string, nextDays: unknown, scheduleTimezone: string, now: string) =>
		readSchedule(
			{ sendAt: 'next', nextTime, nextDays, scheduleTimezone },
			{ nowMs: Date.parse(now), workflowZone: 'UTC' },
		);
	const hint = twice(berlin, '2026-10-25T02:30:00', '+02:00', '+01:00');

	test.each<[zone: string, now: string, time: string, days: unknown, next: string, hint?: string]>([
		[berlin, '2026-11-23T08:30Z', '09:30', ['monday'], '2026-11-30T08:30Z'],
		[berlin, '2026-11-23T12:00Z', ' 9:30 ', ['sunday'], '2026-11-29T08:30Z'],
		// Of a time that comes twice, the earlier is taken, unless it has passed.
		[berlin, '2026-10-24T12:00Z', '02:30', ['sunday'], '2026-10-25T00:30Z', hint],
		[berlin, '2026-10-25T00:30Z', '02:30', ['sunday'], '2026-10-25T01:30Z'],
		// One that was skipped today is of the next week.
		[berlin, '2026-03-29T12:00Z', '02:30', ['sunday'], '2026-04-05T00:30Z'],
		// Other ways to write a day.
		['UTC', '2026-11-23T12:00Z', '09:30', 'friday', '2026-11-27T09:30Z'],
		['UTC', '2026-11-23T12:00Z', '09:30', [' FRIDAY '], '2026-11-27T09:30Z'],
	])('in %s at %s, the next %s on %j, is %s', (...[zone, now, time, days, next, told]) => {
		expect(readNext(time, days, zone, now)).toEqual(at(next, zone, told));
	});

	test('is refused where clocks skip it', () => {
		const message = skipped(berlin, '2026-03-29T02:30', ['02:00', '03:00'], spring);
		const read = readNext('02:30', ['sunday'], berlin, '2026-03-28T12:00Z');
		expect(read).toMatchObject(refusal(message, 'nextTime'));
	});
});

describe('Within hours', () => {
	const read = (hoursFrom: string, hoursTo: string, scheduleTimezone = 'UTC') =>
		readSchedule(
			{ sendAt: 'withinHours', hoursFrom, hoursTo, scheduleTimezone },
			{ nowMs: 0, workflowZone: 'Asia/Kolkata' },
		);

	test.each<[zone: string, now: string, from: string, to: string, begin: string]>([
		['UTC', '2026-11-23T09:00Z', '09:00', '20:00', 'now'],
		['UTC', '2026-11-23T08:59:59.999Z', '20:00', '09:00', 'now'],
		['UTC', '2026-11-23T20:00Z', '20:00', '09:00', 'now'],
		// The workflow's zone.
		['', '2026-11-23T03:30Z', '9:00', '20:00', 'now'],
		// The hours are over, and the night is an hour longer.
		[berlin, '2026-10-24T18:00Z', '09:00', '20:00', '2026-10-25T08:00Z'],
		// Clocks skip the begin: the hours begin when clocks have gone forward.
		[berlin, '2026-03-28T22:00Z', '02:30', '20:00', '2026-03-29T01:00Z'],
		// Clocks skip all of the hours, so they begin on the next day.
		[berlin, '2026-03-28T22:00Z', '02:15', '02:45', '2026-03-30T00:15Z'],
		// The begin comes twice. In between, clocks show a time before it once more.
		[berlin, '2026-10-24T22:00Z', '02:30', '20:00', '2026-10-25T00:30Z'],
		[berlin, '2026-10-25T01:10Z', '02:30', '20:00', '2026-10-25T01:30Z'],
	])('in %s at %s, what may go from %s to %s goes %s', (zone, now, from, to, begin) => {
		const reading = read(from, to, zone);
		if (!('schedule' in reading)) throw new Error(JSON.stringify(reading));
		expect(decide(reading.schedule, Date.parse(now))).toMatchObject(
			begin === 'now' ? { kind: 'now' } : { kind: 'at', instantMs: Date.parse(begin), zone },
		);
	});

	const noTime = 'must be a time such as 09:30, but it is';
	const same =
		'Hours To is the same as Hours From, so it is not clear whether all day or no time is meant. Choose a later or an earlier time, or set Send At to Now to send at any time';

	test.each([
		['09:00', '09:00', 'hoursTo', same],
		['', '20:00', 'hoursFrom', `Hours From ${noTime} empty`],
		['09:00', '09:30:00', 'hoursTo', `Hours To ${noTime} '09:30:00'`],
	])('from %j to %j is refused at %s', (from, to, field, message) => {
		expect(read(from, to)).toMatchObject(refusal(message, field));
	});
});

test("The workflow's timezone comes first, and each other one once, in order, by its present name and offset", async () => {
	jest.useFakeTimers({ now: Date.parse('2026-07-15T12:00Z') });
	const n8n = { getTimezone: () => 'Europe/Berlin' } as ILoadOptionsFunctions;
	const [first, ...others] = await getTimezones.call(n8n);
	jest.useRealTimers();
	expect(first).toEqual({ name: "Workflow's Timezone: Europe/Berlin", value: '' });
	// By the tz database: `TZ=America/St_Johns date -d 2026-07-15T12:00Z +%:z`.
	const value = 'America/St_Johns';
	expect(others).toContainEqual({ name: `${value} (UTC-02:30)`, value });
	const zones = others.map((zone) => String(zone.value));
	expect(zones.length).toBeGreaterThan(400);
	expect(zones.filter((zone) => !isZone(zone))).toEqual([]);
	expect(zones).toEqual([...new Set(zones)].sort());
	// By the tz database 2025b; runtimes differ in which of the two names they list.
	expect(zones).toContain('Europe/Kyiv');
	expect(zones).not.toContain('Europe/Kiev');
});

const { campaignSchedule, checkFormat, defaultScheduleFormat, pushSchedule } = schedules;

const formatOf = (change: object) => ({ ...defaultScheduleFormat, ...change });

// A Monday, the 327th day, in ISO week 48; `date -u -d … +%s` is 1795421107
const instantOfMonday = Date.parse('2026-11-23T08:05:07.089Z');
const monday = { kind: 'at', instantMs: instantOfMonday, zone: 'UTC' } satisfies Decided;

test('Date and time are written in the formats of the credential', () => {
	const ofCampaign = formatOf({ campaignDateFormat: 'X', campaignTimeFormat: 'HHmm' });
	const campaign = campaignSchedule.fields(monday, ofCampaign, 0);
	expect(campaign).toEqual({ schedule_date: 1795421107, schedule_time: 805 });

	const formats = { pushDateFormat: "'KW' W kkkk ccc", pushTimeFormat: 'hh:mm:ss.SSS a' };
	const ofPush = formatOf({ ...formats, scheduleZone: 'Asia/Kolkata' });
	expect(checkFormat(ofPush)).toEqual([]);
	const time = { schedule_date: 'KW 48 2026 Mon', schedule_time: '01:35:07.089 PM' };
	expect(pushSchedule.fields(monday, ofPush)).toEqual({ ...time, time_zone: '+0530' });
});

test("The host's Luxon settings do not change what is written", () => {
	const { defaultLocale, defaultNumberingSystem, defaultOutputCalendar, defaultZone } = Settings;
	try {
		Settings.defaultLocale = 'ar-EG';
		Settings.defaultNumberingSystem = 'arab';
		Settings.defaultOutputCalendar = 'islamic';
		Settings.defaultZone = 'Asia/Tokyo';
		const format = formatOf({ pushDateFormat: 'EEE d MMM yyyy' });
		expect(checkFormat(format)).toEqual([]);
		const push = Object.values(pushSchedule.fields(monday, format));
		expect(push).toEqual(['Mon 23 Nov 2026', '08:05:07', '0']);
		expect(Object.values(campaignSchedule.fields(monday, format, 0))).toEqual([20261123, 805]);
		const { local } = schedules.describeSchedule({ ...monday, zone: 'Europe/Berlin' }) ?? {};
		expect(local).toBe('2026-11-23T09:05:07.089+01:00');
	} finally {
		Object.assign(Settings, { defaultLocale, defaultNumberingSystem });
		Object.assign(Settings, { defaultOutputCalendar, defaultZone });
	}
});

describe('A format', () => {
	const epoch = { campaignDateFormat: 'X', campaignTimeFormat: 'x', pushDateFormat: 'x' };

	it.each([
		defaultScheduleFormat,
		{ ...epoch, pushTimeFormat: 'X', eventTimeFormat: 'X', scheduleZone: 'Pacific/Apia' },
		...'S s m h H d u ss mm hh HH dd SSS uu uuu Z ZZ ZZZ ZZZZ ZZZZZ z a X x c E M L ccc EEEE MMMMM LL y yy yyyy yyyyyy G GG GGGGG kk kkkk W WW o ooo q qq'
			.split(' ')
			.map((token) => ({ pushDateFormat: `yyyy-MM-dd ${token}` })),
	])('may be %j', (change) => {
		expect(checkFormat(formatOf(change))).toEqual([]);
	});

	const numbers =
		'but email and SMS take whole numbers of at most 15 digits. Use tokens that write digits only, e.g. yyyyMMdd, HHmm or X, or turn on Campaign Times As Text';
	const known =
		'is not a Luxon token that can be used here. Use tokens such as yyyy, MM, dd, HH, mm and ss, and put text in single quotes';
	const unclosed = "'HH 'o' opens a quote and does not close it. Add the closing quote";
	const alike =
		"'yyyyMMdd' and 'HHMM' cannot tell 2026-03-04T05:06Z from 2026-03-04T05:07Z: both become 20260304 and 0503. In Luxon's formats minutes are mm, while MM is the month";
	const fullDate = 'yyyyMMddHHmmssSSS';
	const zones = 'is not known. Use its IANA name, e.g. UTC or Europe/Berlin';

	it.each([
		['campaignTimeFormat', 'HH:mm', `'HH:mm' writes '05:06', ${numbers}`],
		['campaignDateFormat', fullDate, `'${fullDate}' writes '20260304050600000', ${numbers}`],
		['campaignDateFormat', 'YYYYMMDD', `'YYYY' in 'YYYYMMDD' ${known}`],
		['pushDateFormat', 'yyyy-MM-ddTHH:mm', `'T' in 'yyyy-MM-ddTHH:mm' ${known}`],
		['pushTimeFormat', 'HH:mm uhr', `'r' in 'HH:mm uhr' ${known}`],
		...'yyyyy uuuu HHH SSSS oo'
			.split(' ')
			.map((token) => ['pushDateFormat', `MM ${token}`, `'${token}' in 'MM ${token}' ${known}`]),
		['pushTimeFormat', "HH 'o", unclosed],
		['pushTimeFormat', '', 'Enter a format in Luxon tokens, e.g. yyyyMMdd or HHmm'],
		['scheduleZone', 'Berlin', `Schedule Zone 'Berlin' ${zones}`],
		['campaignTimeFormat', 'HHMM', alike],
	])('is refused if the %s is %p', (field, value, message) => {
		const { problems } = refusal(message, field);
		expect(checkFormat(formatOf({ [String(field)]: value }))).toEqual(problems);
	});

	it.each([
		['campaignTimeFormat', 'hhmm', 'formats hours from 00 to 23 are HH'],
		['campaignTimeFormat', 'Hm', 'formats two digits for each are HHmm'],
		['campaignDateFormat', 'yyyymmdd', 'formats months are MM, while mm is the minute'],
		['campaignDateFormat', 'MMdd', 'formats years are yyyy'],
	])('is refused if the %s is %p, which writes different minutes alike', (field, value, advice) => {
		const rule = expect.stringContaining(advice) as string;
		expect(checkFormat(formatOf({ [field]: value }))).toEqual([{ field, rule }]);
	});

	it('is refused with every problem at once', () => {
		const wrong = {
			...{ scheduleZone: 'Nowhere', campaignDateFormat: 'YYYY', campaignTimeFormat: 'HH:mm' },
			...{ pushDateFormat: '', pushTimeFormat: 'Q', eventTimeFormat: 'YYYY' },
		};
		expect(checkFormat(formatOf(wrong)).map(({ field }) => field)).toEqual(Object.keys(wrong));
	});
});
