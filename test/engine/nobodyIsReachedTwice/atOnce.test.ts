import type { INodeParameters } from 'n8n-workflow';

import { pause, useFastClock } from '../support/clock';
import type { Course, Execution } from '../support/executionList';
import { useLogLines } from '../support/logLines';
import { inShort, saidBy, useNode } from '../support/node';
import { arrivalsByPush, push, rowsOf } from '../support/sends';

useFastClock(3);
const lines = useLogLines();
const plain = push({ concurrency: 1, maxWait: 1 });
const once: INodeParameters = { ...plain, sendOnce: true, sendOnceKey: 'spring sale' };
const node = useNode({ parameters: plain, rows: rowsOf(30), onError: 'continueErrorOutput' });

/** Stops an execution while a call of the store does not answer. */
async function stopLookUp(
	[method, call]: readonly ['add' | 'count' | 'remove', number],
	run: (course: Course) => Promise<Execution>,
) {
	const { hangs, release } = node.store.hangFrom(method, call);
	let stoppedMs = 0;
	const moment = hangs.then(async () => {
		await pause(100);
		stoppedMs = Date.now();
	});
	const stopped = await node.stopAt(moment, run);
	// The store would hold the run up until it is released.
	expect(Date.now() - stoppedMs).toBeLessThan(3_000);
	const sent = node.sandbox.record.length;
	release();
	await pause(300);
	expect(node.sandbox.record).toHaveLength(sent);
	return stopped;
}

describe('A retry that is stopped before it knows what other attempts sent', () => {
	const rows = rowsOf(40);
	const pushes = push({ concurrency: 2 });

	test.each([
		['of pushes, by its question', pushes, ['count', 1]],
		['with Send Once', { ...pushes, sendOnce: true }, ['add', 2]],
	] as const)('calls nothing unsent, %s, and the next one goes on', async (_, parameters, call) => {
		const first = await node.killRetryAfter(33, { parameters, rows });
		lines.splice(0);
		const retried = async (course: Course) => await node.retry(first, course);
		const stopped = await stopLookUp(call, retried);
		const text = `The run was stopped, by hand or by Timeout Workflow. Accepted: 0 of 40.
May have been delivered: 40, items 0–39 on web.
What other attempts sent was not looked up yet. Retry the execution again: it sends only what was not sent.`;
		expect(lines).toEqual([['warn', text]]);
		expect(inShort(stopped)).toBe('40 unknown stopped');

		const before = node.acceptedRows(40);
		const { said } = node.expectTruth(await node.retry(first), before, 20);
		const known = said.filter((words) => words === 'accepted before');
		expect(known.length).toBeGreaterThanOrEqual(20);
	});
});

test('A first attempt that is stopped before it has sent anything calls nothing doubtful', async () => {
	const order = { parameters: push(), onError: undefined };
	await stopLookUp(['count', 1], async (course) => await node.start({ ...order, ...course }));
	expect(lines[0]?.[1]).toContain('Not sent: 30, items 0–29 on web.');
});

test.each([
	['add', 3],
	['remove', 2],
] as const)('Stop ends a run that waits for the store: %s, call %d', async (...call) => {
	const order = { parameters: { ...once, options: { concurrency: 2 } } };
	await stopLookUp(call, async (course) => await node.start({ ...order, ...course }));
	const next = saidBy(await node.start(order));
	expect(next).toHaveLength(30);
	const arrivals = [...arrivalsByPush(node.sandbox.record).values()];
	expect(Math.max(...arrivals.map(({ length }) => length))).toBe(1);
	const inDoubt = next.filter((words) => words.includes('unknown'));
	expect(arrivals.length + inDoubt.length).toBeGreaterThanOrEqual(30);
	expect(inDoubt.length).toBeLessThanOrEqual(10);
});
