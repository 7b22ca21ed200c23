import assert from 'node:assert/strict';
import type { Bench } from '../bench';
import {
	manualTrigger,
	messaging,
	noOp,
	pushToAll,
	rowsFrom,
} from '../../../scripts/n8n/workflows';
import { withRowSource } from '../rowSource';
import { newest } from '../scenario';

/** n8n calls the mode of every retry `retry`, whether the first run was a test run or not. */
newest('The retry of a test run is still a test run', testRunStaysTestRun);
export async function testRunStaysTestRun(bench: Bench): Promise<void> {
	await withRowSource([], async (source) => {
		const nodes = [manualTrigger('By hand'), rowsFrom(source.url)];
		const stored = await bench.store(
			'retry-test-run',
			...nodes,
			messaging('Broadcast', pushToAll),
			noOp('Done'),
		);
		let last = await bench.byHand(stored);
		assert.equal(last.status, 'error');
		assert.ok(!last.hasRun('Broadcast'), 'the node before it failed');

		source.isDown = false;
		for (let retries = 0; last.status !== 'success' && retries < 2; retries++) {
			last = await bench.retry(last);
			assert.deepEqual(last.arrivals, [], 'the retry of a test run sends nothing');
			// The output says so, because nobody may think that the message was sent.
			if (last.status !== 'success') assert.match(last.failure, /by hand|test run/i);
			else assert.deepEqual(last.outcomes(), ['preview', 'preview', 'preview']);
		}
	});
}
