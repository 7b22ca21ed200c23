import assert from 'node:assert/strict';
import {
	manualTrigger,
	messaging,
	noOp,
	pushToAll,
	rowsFrom,
	workflow,
} from '../../../scripts/n8n/workflows';
import { failureText, hintTexts, outcomesOf, retry, runByHand, type Bench } from '../bench';
import { withRowSource } from '../rowSource';

/** n8n calls the mode of every retry `retry`, whether the first run was a test run or not. */
export async function testRunStaysTestRun(bench: Bench): Promise<void> {
	await withRowSource([], async (source) => {
		const nodes = [
			manualTrigger('By hand'),
			rowsFrom(source.url),
			messaging('Broadcast', pushToAll),
			noOp('Done'),
		];
		const made = workflow('retry-test-run', nodes, bench.credentialIds);
		const byHand = await runByHand(bench, await bench.client.createWorkflow(made), 'By hand');
		assert.equal(byHand.status, 'error');
		assert.equal(byHand.data.resultData.runData.Broadcast, undefined, 'the node before it failed');

		source.isDown = false;
		for (let last = byHand, retries = 0; last.status !== 'success' && retries < 2; retries++) {
			last = await retry(bench, last);
			assert.deepEqual(last.arrivals, [], 'the retry of a test run sends nothing');
			// The output says so, because nobody may think that the message was sent.
			if (last.status !== 'success') {
				assert.match(failureText(last), /by hand|test run/i, 'a retry that refuses says why');
				continue;
			}
			assert.deepEqual(outcomesOf(last, 'Done'), ['preview', 'preview', 'preview']);
			assert.match(hintTexts(last, 'Broadcast'), /^Nothing was sent/m);
		}
	});
}
