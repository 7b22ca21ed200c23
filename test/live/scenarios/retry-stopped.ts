import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../../scripts/steps';
import { create, newExecution, retry, usersReached, type Bench } from '../bench';
import {
	eachRow,
	messaging,
	noOp,
	pushToRow,
	makeRows,
	webhook,
	workflow,
} from '../../../scripts/n8n/workflows';

const path = 'retry-stopped';
const rows = makeRows(path, 30);
/** n8n writes what a stopped execution has done a moment after its status. */
const STORED_WITHIN_MS = 2_000;

/**
 * What the retry of a stopped execution does depends on n8n: 1.123 and 2.8 continue after the stopped node and never run
 * it. 2.41 begins again at the trigger, without anything that the node had stored.
 */
export async function retryOfStopped(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const push = messaging('Push', { ...pushToRow, options: { concurrency: 1 } });
	const stored = await create(
		bench,
		workflow(path, [webhook(path), eachRow, push, noOp('Done')], bench.credentialIds),
	);
	sandbox.reset();
	sandbox.configure({ latencyMs: 200 });
	await client.callWebhook(path, { rows });
	const id = await newExecution(client, stored.id, new Set());
	while (sandbox.record.length < 5) await sleep(20);
	await client.stopExecution(id);
	await client.finished(id);
	await sleep(STORED_WITHIN_MS);
	const { status, data } = await client.execution(id);
	sandbox.configure({ latencyMs: 0 });
	assert.equal(status, 'canceled');
	const stopped = { id, status, data, arrivals: [...sandbox.record] };

	const retried = await retry(bench, stopped);
	const reached = [...usersReached(stopped), ...usersReached(retried)];
	assert.deepEqual(
		reached.filter((user, index) => reached.indexOf(user) !== index),
		[],
		'nobody twice',
	);
	const ranAgain = retried.data.resultData.runData.Push !== undefined;
	say(
		`    ${usersReached(stopped).length} reached before the stop, ${usersReached(retried).length} by the retry${ranAgain ? '' : ', which does not run the node'}`,
	);
	if (ranAgain) assert.equal(reached.length, rows.length, 'and nobody is left out');
}
