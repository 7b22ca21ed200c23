import type { ILoadOptionsFunctions } from 'n8n-workflow';

import * as localTime from '../../../nodes/CustomerMessaging/schedule/localTime';

const winter = localTime.listTimezones(Date.parse('2026-01-15T12:00Z'), 'Europe/Berlin');
const summer = localTime.listTimezones(Date.parse('2026-07-15T12:00Z'), 'Europe/Berlin');
const zones = winter.slice(1).map(({ value }) => String(value));

// Offsets from the tz database: `TZ=Europe/Berlin date -d 2026-01-15T12:00Z +%:z`.
test.each([
	['Europe/Berlin', '+01:00', '+02:00'],
	['America/New_York', '-05:00', '-04:00'],
	['America/St_Johns', '-03:30', '-02:30'],
	['Australia/Lord_Howe', '+11:00', '+10:30'],
	['UTC', '+00:00', '+00:00'],
])('%s is listed with its offset at the time', (zone, ...offsets) => {
	const names = offsets.map((offset) => `${zone} (UTC${offset})`);
	expect([winter, summer].map((list) => list.find(({ value }) => value === zone)?.name)).toEqual(
		names,
	);
});

test("The list begins with the workflow's timezone by its name, with the default's value", async () => {
	expect(winter[0]).toEqual({ name: "Workflow's Timezone: Europe/Berlin", value: '' });
	const n8n = { getTimezone: () => 'Asia/Kolkata' } as ILoadOptionsFunctions;
	const [own, ...others] = await localTime.getTimezones.call(n8n);
	expect(own).toEqual({ name: "Workflow's Timezone: Asia/Kolkata", value: '' });
	expect(others.map(({ value }) => value)).toEqual(zones);
});

test('Every other entry is a time zone, listed once and in order', () => {
	expect(zones.length).toBeGreaterThan(400);
	expect(zones.filter((zone) => !localTime.isZone(zone))).toEqual([]);
	expect(zones).toEqual([...new Set(zones)].sort());
});

// By the tz database 2025b; runtimes differ in which of the two names they list.
test.each([
	['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
	['Europe/Kiev', 'Europe/Kyiv'],
])('instead of %s, its present name %s is listed', (old, present) => {
	expect(zones).toContain(present);
	expect(zones).not.toContain(old);
});
