import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRows } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import {
	assertNobodyTwice,
	outcomesOf,
	runByWebhook,
	startUntil,
	usersReached,
	withLatency,
	type Bench,
	type CrashableBench,
} from '../bench';
import { createForRows, goingOn, pushNode } from '../rows';
import { withService } from '../services';

const WITHIN_MS = 1_000;

/** Stop in the middle of 300 sends, each of which takes the service 400 ms. */
export async function stopIsStop(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const rows = makeRows('stop', 300);
	const stored = await createForRows(bench, 'stopped', pushNode());
	sandbox.reset();
	await withLatency(bench, 400, async () => {
		const id = await startUntil(bench, stored, { rows }, 60);
		const stoppedAt = Date.now();
		await client.stopExecution(id);
		await sleep(3 * WITHIN_MS);

		const last = Math.max(...sandbox.record.map(({ time }) => time)) - stoppedAt;
		say(
			`    ${sandbox.record.length} of ${rows.length} had been sent; the last one ${last} ms after Stop was asked for`,
		);
		assert.ok(last <= WITHIN_MS, `a request arrived ${last} ms after Stop`);
		assert.ok(sandbox.record.length < rows.length / 2, `${sandbox.record.length} were sent`);
		assert.equal((await client.finished(id)).status, 'canceled');
		assert.equal(
			sandbox.record.length,
			new Set(sandbox.record.map(({ rawBody }) => rawBody)).size,
			'none of them twice',
		);
	});
}

/**
 * n8n's Timeout Workflow ends a run in the middle: no items, no error, and a Retry that runs nothing. What remains is
 * the line in the log and, with Send Once, the workflow started again.
 */
export async function timeoutWorkflow(crashable: CrashableBench): Promise<void> {
	await withService(crashable, async (bench) => {
		await timedOut(bench);
		await startedAgain(bench);
	});
}

async function timedOut(bench: CrashableBench): Promise<void> {
	const { client, sandbox } = bench;
	const rows = makeRows('timeout', 400);
	const stored = await createForRows(bench, 'timed-out', pushNode(), { executionTimeout: 6 });
	const send = async () => await runByWebhook(bench, stored, { rows });
	const run = await withLatency(bench, 400, send);
	const stopped = new RegExp(
		`'Push' in workflow .*, execution ${run.id}: The run was stopped, by hand or by Timeout Workflow\\. ` +
			`Accepted: (\\d+) of 400\\.\\n(May have been delivered: .*\\n)?Not sent: (\\d+), items [\\d–]+ on web\\.\\n` +
			'n8n keeps no items of this run\\. Start the workflow again with the items that were not sent, and no others',
	);
	// n8n ends the execution before the node does, on a busy machine long before.
	for (let tries = 0; tries < 30 && !stopped.test(bench.readLog()); tries++) await sleep(WITHIN_MS);
	const line = stopped.exec(bench.readLog());
	const pushes = () =>
		sandbox.record.filter(({ body }) => Object.hasOwn(body as object, 'user_id'));
	const reached = pushes().length;
	say(`    ${reached} of ${rows.length} were reached`);
	assert.ok(reached > 0 && reached < rows.length);
	assert.equal(run.status, 'canceled');
	assert.equal(run.data.resultData.runData.Push, undefined, 'n8n keeps no items');
	assert.ok(line, 'the log names what was not reached');
	// What was in flight may not have arrived.
	const left = rows.length - reached;
	assert.ok(Number(line[3]) <= left && Number(line[3]) >= left - 10, line[0]);

	const retried = await client.retry(run.id);
	assert.equal(retried.status, 'success');
	assert.equal(retried.data.resultData.runData.Push, undefined, 'the retry runs nothing');
	assert.equal(pushes().length, reached, 'the retry sends nothing');
}

/** With Send Once, the workflow is started again until it succeeds. */
async function startedAgain(bench: Bench): Promise<void> {
	const sendOnce = { sendOnce: true, sendOnceKey: 'May newsletter' };
	const node = pushNode(sendOnce, goingOn);
	const rows = makeRows('once', 300);
	// Long enough for a busy machine to end the last run, too short for the first with its latency.
	const stored = await createForRows(bench, 'timed-out-once', node, { executionTimeout: 10 });
	const start = async () => await runByWebhook(bench, stored, { rows });
	let last = await withLatency(bench, 600, start);
	assert.equal(last.status, 'canceled');
	await sleep(2 * WITHIN_MS);
	const users = usersReached({ arrivals: [...bench.sandbox.record] });
	for (let starts = 0; starts < 5 && last.status !== 'success'; starts++) {
		last = await start();
		users.push(...usersReached(last));
	}
	assertNobodyTwice(users);
	// n8n aborts the requests that are in flight, so it is not known whether the service processed them.
	const outcomes = outcomesOf(last);
	const inDoubt = rows.filter((_, index) => outcomes[index] === 'unknown');
	say(`    Started again: ${users.length} of ${rows.length} reached, ${inDoubt.length} in doubt`);
	const known = new Set([...users, ...inDoubt.map(({ userID }) => userID)]);
	assert.equal(known.size, rows.length, 'everybody is reached or named');
}
