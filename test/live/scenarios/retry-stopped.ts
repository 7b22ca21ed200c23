import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../../scripts/steps';
import {
	assertNobodyTwice,
	failureText,
	retry,
	startUntil,
	usersReached,
	withLatency,
	type Bench,
} from '../bench';
import { createForRows, pushNode } from '../rows';
import { makeRows } from '../../../scripts/n8n/workflows';

const path = 'retry-stopped';
const rows = makeRows(path, 30);
/** n8n writes what a stopped execution has done a moment after its status. */
const STORED_WITHIN_MS = 2_000;

/**
 * What the retry of a stopped execution does depends on n8n: 1.123 and 2.8 continue after the stopped node and never run
 * it. 2.41 begins again at the trigger, without anything that the node had stored. On a busy machine, 1.123 sometimes
 * stores nothing of the stopped execution; then the node runs again and refuses to send.
 */
export async function retryOfStopped(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const stored = await createForRows(bench, path, pushNode({ options: { concurrency: 1 } }));
	sandbox.reset();
	const id = await withLatency(bench, 200, async () => {
		const started = await startUntil(bench, stored, path, { rows }, 5);
		await client.stopExecution(started);
		await client.finished(started);
		return started;
	});
	await sleep(STORED_WITHIN_MS);
	const { status, data } = await client.execution(id);
	assert.equal(status, 'canceled');
	const stopped = { id, status, data, arrivals: [...sandbox.record] };

	const retried = await retry(bench, stopped);
	const reached = [...usersReached(stopped), ...usersReached(retried)];
	assertNobodyTwice(reached);
	const ranAgain = retried.data.resultData.runData.Push !== undefined;
	say(
		`    ${usersReached(stopped).length} reached before the stop, ${usersReached(retried).length} by the retry${ranAgain ? '' : ', which does not run the node'}`,
	);
	if (bench.version.startsWith('1.') && retried.status === 'error')
		assert.match(
			failureText(retried),
			/^Nothing more was sent: .+ start the workflow from its trigger/,
		);
	else if (ranAgain) assert.equal(reached.length, rows.length, 'and nobody is left out');
}
