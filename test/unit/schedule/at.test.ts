// Expected values were worked out before the code ran, from the tz database 2025b with Python's
// zoneinfo. The instants of a local time are those that show it when they are converted back
// (none: skipped, two: doubled). The neighbours of a gap were found by walking it minute by minute.

import { readSchedule } from '../../../nodes/CustomerMessaging/schedule/choice';
import { at, refusal, skipped, twice } from './support/readings';

/** A new year before the time, because a time may be at most five years ahead. */
function yearBefore(written: unknown) {
	const [year = 2026] = /\d{4}/.exec(String(written)) ?? [];
	return { nowMs: Date.UTC(Number(year) - 1, 0, 1), workflowZone: 'UTC' };
}

function readAt(
	scheduledFor: unknown,
	scheduleTimezone: unknown = '',
	context = yearBefore(scheduledFor),
) {
	return readSchedule({ sendAt: 'at', scheduledFor, scheduleTimezone }, context);
}

const lordHowe = 'Australia/Lord_Howe';
const instantMs = Date.parse('2026-11-23T09:30:00Z');

test.each<[zone: string, written: unknown, utc: string]>([
	['Europe/Berlin', '2026-12-31T23:59:59.999', '2026-12-31T22:59:59.999Z'],
	[lordHowe, '2026-10-04T02:30', '2026-10-03T15:30:00Z'],
	// Other spellings.
	['UTC', ' 2026-11-23t09:30 ', '2026-11-23T09:30:00Z'],
	['UTC', '2026-11-23 09:30:59.123456789', '2026-11-23T09:30:59.123Z'],
	// With an offset of its own, even in a gap of the zone.
	['Europe/Berlin', '2026-03-29T02:30:00+01:00', '2026-03-29T01:30:00Z'],
	['UTC', '2026-11-23T09:30 +14', '2026-11-22T19:30:00Z'],
	// As emails and HTTP have it, with the names of RFC 2822 for zones.
	['UTC', 'Mon, 23 Nov 2026 09:30:00 +0100', '2026-11-23T08:30:00Z'],
	['UTC', '23 Nov 2026 09:30 EST', '2026-11-23T14:30:00Z'],
	// A DateTime of any copy of Luxon, or a Date of any realm.
	['UTC', { isLuxonDateTime: true, valueOf: () => instantMs }, '2026-11-23T09:30:00Z'],
	['UTC', { getTime: true, valueOf: () => instantMs }, '2026-11-23T09:30:00Z'],
])('In %s, %s is the instant %s', (zone, written, utc) => {
	expect(readAt(written, zone)).toEqual(at(utc, zone));
});

test.each<[zone: string, local: string, earlier: string, later: string]>([
	['Europe/Berlin', '2026-10-25T02:59:59', '+02:00', '+01:00'],
	[lordHowe, '2026-04-05T01:30:00', '+11:00', '+10:30'],
])('In %s, %s comes twice and is that with %s', (zone, local, earlier, later) => {
	expect(readAt(local, zone)).toEqual(
		at(local + earlier, zone, twice(zone, local, earlier, later)),
	);
	expect(readAt(`${local}.000${later}`, zone)).toEqual(at(local + later, zone));
});

const newYear = '00:00 on 2011-12-31';
const around = `23:59 on 2011-12-29 or earlier, or ${newYear} or later`;

test.each<[zone: string, local: string, change: [from: string, to: string], choice: string]>([
	['Europe/Berlin', '2026-03-29T02:30', ['02:00', '03:00'], '01:59 or earlier, or 03:00 or later'],
	['Pacific/Apia', '2011-12-30T12:00', ['00:00', newYear], around],
])('In %s, %s is skipped by a clock change', (zone, local, change, choice) => {
	expect(readAt(local, zone)).toMatchObject(refusal(skipped(zone, local, change, choice)));
});

test.each(['', undefined, null])('Without a zone (%p), that of the workflow counts', (zone) => {
	const choice = { sendAt: 'at', scheduledFor: '2026-11-23T09:30', scheduleTimezone: zone };
	const context = { ...yearBefore(2026), workflowZone: 'Asia/Kolkata' };
	expect(readSchedule(choice, context)).toEqual(at('2026-11-23T04:00:00Z', 'Asia/Kolkata'));
});

const format = 'is not in the expected format. Write it as 2026-11-23T09:30';
const empty = 'Date and Time is empty. Enter one, e.g. 2026-11-23T09:30';
const notADate =
	'Date and Time is not a date and time. Enter one such as 2026-11-23T09:30, or use an expression that returns a DateTime or a Date';
const quoted = (values: string[], message: string) =>
	values.map((value): [string, string] => [value, `'${value}' ${message}`]);

