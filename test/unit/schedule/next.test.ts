// Expected values were worked out before the code ran, from the tz database 2025b with Python's
// zoneinfo: each next time was found by walking minute by minute from
// the present until clocks in the zone showed the time on one of the days.
import { readSchedule } from '../../../nodes/CustomerMessaging/schedule/choice';
import { at, refusal, skipped, twice } from './support/readings';

function readNext(nextTime: unknown, nextDays: unknown, zone = 'UTC', now = '2026-11-23T12:00Z') {
	return readSchedule(
		{ sendAt: 'next', nextTime, nextDays, scheduleTimezone: zone },
		{ nowMs: Date.parse(now), workflowZone: 'UTC' },
	);
}

const berlin = 'Europe/Berlin';
const santiago = 'America/Santiago';
const hint = twice(berlin, '2026-10-25T02:30:00', '+02:00', '+01:00');

test.each<[zone: string, now: string, time: string, days: unknown, next: string, hint?: string]>([
	[berlin, '2026-11-23T08:30Z', '09:30', ['monday'], '2026-11-30T08:30Z'],
	[berlin, '2026-11-23T12:00Z', ' 9:30 ', ['sunday'], '2026-11-29T08:30Z'],
	// Of a time that comes twice, the earlier is taken, unless it has passed.
	[berlin, '2026-10-24T12:00Z', '02:30', ['sunday'], '2026-10-25T00:30Z', hint],
	[berlin, '2026-10-25T00:30Z', '02:30', ['sunday'], '2026-10-25T01:30Z'],
	// Other ways to write a day.
	['UTC', '2026-11-23T12:00Z', '09:30', 'friday', '2026-11-27T09:30Z'],
	['UTC', '2026-11-23T12:00Z', '09:30', [' FRIDAY '], '2026-11-27T09:30Z'],
])('In %s at %s, the next %s on %j is %s', (...[zone, now, time, days, next, told]) => {
	expect(readNext(time, days, zone, now)).toEqual(at(next, zone, told));
});

test.each<[zone: string, now: string, local: string, from: string, to: string, last: string]>([
	[berlin, '2026-03-28T12:00Z', '2026-03-29T02:30', '02:00', '03:00', '01:59'],
	[santiago, '2026-09-05T12:00Z', '2026-09-06T00:00', '00:00', '01:00', '23:59 on 2026-09-05'],
])('In %s at %s, %s is a Sunday whose time is skipped', (zone, now, local, from, to, last) => {
	const message = skipped(zone, local, [from, to], `${last} or earlier, or ${to} or later`);
	expect(readNext(local.slice(11), ['sunday'], zone, now)).toMatchObject(
		refusal(message, 'nextTime'),
	);
});
