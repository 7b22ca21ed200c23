import type { INodeParameters } from 'n8n-workflow';

import { useFastClock } from '../support/clock';
import type { Execution } from '../support/executionList';
import { each, saidBy, useNode } from '../support/node';
import { trackEvent } from '../support/orders';
import { creations, idOf, push, rowsOf } from '../support/sends';

useFastClock(4);
const node = useNode({ onError: 'continueErrorOutput' });
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
		const rows = rowsOf(1_000);
		// Ten batches leave after the first request, and come back. The next request is the one that is killed.
		node.sandbox.configure({ latencyMs: 800 });
		node.sandbox.faults.add({ kind: 'status', status: 429, after: 1 });
		const first = await node.killRetryAfter(12, { parameters: events, rows });
		node.sandbox.faults.clear();
		const said = saidBy(await node.retry(first));
		expect(unknownIn(said)).toBeLessThanOrEqual(200);
		const arrived = creations(node.sandbox.record);
		expect(rows.map(({ id }) => arrived.get(id) ?? 0)).toEqual(
			said.map((words, row) => (words.startsWith('unknown') ? (arrived.get(idOf(row)) ?? 0) : 1)),
		);
	});

	test('leaves at most 50 pushes in doubt', async () => {
		const rows = rowsOf(300);
		node.sandbox.faults.add({ kind: 'status', status: 429, after: 150 });
		const first = await node.killRetryAfter(153, { parameters: plain, rows });
		node.sandbox.faults.clear();
		const said = saidBy(await node.retry(first));
		expect(unknownIn(said)).toBeLessThanOrEqual(50);
		expect(Math.max(...node.accepted(rows.map(({ id }) => id)))).toBe(1);
	});
});

describe('300 rows that were sent before cost at most 18 rounds of the store', () => {
	const rows = rowsOf(300);
	/** What a run says, and how often it locked the store. */
	async function roundsOf(start: () => Promise<Execution>): Promise<[string[], number]> {
		const clear = jest.spyOn(node.store, 'clear');
		const said = saidBy(await start());
		return [said, clear.mock.calls.length];
	}

	test('in another execution with Send Once', async () => {
		const start = async () => await node.start({ parameters: once, rows });
		await start();
		const [said, rounds] = await roundsOf(start);
		expect(said).toEqual(each('skipped sentBefore accepted', 300));
		expect(rounds).toBeGreaterThan(0);
		expect(rounds).toBeLessThanOrEqual(18);
	});

	test('in a retry', async () => {
		const first = await node.failBefore({ parameters: plain, rows });
		await node.retry(first);
		const [said, rounds] = await roundsOf(async () => await node.retry(first));
		expect(said).toEqual(each('accepted before', 300));
		expect(rounds).toBeLessThanOrEqual(18);
	});
});
