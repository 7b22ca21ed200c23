import { formatPeriod } from '../../../nodes/CustomerMessaging/plan/sendOnceKey';
import type { SendOncePeriod } from '../../../nodes/CustomerMessaging/run/sendOnce';

test('A key that holds for ever belongs to no period.', () => {
	expect(formatPeriod('ever', Date.parse('2026-11-23T12:00Z'), 'UTC')).toBe('');
});

// The instant, the zone, and the period's first day there.
test.each<[SendOncePeriod, string, string, string]>([
	['day', '2026-11-23T00:00:00Z', 'UTC', '2026-11-23'],
	['day', '2026-11-23T23:59:59Z', 'UTC', '2026-11-23'],
	['day', '2026-11-23T23:59:59Z', 'Europe/Berlin', '2026-11-24'],
	['day', '2026-11-23T04:59:59Z', 'America/New_York', '2026-11-22'],
	['week', '2026-11-23T00:00:00Z', 'UTC', '2026-11-23'],
	['week', '2026-11-29T23:59:59Z', 'UTC', '2026-11-23'],
	['week', '2026-11-29T23:59:59Z', 'Europe/Berlin', '2026-11-30'],
	['month', '2026-11-30T22:59:59Z', 'Europe/Berlin', '2026-11-01'],
	['month', '2026-11-30T23:00:00Z', 'Europe/Berlin', '2026-12-01'],
])('The %s of %s in %s begins on %s at midnight.', (period, utc, zone, firstDay) => {
	expect(formatPeriod(period, Date.parse(utc), zone)).toBe(`${period} ${firstDay}`);
});
