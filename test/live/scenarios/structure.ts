import assert from 'node:assert/strict';
import { makeRows } from '../../../scripts/n8n/workflows';
import { assertEachRowOnce, assertSucceeded, runByWebhook, type Bench } from '../bench';
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
	const stored = await createForRows(bench, 'calling', callNode('once'));
	const run = await runByWebhook(bench, stored, 'calling', { rows });
	assertSucceeded(run);
	assertEachRowOnce(run, rows);
}
