import { useAttempts } from './support/attempts';
import type { Order } from './support/engine';
import { freezeClock } from './support/service';
import { accountOf, idOf, push, toldBy } from './support/sends';

freezeClock('2026-10-28T23:00:00Z');

const use = useAttempts();

const orderOf = (...rows: number[]): Order => ({
	parameters: { ...push({ concurrency: 1 }), sendOnce: true, sendOncePeriod: 'day' },
	rows: rows.map((row) => ({ id: idOf(row) })),
	credential: accountOf(use().sandbox),
	timezone: 'UTC',
});

test('A retry after midnight counts for the day on which its execution began', async () => {
	use().sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(1) }, first: 1 });
	const first = await use().list.start(orderOf(0, 1, 2, 3));
	expect(first.error?.message).toContain('item 1');
	await use().list.start(orderOf(2));

	jest.setSystemTime(new Date('2026-10-29T01:00:00Z'));
	const retried = await use().list.retry(first);
	expect(toldBy(retried).map(({ outcome }) => outcome)).toEqual([
		'accepted',
		'accepted',
		'skipped',
		'accepted',
	]);

	const today = await use().list.start(orderOf(0, 1, 2, 3));
	expect(toldBy(today).map(({ outcome }) => outcome)).toEqual(Array(4).fill('accepted'));
	expect(use().sandbox.record.filter(({ status }) => status === 200)).toHaveLength(8);
});
