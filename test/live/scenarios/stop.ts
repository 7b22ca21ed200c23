import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRows } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { eventually } from '../../eventually';
import { pushNode } from '../nodes';
import { usersReached } from '../run';
import { everywhere, nightly } from '../scenario';

const WITHIN_MS = 1_000;

/** Stop in the middle of 300 sends, each of which takes the service 400 ms, and then a retry of what was stopped. */
everywhere('Stop in the middle of 300 sends takes effect within a second', async (bench) => {
	const { client, sandbox } = bench;
	const rows = makeRows('stop', 300);
	const stored = await bench.forRows('stopped', pushNode());
	sandbox.reset();
	sandbox.configure({ latencyMs: 400 });
	const id = await bench.call(stored, { rows });
	await bench.untilRequests(60);
	const stoppedAt = Date.now();
	await client.stopExecution(id);
	await sleep(2 * WITHIN_MS);

	const last = Math.max(...sandbox.record.map(({ time }) => time)) - stoppedAt;
	const sent = sandbox.record.length;
	say(`    ${sent} of 300 had been sent; the last one ${last} ms after Stop was asked for`);
	assert.ok(last <= WITHIN_MS, `a request arrived ${last} ms after Stop`);
	assert.ok(sent < rows.length / 2, `${sent} were sent`);
	const stopped = await bench.ended(id);
	sandbox.configure({ latencyMs: 0 });
	assert.equal(stopped.status, 'canceled');
	// Only some versions run a stopped node again.
	await bench.retry(stopped);
	const bodies = sandbox.record.map(({ rawBody }) => rawBody);
	assert.equal(bodies.length, new Set(bodies).size, 'none of them twice');
});

/** n8n's Timeout Workflow ends a run in the middle: no items, and a Retry that runs nothing. The log names the rest. */
nightly('Timeout Workflow ends a run, and the log tells', async (crashable) => {
	const bench = await crashable.withOwnService();
	const { sandbox } = bench;
	const push = pushNode({ options: { concurrency: 10 } });
	const stored = await bench.forRows('timed-out', push, { executionTimeout: 6 });
	sandbox.configure({ latencyMs: 400 });
	const run = await bench.run(stored, { rows: makeRows('timeout', 400) });
	assert.equal(run.status, 'canceled');
	assert.ok(!run.hasRun('Push'), 'n8n keeps no items');
	const told = new RegExp(`execution ${run.id}: The run was stopped, [^]*\\nNot sent: \\d+, items`);
	// n8n ends the execution before the node does, on a busy machine long before.
	await eventually(() => assert.match(bench.readLog(), told));
	const pushes = () => usersReached(sandbox.record).filter(Boolean).length;
	const reached = pushes();
	assert.ok(reached > 0 && reached < 400, `${reached} were reached`);

	const retried = (await bench.retry(run)).succeeded();
	assert.ok(!retried.hasRun('Push'), 'the retry runs nothing');
	assert.equal(pushes(), reached, 'the retry sends nothing');
});
