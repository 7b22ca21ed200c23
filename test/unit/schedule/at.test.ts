// Expected values were worked out before the code ran, from the tz database 2025b with Python's
// zoneinfo. The instants of a local time are those that show it when they are converted back
// (none: skipped, two: doubled). The neighbours of a gap were found by walking it minute by minute.

import { readSchedule } from '../../../nodes/CustomerMessaging/schedule/choice';

const longAgo = { nowMs: Date.UTC(2000, 0, 1), workflowZone: 'UTC' };

function readAt(scheduledFor: unknown, scheduleTimezone = '', context = longAgo) {
	return readSchedule({ sendAt: 'at', scheduledFor, scheduleTimezone }, context);
}

function refusal(message: string, field = 'scheduledFor') {
	return { problems: [{ field, message }] };
}

const once = [
	['Europe/Berlin', '2026-11-23T09:30:00', '2026-11-23T08:30:00Z'],
	['Europe/Berlin', '2026-11-23 09:30', '2026-11-23T08:30:00Z'],
	['Europe/Berlin', '2026-07-01T09:30', '2026-07-01T07:30:00Z'],
	['Europe/Berlin', '2026-12-31T23:59:59.999', '2026-12-31T22:59:59.999Z'],
	['America/New_York', '2026-11-23T09:30', '2026-11-23T14:30:00Z'],
	['Asia/Kolkata', '2028-02-29T05:30', '2028-02-29T00:00:00Z'],
	['Australia/Lord_Howe', '2026-10-04T01:59', '2026-10-03T15:29:00Z'],
	['Australia/Lord_Howe', '2026-10-04T02:30', '2026-10-03T15:30:00Z'],
	['Asia/Kathmandu', '2026-11-23T09:30', '2026-11-23T03:45:00Z'],
	['America/St_Johns', '2026-11-23T09:30', '2026-11-23T13:00:00Z'],
	['Pacific/Chatham', '2026-09-27T03:45', '2026-09-26T14:00:00Z'],
	['Pacific/Apia', '2011-12-29T23:59', '2011-12-30T09:59:00Z'],
	['Pacific/Apia', '2011-12-31T00:00', '2011-12-30T10:00:00Z'],
	['Pacific/Kiritimati', '2027-01-01T13:59', '2026-12-31T23:59:00Z'],
	['Etc/GMT+12', '2026-12-31T12:00', '2027-01-01T00:00:00Z'],
	['UTC', '2026-11-23T09:30', '2026-11-23T09:30:00Z'],
	['UTC', '2100-02-28T23:59', '2100-02-28T23:59:00Z'],
] as const;

test.each(once)('%s %s is the instant %s', (zone, scheduledFor, utc) => {
	expect(readAt(scheduledFor, zone)).toEqual({
		schedule: { kind: 'at', instantMs: Date.parse(utc), zone },
	});
});

