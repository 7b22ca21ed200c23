import type { ILoadOptionsFunctions } from 'n8n-workflow';

import * as localTime from '../../../nodes/CustomerMessaging/schedule/localTime';

type List = Awaited<ReturnType<typeof localTime.getTimezones>>;
let [winter, summer, zones]: [List, List, string[]] = [[], [], []];

async function listAt(time: string) {
	jest.useFakeTimers({ now: Date.parse(time) });
	const n8n = { getTimezone: () => 'Europe/Berlin' } as ILoadOptionsFunctions;
	return await localTime.getTimezones.call(n8n);
}

beforeAll(async () => {
	winter = await listAt('2026-01-15T12:00Z');
	summer = await listAt('2026-07-15T12:00Z');
	jest.useRealTimers();
	zones = winter.slice(1).map(({ value }) => String(value));
});

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

test("The list begins with the workflow's timezone by its name, with the default's value", () => {
	expect(winter[0]).toEqual({ name: "Workflow's Timezone: Europe/Berlin", value: '' });
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
