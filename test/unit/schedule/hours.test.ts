// Expected values were worked out by hand from the offsets of the tz database 2025b.
import fc from 'fast-check';

import { readSchedule, decide } from '../../../nodes/CustomerMessaging/schedule/choice';
import { refusal } from './support/readings';

function read(hoursFrom: unknown, hoursTo: unknown, scheduleTimezone: unknown = 'UTC') {
	return readSchedule(
		{ sendAt: 'withinHours', hoursFrom, hoursTo, scheduleTimezone },
		{ nowMs: 0, workflowZone: 'Asia/Kolkata' },
	);
}

test.each<[zone: string, now: string, from: string, to: string, begin: string]>([
	['UTC', '2026-11-23T09:00Z', '09:00', '20:00', 'now'],
	['UTC', '2026-11-23T08:59:59.999Z', '20:00', '09:00', 'now'],
	['UTC', '2026-11-23T00:00Z', '00:00', '09:00', 'now'],
	['Asia/Kolkata', '2026-11-23T03:30Z', '9:00', '20:00', 'now'],
	// Clocks show 02:30 twice.
	['Europe/Berlin', '2026-10-25T01:30Z', '02:30', '20:00', 'now'],
	// Clocks go from 02:00 to 03:00.
	['Europe/Berlin', '2026-03-29T01:00Z', '02:30', '20:00', 'now'],
	['UTC', '2026-11-23T20:00Z', '09:00', '20:00', '2026-11-24T09:00Z'],
	// The night is an hour longer.
	['Europe/Berlin', '2026-10-24T18:00Z', '09:00', '20:00', '2026-10-25T08:00Z'],
	// Clocks skip the begin: the hours begin when clocks have gone forward.
	['Europe/Berlin', '2026-03-28T22:00Z', '02:30', '20:00', '2026-03-29T01:00Z'],
	// Clocks skip all of the hours, so they begin on the next day.
	['Europe/Berlin', '2026-03-28T22:00Z', '02:15', '02:45', '2026-03-30T00:15Z'],
	// The begin comes twice. In between, clocks show a time before it once more.
	['Europe/Berlin', '2026-10-24T22:00Z', '02:30', '20:00', '2026-10-25T00:30Z'],
	['Europe/Berlin', '2026-10-25T01:10Z', '02:30', '20:00', '2026-10-25T01:30Z'],
])('In %s at %s, what may go from %s to %s goes %s', (zone, now, from, to, begin) => {
	const reading = read(from, to, zone);
	if (!('schedule' in reading)) throw new Error(JSON.stringify(reading));
	expect(decide(reading.schedule, Date.parse(now))).toMatchObject(
		begin === 'now' ? { kind: 'now' } : { kind: 'at', instantMs: Date.parse(begin), zone },
	);
});

test('Without a timezone, the hours are those of the workflow', () => {
	expect(read('09:00', '20:00', '')).toMatchObject({ schedule: { zone: 'Asia/Kolkata' } });
});

const noTime = 'must be a time such as 09:30, but it is';
const same =
	'Hours To is the same as Hours From, so it is not clear whether all day or no time is meant. Choose a later or an earlier time, or set Send At to Now to send at any time';

test.each([
	['09:00', '09:00', 'hoursTo', same],
	['', '20:00', 'hoursFrom', `Hours From ${noTime} empty`],
	['09:00', 20, 'hoursTo', `Hours To ${noTime} '20'`],
	['09:00', '24:00', 'hoursTo', `Hours To ${noTime} '24:00'`],
	['09:00', '09:30:00', 'hoursTo', `Hours To ${noTime} '09:30:00'`],
])('From %j to %j is refused at %s', (from, to, field, message) => {
	expect(read(from, to)).toMatchObject(refusal(message, field));
});

test('A message always arrives while clocks show one of its hours, and within a day or so', () => {
	const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe'];
	const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
	const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
	const options = { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const;
	const clocks = new Map(
		zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en', { timeZone, ...options })]),
	);
	const check = (zone: string, from: number, to: number, nowMs: number) => {
		fc.pre(from !== to);
		const hours = { kind: 'within', fromMs: from * 60_000, toMs: to * 60_000, zone } as const;
		const decided = decide(hours, nowMs);
		const atMs = decided.kind === 'at' ? decided.instantMs : nowMs;
		const [hour = 0, minutes = 0] = String(clocks.get(zone)?.format(atMs)).split(':').map(Number);
		const shown = hour * 60 + minutes;
		expect(from < to ? shown >= from && shown < to : shown >= from || shown < to).toBe(true);
		expect(atMs).toBeGreaterThanOrEqual(nowMs);
		expect(atMs - nowMs).toBeLessThan(49 * 3_600_000);
	};
	fc.assert(fc.property(fc.constantFrom(...zones), minute, minute, instant, check), {
		numRuns: 1_000,
	});
});