// zone, local time, the earlier instant, the later one as it can be entered
const twice = [
	['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00Z', '2026-10-25T02:30:00+01:00'],
	['Europe/Berlin', '2026-10-25T02:59:59', '2026-10-25T00:59:59Z', '2026-10-25T02:59:59+01:00'],
	['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00Z', '2026-11-01T01:30:00-05:00'],
	['Australia/Lord_Howe', '2026-04-05T01:30', '2026-04-04T14:30:00Z', '2026-04-05T01:30:00+10:30'],
	['America/St_Johns', '2026-11-01T01:15', '2026-11-01T03:45:00Z', '2026-11-01T01:15:00-03:30'],
	['Pacific/Chatham', '2026-04-05T03:00', '2026-04-04T13:15:00Z', '2026-04-05T03:00:00+12:45'],
	['Africa/Cairo', '2026-10-29T23:30', '2026-10-29T20:30:00Z', '2026-10-29T23:30:00+02:00'],
	['Atlantic/Azores', '2026-10-25T00:30', '2026-10-25T00:30:00Z', '2026-10-25T00:30:00-01:00'],
	['America/Havana', '2026-11-01T00:30', '2026-11-01T04:30:00Z', '2026-11-01T00:30:00-05:00'],
	['Europe/London', '2026-10-25T01:00', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00+00:00'],
] as const;

test.each(twice)('%s %s comes twice and is the earlier, %s', (zone, scheduledFor, utc, later) => {
	const reading = readAt(scheduledFor, zone);
	expect(reading).toMatchObject({ schedule: { kind: 'at', instantMs: Date.parse(utc), zone } });

	const [date, clock] = scheduledFor.split('T');
	const laterIso = `${later.slice(0, 19)}.000${later.slice(19)}`;
	const hint = 'schedule' in reading && reading.schedule.kind === 'at' ? reading.schedule.hint : '';
	expect(hint).toContain(`${clock} on ${date} comes twice in ${zone}`);
	expect(hint).toContain(`enter ${laterIso}`);
	expect(readAt(laterIso, zone)).toEqual({
		schedule: { kind: 'at', instantMs: Date.parse(later), zone },
	});
});

test('The hint about a time that occurs twice is one whole sentence', () => {
	expect(readAt('2026-10-25T02:30', 'Europe/Berlin')).toMatchObject({
		schedule: {
			hint: "02:30 on 2026-10-25 comes twice in Europe/Berlin, because clocks go back. The earlier one counts, 2026-10-25T02:30:00.000+02:00. For the later one, choose 'At a Date and Time', switch 'Date and Time' to Expression and enter 2026-10-25T02:30:00.000+01:00",
		},
	});
});

// zone, local time, what clocks go from and to, the last and the first time that can be chosen
const skipped = [
	['Europe/Berlin', '2026-03-29T02:30', '02:00', '03:00', '01:59', '03:00'],
	['America/New_York', '2026-03-08T02:30', '02:00', '03:00', '01:59', '03:00'],
	['Australia/Lord_Howe', '2026-10-04T02:29', '02:00', '02:30', '01:59', '02:30'],
	['Pacific/Chatham', '2026-09-27T03:44', '02:45', '03:45', '02:44', '03:45'],
	['Africa/Cairo', '2026-04-24T00:00', '00:00', '01:00', '23:59 on 2026-04-23', '01:00'],
	[
		'Pacific/Apia',
		'2011-12-30T12:00',
		'00:00',
		'00:00 on 2011-12-31',
		'23:59 on 2011-12-29',
		'00:00 on 2011-12-31',
	],
] as const;

test.each(skipped)('%s %s is skipped by a clock change', (zone, local, from, to, last, first) => {
	const [date, clock] = local.split('T');
	expect(readAt(local, zone)).toEqual(
		refusal(
			`${clock} on ${date} does not exist in ${zone}: clocks go from ${from} to ${to}. Choose ${last} or earlier, or ${first} or later`,
		),
	);
});

test('An offset in the text takes precedence over the time zone, even in a gap of that zone', () => {
	expect(readAt('2026-03-29T02:30:00+01:00', 'Europe/Berlin')).toEqual({
		schedule: { kind: 'at', instantMs: Date.parse('2026-03-29T01:30:00Z'), zone: 'Europe/Berlin' },
	});
});

test.each(['', undefined, null])(
	'Without a zone (%p), a time is read in the zone of the workflow',
	(scheduleTimezone) => {
		const choice = { sendAt: 'at', scheduledFor: '2026-11-23T09:30', scheduleTimezone };
		expect(readSchedule(choice, { ...longAgo, workflowZone: 'Asia/Kolkata' })).toEqual({
			schedule: { kind: 'at', instantMs: Date.parse('2026-11-23T04:00:00Z'), zone: 'Asia/Kolkata' },
		});
	},
);

const refused = [
	['', 'Date and Time is empty. Enter one, e.g. 2026-11-23T09:30'],
	[undefined, 'Date and Time is empty. Enter one, e.g. 2026-11-23T09:30'],
	[true, 'Date and Time is empty. Enter one, e.g. 2026-11-23T09:30'],
	['2026-11-23', '2026-11-23 is a day without a time. Add one, e.g. 2026-11-23T09:30'],
	['2100-02-29T09:30', '2100-02-29 is not in the calendar. Choose a day that exists'],
	['2026-11-31T09:30', '2026-11-31 is not in the calendar. Choose a day that exists'],
	[
		'2026-11-23T24:00',
		"'2026-11-23T24:00' has no valid time of day. Choose one from 00:00 to 23:59",
	],
	[
		'2026-11-23T09:30+25:00',
		'+25:00 is not an offset from UTC. Use one such as +05:30, or Z for UTC',
	],
	[
		'2026-11-23T09:30+01:75',
		'+01:75 is not an offset from UTC. Use one such as +05:30, or Z for UTC',
	],
	[
		'23.11.2026 09:30',
		"'23.11.2026 09:30' is not in the expected format. Write it as 2026-11-23T09:30, or convert it: {{ DateTime.fromFormat($json.date, 'd.M.yyyy H:mm').toFormat('yyyy-MM-dd HH:mm') }}",
	],
	['tomorrow', "'tomorrow' is not in the expected format. Write it as 2026-11-23T09:30"],
	[
		1795426200000,
		"1795426200000 is a number. Write it as 2026-11-23T09:30, or convert it: {{ $json.date ? DateTime.fromMillis(Number($json.date)).toString() : '' }}",
	],
	[7, '7 may be seconds or milliseconds. Write it as 2026-11-23T09:30'],
] as const;

test.each(refused)('%p is refused', (scheduledFor, message) => {
	expect(readAt(scheduledFor, 'UTC')).toEqual(refusal(message));
});

describe('The past', () => {
	const context = { nowMs: Date.parse('2026-11-23T08:30:00.500Z'), workflowZone: 'Europe/Berlin' };

	test('is refused, naming the time, the zone and the present', () => {
		expect(readAt('2026-11-22T23:15', 'Asia/Kolkata', context)).toEqual(
			refusal(
				'2026-11-22 23:15:00 in Asia/Kolkata has passed: it is now 2026-11-23 14:00:00 there. Choose a later time',
			),
		);
	});

	test('ends at the present', () => {
		expect(readAt('2026-11-23T09:30:00.499', '', context)).toHaveProperty('problems');
		expect(readAt('2026-11-23T09:30:00.500', '', context)).toHaveProperty('schedule');
		expect(readAt(new Date(context.nowMs - 1), '', context)).toHaveProperty('problems');
	});

	test('holds the first pass of a doubled hour during the second, and says how to have the second', () => {
		const during = { nowMs: Date.parse('2026-10-25T00:45:00Z'), workflowZone: 'Europe/Berlin' };
		expect(readAt('2026-10-25T02:30', '', during)).toEqual(
			refusal(
				"2026-10-25 02:30:00 in Europe/Berlin has passed: it is now 2026-10-25 02:45:00 there. Choose a later time. 02:30 on 2026-10-25 comes twice in Europe/Berlin, because clocks go back. The earlier one counts, 2026-10-25T02:30:00.000+02:00. For the later one, choose 'At a Date and Time', switch 'Date and Time' to Expression and enter 2026-10-25T02:30:00.000+01:00",
			),
		);
	});
});

describe('Zones', () => {
	test.each(['Europe/Berln', 'UTC+3', '+05:30', 'local', 'system', 'DEFAULT', 'GMT+2'])(
		"'%s' is refused by name",
		(zone) => {
			expect(readAt('2026-11-23T09:30', zone)).toEqual(
				refusal(
					`Timezone '${zone}' is not known. Use its IANA name, e.g. Europe/Berlin`,
					'scheduleTimezone',
				),
			);
		},
	);

	test('an unknown time zone of the workflow is refused by name', () => {
		expect(readAt('2026-11-23T09:30', '', { ...longAgo, workflowZone: 'DEFAULT' })).toEqual(
			refusal(
				"The workflow's timezone 'DEFAULT' is not known. Choose one here or in the workflow's settings, e.g. Europe/Berlin",
				'scheduleTimezone',
			),
		);
	});

	test('are refused together with the time', () => {
		const reading = readAt('2026-11-23', 'Mars/Olympus');
		expect(reading).toMatchObject({
			problems: [{ field: 'scheduleTimezone' }, { field: 'scheduledFor' }],
		});
	});
});
