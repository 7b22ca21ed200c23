import type { INodeParameters } from 'n8n-workflow';

import { each, saidBy, useAttempts } from '../support/attempts';
import { customPost, trackEvent } from '../support/orders';
import { idOf, rowsOf } from '../support/sends';

const use = useAttempts();
const rows = rowsOf(30);
const ids = rows.map(({ id }) => id);
const one = { options: { batchSize: 1, concurrency: 1 } };
const eventWith = (value: string): INodeParameters => ({
	...trackEvent,
	...one,
	userID: '={{ $json.id }}',
	attributes: { assignments: [{ id: '1', name: 'seen', value, type: 'string' }] },
});
const request = (path: string): INodeParameters => ({
	...customPost,
	...one,
	path,
	body: '={{ JSON.stringify({ user: $json.id, at: $now.toISO(), run: $execution.id }) }}',
});
const kinds: Array<[string, INodeParameters]> = [
	['an event with $now in an attribute', eventWith('={{ $now.toISO() }}')],
	['an event with $execution.id in an attribute', eventWith('=run {{ $execution.id }}')],
	['a custom request with $now and $execution.id', request('=/api/v1/event/{{ $json.id }}')],
];
const goingOn = { onError: 'continueErrorOutput' as const };

describe('What differs by itself in each attempt goes out once:', () => {
	test.each(kinds)('%s, after a kill', async (_, parameters) => {
		const first = await use().killRetryAfter(14, use().order(parameters, rows, goingOn));
		const before = use().accepted(ids);
		const second = saidBy(await use().list.retry(first));
		expect(second.filter((said) => said.startsWith('unknown')).length).toBeLessThanOrEqual(10);
		expect(second).toEqual(
			second.map((said, row) => {
				if (said.startsWith('unknown')) return 'unknown interrupted';
				return before[row] === 1 ? 'accepted before' : 'accepted';
			}),
		);
		expect(use().accepted(ids)).toEqual(
			second.map((said, row) => (said.startsWith('unknown') ? before[row] : 1)),
		);
	});

	test.each(kinds)('%s, where the first execution is retried again', async (_, parameters) => {
		const refuse = (row: number) => use().refuseOnce(idOf(row));
		refuse(4);
		const first = await use().list.start(use().order(parameters, rows));
		refuse(8);
		await use().list.retry(first);
		const third = await use().list.retry(first);
		expect(third.error).toBeUndefined();
		expect(saidBy(third)).toEqual([...each('accepted before', 8), ...each('accepted', 22)]);
		expect(use().accepted(ids)).toEqual(each(1, 30));
	});
});

describe('After a kill, what cannot be told apart is in doubt:', () => {
	test('two events of one user with the same name', async () => {
		const twice = [...rows, ...rowsOf(1)];
		const order = use().order(eventWith('={{ $now.toISO() }}'), twice, goingOn);
		const first = await use().killRetryAfter(20, order);
		const said = saidBy(await use().list.retry(first));
		expect([said[0], said[30]]).toEqual(each('unknown interrupted', 2));
		expect(use().accepted([idOf(0)])).toEqual([1]);
	});

	test('custom requests to the same path', async () => {
		const order = use().order(request('/api/v1/event/track'), rows, goingOn);
		const first = await use().killRetryAfter(14, order);
		const arrived = use().accepted(ids);
		expect(saidBy(await use().list.retry(first))).toEqual(each('unknown interrupted', 30));
		expect(use().accepted(ids)).toEqual(arrived);
	});
});

test('An event whose text is edited before each of two retries of one attempt goes out once', async () => {
	const refuse = (row: number) => use().refuseOnce(idOf(row));
	refuse(4);
	const first = await use().list.start(use().order(eventWith('as it was'), rows));
	refuse(8);
	const second = await use().list.retry(first, { parameters: eventWith('edited') });
	expect(second.error?.message).toContain('(item 8)');
	const third = await use().list.retry(first, { parameters: eventWith('edited again') });
	expect(third.error).toBeUndefined();
	expect(saidBy(third)).toEqual([...each('accepted before', 8), ...each('accepted', 22)]);
	expect(use().accepted(ids)).toEqual(each(1, 30));
});
