import type { INodeParameters } from 'n8n-workflow';

import { each, saidBy, useAttempts } from '../support/attempts';
import type { Execution } from '../support/executionList';
import { trackEvent } from '../support/orders';
import { creations, idOf, push, rowsOf } from '../support/sends';

const use = useAttempts();
const goingOn = { onError: 'continueErrorOutput' as const };
const plain = push({ concurrency: 10 });
const once: INodeParameters = { ...plain, sendOnce: true, sendOnceKey: 'spring sale' };
const events: INodeParameters = {
	...trackEvent,
	userID: '={{ $json.id }}',
	options: { batchSize: 100, concurrency: 10 },
};
const unknownIn = (said: string[]) => said.filter((words) => words.startsWith('unknown')).length;

describe('A kill while a run waits for the limit', () => {
	test('leaves at most the batches in flight and one in doubt, of ten that came back', async () => {
		const { sandbox, list } = use();
		const rows = rowsOf(1_000);
		// Ten batches leave after the first request, and come back. The next request is the one that is killed.
		sandbox.configure({ latencyMs: 800 });
		sandbox.faults.add({ kind: 'status', status: 429, after: 1 });
		const first = await use().killRetryAfter(12, use().order(events, rows, goingOn));
		sandbox.faults.clear();
		sandbox.configure({ latencyMs: 0 });
		const said = saidBy(await list.retry(first));
		expect(unknownIn(said)).toBeLessThanOrEqual(200);
		const arrived = creations(sandbox.record);
		expect(rows.map(({ id }) => arrived.get(id) ?? 0)).toEqual(
			said.map((words, row) => (words.startsWith('unknown') ? (arrived.get(idOf(row)) ?? 0) : 1)),
		);
	});

	test('leaves at most 50 pushes in doubt', async () => {
		const { sandbox, list } = use();
		const rows = rowsOf(300);
		sandbox.faults.add({ kind: 'status', status: 429, after: 150 });
		const first = await use().killRetryAfter(153, use().order(plain, rows, goingOn));
		sandbox.faults.clear();
		const said = saidBy(await list.retry(first));
		expect(unknownIn(said)).toBeLessThanOrEqual(50);
		expect(Math.max(...use().accepted(rows.map(({ id }) => id)))).toBe(1);
	});
});

describe('300 rows that were sent before cost at most 18 rounds of the store', () => {
	const rows = rowsOf(300);
	/** What a run says, and how often it locked the store. */
	async function roundsOf(start: () => Promise<Execution>): Promise<[string[], number]> {
		const { store } = use();
		const clear = jest.spyOn(store, 'clear');
		const said = saidBy(await start());
		return [said, clear.mock.calls.length];
	}

	test('in another execution with Send Once', async () => {
		const { list } = use();
		const order = use().order(once, rows, goingOn);
		await list.start(order);
		const [said, rounds] = await roundsOf(async () => await list.start(order));
		expect(said).toEqual(each('skipped sentBefore accepted', 300));
		expect(rounds).toBeGreaterThan(0);
		expect(rounds).toBeLessThanOrEqual(18);
	});

	test.each([
		['without Send Once', plain],
		['with Send Once', once],
	])('in a retry %s', async (_, parameters) => {
		const { list } = use();
		const first = await use().failBefore(use().order(parameters, rows, goingOn));
		await list.retry(first);
		const [said, rounds] = await roundsOf(async () => await list.retry(first));
		expect(said).toEqual(each('accepted before', 300));
		expect(rounds).toBeLessThanOrEqual(18);
	});
});
