// Expected values were worked out before the code ran, from the tz database 2025b with Python's
// zoneinfo: each next time was found by walking minute by minute from
// the present until clocks in the zone showed the time on one of the days.
import { readTimeOfDay, readSchedule } from '../../../nodes/CustomerMessaging/schedule/choice';

function readNext(
	nextTime: unknown,
	nextDays: unknown,
	{ zone = 'UTC', now = '2026-11-23T12:00Z' }: { zone?: string; now?: string } = {},
) {
	return readSchedule(
		{ sendAt: 'next', nextTime, nextDays, scheduleTimezone: zone },
		{ nowMs: Date.parse(now), workflowZone: 'UTC' },
	);
}

// zone, present, time, days, next
const cases = [
	['Europe/Berlin', '2026-11-23T07:00Z', '09:30', ['monday'], '2026-11-23T08:30Z'],
	['Europe/Berlin', '2026-11-23T08:30Z', '09:30', ['monday'], '2026-11-30T08:30Z'],
	['Europe/Berlin', '2026-11-23T12:00Z', '09:30', ['monday', 'wednesday'], '2026-11-25T08:30Z'],
	['Europe/Berlin', '2026-11-23T12:00Z', '09:30', [7], '2026-11-29T08:30Z'],
	['Europe/Berlin', '2026-03-29T01:00Z', '02:30', ['sunday'], '2026-04-05T00:30Z'],
	['Europe/Berlin', '2026-10-25T00:30Z', '02:30', ['sunday'], '2026-10-25T01:30Z'],
	['America/New_York', '2026-11-24T03:00Z', '09:30', ['tuesday'], '2026-11-24T14:30Z'],
	['Asia/Kolkata', '2028-02-28T20:00Z', '05:30', ['tuesday'], '2028-02-29T00:00Z'],
	['Australia/Lord_Howe', '2026-10-03T00:00Z', '02:30', ['sunday'], '2026-10-03T15:30Z'],
	['Pacific/Apia', '2011-12-30T09:00Z', '09:00', ['saturday'], '2011-12-30T19:00Z'],
	['UTC', '2026-12-31T23:59Z', '23:58', ['thursday'], '2027-01-07T23:58Z'],
] as const;

test.each(cases)('In %s at %s, the next %s on %j is %s', (zone, now, time, days, expected) => {
	expect(readNext(time, days, { zone, now })).toMatchObject({
		schedule: { kind: 'at', instantMs: Date.parse(expected), zone },
	});
});

test('Of a time that occurs twice the earlier is taken, with a hint', () => {
	const hintOf = (now: string) => {
		const reading = readNext('02:30', ['sunday'], { zone: 'Europe/Berlin', now });
		return 'schedule' in reading && reading.schedule.kind === 'at' ? reading.schedule.hint : null;
	};
	expect(hintOf('2026-10-24T12:00Z')).toBe(
		"02:30 on 2026-10-25 comes twice in Europe/Berlin, because clocks go back. The earlier one counts, 2026-10-25T02:30:00.000+02:00. For the later one, choose 'At a Date and Time', switch 'Date and Time' to Expression and enter 2026-10-25T02:30:00.000+01:00",
	);
	expect(hintOf('2026-10-25T00:45Z')).toBeUndefined();
	expect(hintOf('2026-10-26T00:00Z')).toBeUndefined();
});

// zone, present, time, its day, what clocks go from and to, the last time that can be chosen
test.each([
	['Europe/Berlin', '2026-03-28T12:00Z', '02:30', '2026-03-29', '02:00', '03:00', '01:59'],
	['Australia/Lord_Howe', '2026-10-03T15:00Z', '02:15', '2026-10-04', '02:00', '02:30', '01:59'],
	[
		'America/Santiago',
		'2026-09-05T12:00Z',
		'00:00',
		'2026-09-06',
		'00:00',
		'01:00',
		'23:59 on 2026-09-05',
	],
])('In %s at %s, the next %s on a Sunday is skipped', (zone, now, time, day, from, to, last) => {
	const message = `${time} on ${day} does not exist in ${zone}: clocks go from ${from} to ${to}. Choose ${last} or earlier, or ${to} or later`;
	expect(readNext(time, ['sunday'], { zone, now })).toEqual({
		problems: [{ field: 'nextTime', message }],
	});
});

test.each([
	['a name', 'friday'],
	['a number as text', '5'],
	['both forms of the same day', [5, ' FRIDAY ']],
])('%s is read as a weekday', (_, days) => {
	expect(readNext('09:30', days)).toMatchObject({
		schedule: { instantMs: Date.parse('2026-11-27T09:30Z') },
	});
});

test.each([[[]], [''], [undefined], [null]])('No days (%p) are refused', (days) => {
	expect(readNext('09:30', days)).toEqual({
		problems: [{ field: 'nextDays', message: 'Weekdays is empty. Choose at least one' }],
	});
});

test.each([
	[['someday', 'monday', 8], "'someday', '8'"],
	[['monday,friday'], "'monday,friday'"],
	[{ day: 1 }, "'[object Object]'"],
])('%j are refused by name', (days, names) => {
	expect(readNext('09:30', days)).toEqual({
		problems: [
			{
				field: 'nextDays',
				message: `Weekdays contains ${names}. Use the names Monday to Sunday, or 1 for Monday to 7 for Sunday`,
			},
		],
	});
});

test.each([
	...'24:00 9:3 09:60 0930 09:30:00 9 13pm 0am noon -9am 99:00am'.split(' '),
	...['9 in the morning', '9 30', '9am 30', '', undefined, null, 930],
])('%p is no time of day', (time) => {
	expect(readNext(time, ['monday'])).toEqual({
		problems: [
			{
				field: 'nextTime',
				message: expect.stringMatching(
					/^Time of Day must be a time such as 09:30, 9:30 or 9am, but it is ('.*'|empty|a list or object)$/s,
				) as string,
			},
		],
	});
});

test.each([
	['09:30', 9.5],
	['9am', 9],
	['9:30pm', 21.5],
	['12am', 0],
	['12:15 pm', 12.25],
])('%s is read as a time of day', (text, hours) => {
	expect(readTimeOfDay(text, 'UTC')).toBe(hours * 3_600_000);
});
