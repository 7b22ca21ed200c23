import assert from 'node:assert/strict';
import { failureText, hintsOf, outcomesOf, retry, runByHand, type Bench, type Run } from '../bench';
import { startRowSource } from '../rowSource';
import {
	manualTrigger,
	messaging,
	noOp,
	pushToAll,
	rowsFrom,
	workflow,
} from '../../../scripts/n8n/workflows';

/** n8n calls the mode of every retry `retry`, whether the first run was a test run or not. */
export async function testRunStaysTestRun(bench: Bench): Promise<void> {
	const source = await startRowSource([]);
	try {
		const nodes = [
			manualTrigger('By hand'),
			rowsFrom(source.url),
			messaging('Broadcast', pushToAll),
			noOp('Done'),
		];
		const stored = await bench.client.createWorkflow(
			workflow('retry-test-run', nodes, bench.credentialIds),
		);
		const byHand = await runByHand(bench, stored, 'By hand');
		assert.equal(byHand.status, 'error');
		assert.equal(byHand.data.resultData.runData.Broadcast, undefined, 'the node before it failed');

		source.isDown = false;
		const retried = await retry(bench, byHand);
		assertNothingSent(retried);
		if (retried.status !== 'success') assertNothingSent(await retry(bench, retried));
	} finally {
		await source.close();
	}
}

/** The output says so, because nobody may think that the message was sent. */
function assertNothingSent(run: Run): void {
	assert.deepEqual(
		run.arrivals.map(({ path }) => path),
		[],
		'the retry of a test run sends nothing',
	);
	if (run.status !== 'success') {
		assert.match(failureText(run), /by hand|test run/i, 'a retry that refuses says why');
		return;
	}
	assert.deepEqual(
		outcomesOf(run, 'Done'),
		pushToAll.platforms.map(() => 'preview'),
	);
	const hints = hintsOf(run, 'Broadcast');
	assert.ok(
		hints.some(({ message }) => message.startsWith('Nothing was sent')),
		`hints: ${JSON.stringify(hints)}`,
	);
}
