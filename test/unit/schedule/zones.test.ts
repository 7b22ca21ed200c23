import { isZone } from '../../../nodes/CustomerMessaging/schedule/localTime';
import { getTimezones, listTimezones } from '../../../nodes/CustomerMessaging/schedule/zones';

const winter = listTimezones(Date.parse('2026-01-15T12:00Z'));
const summer = listTimezones(Date.parse('2026-07-15T12:00Z'));

// Offsets from the tz database: `TZ=Europe/Berlin date -d 2026-01-15T12:00Z +%:z`.
test.each([
	['Europe/Berlin', '+01:00', '+02:00'],
	['America/New_York', '-05:00', '-04:00'],
	['America/St_Johns', '-03:30', '-02:30'],
	['Asia/Kolkata', '+05:30', '+05:30'],
	['Asia/Kathmandu', '+05:45', '+05:45'],
	['Australia/Lord_Howe', '+11:00', '+10:30'],
	['Europe/Kyiv', '+02:00', '+03:00'],
	['Pacific/Chatham', '+13:45', '+12:45'],
	['UTC', '+00:00', '+00:00'],
])('%s is listed with its offset at the time', (zone, inJanuary, inJuly) => {
	expect(winter).toContainEqual({ name: `${zone} (UTC${inJanuary})`, value: zone });
	expect(summer).toContainEqual({ name: `${zone} (UTC${inJuly})`, value: zone });
});

test("the workflow's timezone comes first, with the default's value", () => {
	expect(winter[0]).toEqual({ name: "Workflow's Timezone", value: '' });
});

test('every other entry is a time zone, listed once and in order', () => {
	const zones = winter.slice(1).map(({ value }) => String(value));
	expect(zones.length).toBeGreaterThan(400);
	expect(zones.filter((zone) => !isZone(zone))).toEqual([]);
	expect(zones).toEqual([...new Set(zones)].sort());
});

test('n8n gets the same list', async () => {
	const values = (await getTimezones()).map(({ value }) => value);
	expect(values).toEqual(winter.map(({ value }) => value));
});
