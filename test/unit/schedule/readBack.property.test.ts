// What the service would read back is worked out here without the code under test and without
// Luxon: from the texts themselves, and from what Intl says that clocks in a zone show.
import fc from 'fast-check';

import {
	decide,
	readSchedule,
	type Decided,
} from '../../../nodes/CustomerMessaging/schedule/choice';
import * as schedules from '../../../nodes/CustomerMessaging/schedule/format';
import { propertySeed } from '../../propertyRuns';

const hourMs = 3_600_000;
const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC', 'Australia/Lord_Howe');
// Near the clock changes of Europe, North America, Lord Howe and Chatham in 2026.
const changes = '03-08T07 03-29T01 04-04T15 09-26T14 10-03T15 10-25T01 11-01T06'.split(' ');
const instant = fc.oneof(
	fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2037, 11, 31) }),
	fc
		.tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * hourMs, max: 2 * hourMs }))
		.map(([hour, ms]) => Date.parse(`2026-${hour}:00Z`) + ms),
);
const runs = { numRuns: 1000, seed: propertySeed };

const clocks = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-23T09:30:15`, as clocks in the zone show it. */
function localText(instantMs: number, timeZone: string): string {
	const style = { dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' } as const;
	const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, ...style });
	clocks.set(timeZone, clock);
	return clock.format(instantMs).replace(' ', 'T');
}

function at(instantMs: number): Decided {
	return { kind: 'at', instantMs, zone: 'UTC' };
}

test('written: date and time are the instant, in the zone of push and of campaigns', () => {
	fc.assert(
		fc.property(instant, zone, (instantMs, scheduleZone) => {
			const format = { ...schedules.defaultScheduleFormat, scheduleZone };
			const push = schedules.pushSchedule.fields(at(instantMs), format);
			const offset = push.time_zone === '0' ? '+0000' : String(push.time_zone);
			expect(offset).toMatch(/^[+-]\d{4}$/);
			const iso = `${push.schedule_date}T${push.schedule_time}${offset.slice(0, 3)}:${offset.slice(3)}`;
			expect(Date.parse(iso)).toBe(Math.floor(instantMs / 1000) * 1000);

			const sent = schedules.campaignSchedule.fields(at(instantMs), format, 0);
			const digits = `${sent.schedule_date}${String(sent.schedule_time).padStart(4, '0')}`;
			expect(digits).toBe(localText(instantMs, scheduleZone).slice(0, 16).replace(/\D/g, ''));
			expect(schedules.campaignSchedule.fields({ kind: 'now' }, format, instantMs)).toEqual(sent);
		}),
		runs,
	);
});

test('at: a local time is the first instant at which clocks show it', () => {
	fc.assert(
		fc.property(instant, zone, (ms, scheduleTimezone) => {
			const instantMs = Math.floor(ms / 1000) * 1000;
			const scheduledFor = localText(instantMs, scheduleTimezone);
			const reading = readSchedule(
				{ sendAt: 'at', scheduledFor, scheduleTimezone },
				{ nowMs: instantMs - 24 * hourMs, workflowZone: 'UTC' },
			);
			if (!('schedule' in reading) || reading.schedule.kind !== 'at') throw new Error('Not read');

			const { instantMs: readMs, hint } = reading.schedule;
			expect(localText(readMs, scheduleTimezone)).toBe(scheduledFor);
			// Clocks go back by half an hour, an hour or (Antarctica/Troll) two.
			const shows = (shiftMs: number) =>
				localText(readMs + shiftMs, scheduleTimezone) === scheduledFor;
			const shifts = [0.5 * hourMs, hourMs, 2 * hourMs];
			expect(shifts.some((shiftMs) => shows(-shiftMs))).toBe(false);
			expect(shifts.some((shiftMs) => shows(shiftMs))).toBe(hint !== undefined);
		}),
		runs,
	);
});

test('next: the result is the first to come, found by walking the clock', () => {
	const quarterMs = hourMs / 4;
	const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
	const days = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 });
	const quarter = fc.integer({ min: 0, max: 95 });
	const twoDigits = (number: number) => String(Math.floor(number)).padStart(2, '0');

	fc.assert(
		fc.property(instant, zone, quarter, days, (nowMs, scheduleTimezone, index, nextDays) => {
			const nextTime = `${twoDigits(index / 4)}:${twoDigits((index % 4) * 15)}`;
			const reading = readSchedule(
				{ sendAt: 'next', nextTime, nextDays, scheduleTimezone },
				{ nowMs, workflowZone: 'UTC' },
			);
			// A refusal names a skipped time; the tables have those.
			if ('problems' in reading) return expect(reading.problems[0]?.rule).toMatch('does not exist');

			let walkedMs = Math.floor(nowMs / quarterMs) * quarterMs;
			let shown: string;
			do {
				walkedMs += quarterMs;
				shown = localText(walkedMs, scheduleTimezone);
			} while (
				shown.slice(11, 16) !== nextTime ||
				!nextDays.includes(names[(new Date(`${shown}Z`).getUTCDay() + 6) % 7] ?? '')
			);
			expect(reading.schedule).toMatchObject({ kind: 'at', instantMs: walkedMs });
		}),
		{ ...runs, numRuns: 150 },
	);
});

test('within: a message arrives while clocks show one of its hours, and within a day or so', () => {
	const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
	fc.assert(
		fc.property(instant, zone, minute, minute, (nowMs, zone, from, to) => {
			fc.pre(from !== to);
			const hours = { kind: 'within', fromMs: from * 60_000, toMs: to * 60_000, zone } as const;
			const decided = decide(hours, nowMs);
			const atMs = decided.kind === 'at' ? decided.instantMs : nowMs;
			const [hour = 0, minutes = 0] = localText(atMs, zone).slice(11).split(':').map(Number);
			const shown = hour * 60 + minutes;
			expect(from < to ? shown >= from && shown < to : shown >= from || shown < to).toBe(true);
			expect(atMs).toBeGreaterThanOrEqual(nowMs);
			expect(atMs - nowMs).toBeLessThan(49 * hourMs);
		}),
		runs,
	);
});
