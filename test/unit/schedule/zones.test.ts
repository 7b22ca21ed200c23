import type { ILoadOptionsFunctions } from 'n8n-workflow';

import {
	isZone,
	getTimezones,
	listTimezones,
} from '../../../nodes/CustomerMessaging/schedule/localTime';

const winter = listTimezones(Date.parse('2026-01-15T12:00Z'), 'Europe/Berlin');
const summer = listTimezones(Date.parse('2026-07-15T12:00Z'), 'Europe/Berlin');

/** Cities of several words are also written as people search for them. */
const cities: Record<string, string> = {
	'America/New_York': 'New York, ',
	'America/St_Johns': 'St Johns, ',
	'Australia/Lord_Howe': 'Lord Howe, ',
};

// Offsets from the tz database: `TZ=Europe/Berlin date -d 2026-01-15T12:00Z +%:z`.
test.each([
	['Europe/Berlin', '+01:00', '+02:00'],
	['America/New_York', '-05:00', '-04:00'],
	['America/St_Johns', '-03:30', '-02:30'],
	['Asia/Kolkata', '+05:30', '+05:30'],
	['Australia/Lord_Howe', '+11:00', '+10:30'],
	['Pacific/Chatham', '+13:45', '+12:45'],
	['UTC', '+00:00', '+00:00'],
])('%s is listed with its offset at the time', (zone, inJanuary, inJuly) => {
	const city = cities[zone] ?? '';
	expect(winter).toContainEqual({ name: `${zone} (${city}UTC${inJanuary})`, value: zone });
	expect(summer).toContainEqual({ name: `${zone} (${city}UTC${inJuly})`, value: zone });
});

test("The workflow's timezone comes first by its name, with the default's value", () => {
	expect(winter[0]).toEqual({ name: "Workflow's Timezone: Europe/Berlin", value: '' });
});

test('Every other entry is a time zone, listed once and in order', () => {
	const zones = winter.slice(1).map(({ value }) => String(value));
	expect(zones.length).toBeGreaterThan(400);
	expect(zones.filter((zone) => !isZone(zone))).toEqual([]);
	expect(zones).toEqual([...new Set(zones)].sort());
});

test('n8n gets the same list', async () => {
	const n8n = { getTimezone: () => 'Asia/Kolkata' } as ILoadOptionsFunctions;
	const list = await getTimezones.call(n8n);
	expect(list[0]?.name).toBe("Workflow's Timezone: Asia/Kolkata");
	const values = list.map(({ value }) => value);
	expect(values).toEqual(winter.map(({ value }) => value));
});

// By the tz database 2025b; runtimes differ in which of the two names they list.
test.each([
	['Africa/Asmera', 'Africa/Asmara'],
	['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
	['America/Godthab', 'America/Nuuk'],
	['Asia/Calcutta', 'Asia/Kolkata'],
	['Europe/Kiev', 'Europe/Kyiv'],
	['Pacific/Ponape', 'Pacific/Pohnpei'],
])('instead of %s, its present name %s is listed', (old, present) => {
	const zones = winter.map(({ value }) => value);
	expect(zones).toContain(present);
	expect(zones).not.toContain(old);
});
