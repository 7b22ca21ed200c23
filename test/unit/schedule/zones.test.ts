import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { getTimezones, isZone } from '../../../nodes/CustomerMessaging/schedule/localTime';

test("The workflow's timezone comes first, and each other one once, in order, by its present name and offset", async () => {
	jest.useFakeTimers({ now: Date.parse('2026-07-15T12:00Z') });
	const n8n = { getTimezone: () => 'Europe/Berlin' } as ILoadOptionsFunctions;
	const [first, ...others] = await getTimezones.call(n8n);
	jest.useRealTimers();
	expect(first).toEqual({ name: "Workflow's Timezone: Europe/Berlin", value: '' });
	// By the tz database: `TZ=America/St_Johns date -d 2026-07-15T12:00Z +%:z`.
	const value = 'America/St_Johns';
	expect(others).toContainEqual({ name: `${value} (UTC-02:30)`, value });
	const zones = others.map((zone) => String(zone.value));
	expect(zones.length).toBeGreaterThan(400);
	expect(zones.filter((zone) => !isZone(zone))).toEqual([]);
	expect(zones).toEqual([...new Set(zones)].sort());
	// By the tz database 2025b; runtimes differ in which of the two names they list.
	expect(zones).toContain('Europe/Kyiv');
	expect(zones).not.toContain('Europe/Kiev');
});
