import * as identity from '../../../nodes/CustomerMessaging/plan/identity';
import { formatPeriod } from '../../../nodes/CustomerMessaging/plan/keys';

test('A segment counts by its number', () => {
	const { audienceKey } = identity;
	const segment = (segment_id: unknown) => audienceKey({ itemIndex: 0, to: { segment_id } });
	expect(segment('42')).toBe(segment(42));
	expect(segment(43)).not.toBe(segment(42));
});

test('Two people are two, although only a space tells their IDs apart', () => {
	const { executionKey, recipientKey } = identity;
	const to = (recipient: string) => ({ recipient, number: 1 });
	expect(recipientKey(to('C  1'))).not.toBe(recipientKey(to('C 1')));
	expect(executionKey([], to('C  1'))).not.toBe(executionKey([], to('C 1')));
});

test('A Date within a text is the same in English, and in ISO form after n8n has stored the execution', () => {
	const keyOf = (recipient: string) => identity.recipientKey({ recipient });
	const stored = keyOf('Order 2030-05-06T07:08:09.000Z');
	expect(keyOf('Order Mon May 06 2030 09:08:09 GMT+0200 (Central European Summer Time)')).toBe(
		stored,
	);
	expect(keyOf('Order Mon May 06 2030 09:08:10 GMT+0200')).not.toBe(stored);
});

// The instant, the zone, and what a key that holds for the period gets.
test.each<[Parameters<typeof formatPeriod>[0], string, string, string]>([
	['ever', '2026-11-23T12:00Z', 'UTC', ''],
	['day', '2026-11-23T23:59:59Z', 'Europe/Berlin', 'day 2026-11-24'],
	['day', '2026-11-23T04:59:59Z', 'America/New_York', 'day 2026-11-22'],
	['week', '2026-11-29T23:59:59Z', 'UTC', 'week 2026-11-23'],
	['week', '2026-11-29T23:59:59Z', 'Europe/Berlin', 'week 2026-11-30'],
	['month', '2026-11-30T23:00:00Z', 'Europe/Berlin', 'month 2026-12-01'],
])('The %s of %s in %s is %j', (period, utc, zone, added) => {
	expect(formatPeriod(period, Date.parse(utc), zone)).toBe(added);
});