test.each<[written: unknown, message: string]>([
	...['', undefined, true].map((value): [unknown, string] => [value, empty]),
	['2026-11-23', '2026-11-23 is a day without a time. Add one, e.g. 2026-11-23T09:30'],
	['2100-02-29T09:30', '2100-02-29 is not in the calendar. Choose a day that exists'],
	...quoted(['2026-11-23T24:00', '2026-11-23T09:60', '2026-11-23T09:30:60'], format),
	...quoted(['2026-11-23T09:30+15:00', '2026-11-23T09:30+05:60'], format),
	// What Luxon alone would read, and other notations.
	...quoted(['09:30', '20261123T0930', '2026-W48-1T09:30', '1795426200'], format),
	...quoted(['23.11.2026 09:30', '11/23/2026 9:30 AM', 'Nov 23, 2026'], format),
	...quoted(['x2026-11-23T09:30', '2026-11-23T09:30x', '2026-11-23T09:30+'], format),
	[46350, '46350 may be seconds or milliseconds. Write it as 2026-11-23T09:30'],
	// Objects that only look like a DateTime or a Date.
	[{ toMillis: () => instantMs }, notADate],
	[new Date(NaN), notADate],
])('%p is refused: %s', (written, message) => {
	expect(readAt(written, 'UTC')).toMatchObject(refusal(message));
});

describe('A time far ahead', () => {
	const context = { nowMs: Date.parse('2026-11-23T08:30:00Z'), workflowZone: 'Asia/Bangkok' };
	const later = { sendAt: 'delay', time: 0 };
	const rule = 'more than five years ahead. Correct it, or choose an earlier time';

	test('is refused after five years', () => {
		expect(readAt('2031-11-23T15:30', '', context)).toHaveProperty('schedule');
		expect(readAt('2031-11-23T15:31', '', context)).toEqual(
			refusal(`2031-11-23 15:31:00 is ${rule}`),
		);
	});

	test('is refused as a delay too, such as one in milliseconds', () => {
		const wait = (time: number) => readSchedule({ ...later, time }, context, true);
		expect(wait(1_795_426_200)).toMatchObject(
			refusal(`Delay: 1795426200 seconds are ${rule}`, 'time'),
		);
	});
});

describe('The past', () => {
	const context = { nowMs: Date.parse('2026-11-23T08:30:00.500Z'), workflowZone: 'Europe/Berlin' };

	test('is refused, naming the time, the zone and the present', () => {
		const passed =
			'2026-11-22 23:15:00 in Asia/Kolkata has passed: it is now 2026-11-23 14:00:00 there. Choose a later time';
		expect(readAt('2026-11-22T23:15', 'Asia/Kolkata', context)).toMatchObject(refusal(passed));
	});

	test('ends at the present', () => {
		expect(readAt('2026-11-23T09:30:00.499', '', context)).toHaveProperty('problems');
		expect(readAt('2026-11-23T09:30:00.500', '', context)).toHaveProperty('schedule');
	});

	test('holds the first pass of a doubled hour during the second, and says how to have the second', () => {
		const during = { nowMs: Date.parse('2026-10-25T00:45:00Z'), workflowZone: 'Europe/Berlin' };
		const hint = twice('Europe/Berlin', '2026-10-25T02:30:00', '+02:00', '+01:00');
		const passed =
			'2026-10-25 02:30:00 in Europe/Berlin has passed: it is now 2026-10-25 02:45:00 there. Choose a later time';
		expect(readAt('2026-10-25T02:30', '', during)).toMatchObject(refusal(`${passed}. ${hint}`));
	});
});

// Luxon knows these two.
test.each(['UTC+3', 'local'])("The zone '%s' is refused by name", (zone) => {
	const message = `Timezone '${zone}' is not known. Use its IANA name, e.g. Europe/Berlin`;
	expect(readAt('2026-11-23T09:30', zone)).toMatchObject(refusal(message, 'scheduleTimezone'));
});

const several = 'BST IST EST bst EST5EDT GB PRC'.split(' ');
test.each(several)("The zone '%s' is refused, because it may stand for several", (zone) => {
	const message = `Timezone '${zone}' may stand for several. Use its IANA name, e.g. Europe/Berlin`;
	expect(readAt('2026-11-23T09:30', zone)).toMatchObject(refusal(message, 'scheduleTimezone'));
	// That of the workflow stays as it is.
	const context = { ...yearBefore(2026), workflowZone: zone };
	expect(readAt('2026-11-23T09:30', '', context)).toHaveProperty('schedule');
});

test.each(['UTC', 'GMT', 'CET', 'EET', 'WET', 'Japan', 'Etc/GMT+5', 'EUROPE/BERLIN'])(
	"The zone '%s' stands for one only",
	(zone) => expect(readAt('2026-11-23T09:30', zone)).toHaveProperty('schedule'),
);

test('An unknown zone of the workflow is refused by name, and together with the time', () => {
	const message =
		"The workflow's timezone 'DEFAULT' is not known. Choose one here or in the workflow's settings, e.g. Europe/Berlin";
	const [zone] = refusal(message, 'scheduleTimezone').problems;
	const problems = [zone, { field: 'scheduledFor' }];
	expect(readAt('2026-11-23', '', { ...yearBefore(2026), workflowZone: 'DEFAULT' })).toMatchObject({
		problems,
	});
});
