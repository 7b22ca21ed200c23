import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { getTimezones, isZone } from '../../../nodes/CustomerMessaging/schedule/localTime';

async function listAt(time: string) {
	jest.useFakeTimers({ now: Date.parse(time) });
	const n8n = { getTimezone: () => 'Europe/Berlin' } as ILoadOptionsFunctions;
	const list = await getTimezones.call(n8n);
	jest.useRealTimers();
	return list;
}

// Offsets from the tz database: `TZ=America/St_Johns date -d 2026-01-15T12:00Z +%:z`.
test.each([
	['2026-01-15T12:00Z', '-03:30'],
	['2026-07-15T12:00Z', '-02:30'],
])('At %s, Newfoundland is listed with its offset %s', async (time, offset) => {
	const value = 'America/St_Johns';
	expect(await listAt(time)).toContainEqual({ name: `${value} (UTC${offset})`, value });
});

test("The workflow's timezone comes first, and each other one once, in order, by its present name", async () => {
	const [first, ...others] = await listAt('2026-01-15T12:00Z');
	expect(first).toEqual({ name: "Workflow's Timezone: Europe/Berlin", value: '' });
	const zones = others.map(({ value }) => String(value));
	expect(zones.length).toBeGreaterThan(400);
	expect(zones.filter((zone) => !isZone(zone))).toEqual([]);
	expect(zones).toEqual([...new Set(zones)].sort());
	// By the tz database 2025b; runtimes differ in which of the two names they list.
	expect(zones).toContain('Europe/Kyiv');
	expect(zones).not.toContain('Europe/Kiev');
});
