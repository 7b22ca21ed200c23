import assert from 'node:assert/strict';
import { freePort } from '../../../scripts/n8n/ports';
import { editFields, eachRow, makeRows, manualTrigger } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { goingOn, pushNode } from '../nodes';
import { nightlyWaiting } from '../scenario';

nightlyWaiting('A run by hand names a wrong address within half a minute', async (bench) => {
	const own = await bench.at({ pushUrl: `http://127.0.0.1:${await freePort()}` });
	const jsonOutput = JSON.stringify({ body: { rows: makeRows('wrong-address', 60) } });
	const rows = editFields('Rows', { mode: 'raw', jsonOutput, options: {} });
	const push = pushNode({}, goingOn);
	const stored = await own.store('wrong-address', manualTrigger('By hand'), rows, eachRow, push);
	const startedMs = Date.now();
	const run = await own.ended(await own.client.runByHand(stored, 'By hand'));
	const seconds = (Date.now() - startedMs) / 1_000;
	say(`    told after ${seconds.toFixed(1)} s`);
	// It waits for half a minute, and a busy machine is slow.
	assert.ok(seconds < 50, `it took ${seconds} s`);
	assert.deepEqual(run.outcomes('Push'), Array(60).fill('notSent'));
	for (const [error, details] of run.values('Push', 'error', 'details')) {
		const { description } = details as { description: string };
		assert.match(String(error), /^No connection to /);
		assert.match(description, /start the workflow again with the items/);
		assert.doesNotMatch(description, /retry/i);
	}
});
