import assert from 'node:assert/strict';
import { makeRows } from '../../../scripts/n8n/workflows';
import {
	assertEachRowOnce,
	assertNobodyTwice,
	assertSucceeded,
	retry,
	runByWebhook,
	usersReached,
	type Bench,
} from '../bench';
import { createForRows, createInLoop, createSubWorkflow, pushNode } from '../rows';

/** The node inside Loop Over Items: it runs once for each round, in one execution. */
export async function loopOverItems(bench: Bench): Promise<void> {
	const rows = makeRows('loop', 23);
	const stored = await createInLoop(bench, 'loop', pushNode(), 5);
	const run = await runByWebhook(bench, stored, 'loop', { rows });
	assertSucceeded(run);
	assertEachRowOnce(run, rows);
	assert.equal(run.data.resultData.runData.Push?.length, 5, 'rounds');
}

/** The node in a workflow that another one calls. */
export async function subWorkflow(bench: Bench): Promise<void> {
	const rows = makeRows('sub', 12);
	const callNode = await createSubWorkflow(bench, 'called', pushNode());
	const stored = await createForRows(bench, 'calling', callNode);
	const run = await runByWebhook(bench, stored, 'calling', { rows });
	assertSucceeded(run);
	assertEachRowOnce(run, rows);
}

/** n8n calls the sub-workflow anew, and does not tell it so. One row is refused the first time. */
export async function retryOfCaller(bench: Bench): Promise<void> {
	const rows = makeRows('recalled', 10);
	const reachedWith = async (path: string, once: Record<string, unknown>) => {
		const callNode = await createSubWorkflow(bench, `${path}-called`, pushNode(once));
		const stored = await createForRows(bench, path, callNode);
		const first = await runByWebhook(bench, stored, path, { rows }, ({ faults }) =>
			faults.add({ kind: 'status', status: 400, match: { bodyText: 'recalled-7' }, first: 1 }),
		);
		assert.equal(first.status, 'error');
		const again = await retry(bench, first);
		assertSucceeded(again);
		return [first, again].flatMap(usersReached);
	};
	const once = { sendOnce: true, sendOnceKey: 'Spring sale' };
	const reached = await reachedWith('recall-once', once);
	assertNobodyTwice(reached);
	assert.equal(reached.length, rows.length);
	const without = await reachedWith('recall', {});
	assert.ok(without.length > rows.length, 'without Send Once, people are reached twice');
}
