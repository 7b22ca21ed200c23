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
	const startOnce = async () => await node.start({ parameters: once, rows });

	test.each([
		['another execution with Send Once', 'skipped sentBefore accepted', startOnce],
		['a retry', 'accepted before', async (first: Execution) => await node.retry(first)],
	])('in %s', async (_, words, again) => {
		const first = await node.failBefore({ parameters: plain, rows });
		await again(first);
		const clear = jest.spyOn(node.store, 'clear');
		expect(saidBy(await again(first))).toEqual(each(words, 300));
		expect(clear.mock.calls.length).toBeGreaterThan(0);
		expect(clear.mock.calls.length).toBeLessThanOrEqual(18);
	});
});
