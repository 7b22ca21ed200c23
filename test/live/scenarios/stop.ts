import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRows } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { pushNode } from '../nodes';
import { everywhere, nightlyWaiting } from '../scenario';

const WITHIN_MS = 1_000;

/** Stop in the middle of 300 sends, each of which takes the service 400 ms, and then a retry of what was stopped. */
everywhere('Stop in the middle of 300 sends takes effect within a second', async (bench) => {
	const { client, sandbox } = bench;
	const rows = makeRows('stop', 300);
	const stored = await bench.forRows('stopped', pushNode());
	sandbox.reset();
	await bench.withLatency(400, async () => {
		const id = await bench.startUntil(stored, { rows }, 60);
		const stoppedAt = Date.now();
		await client.stopExecution(id);
		await sleep(3 * WITHIN_MS);

		const last = Math.max(...sandbox.record.map(({ time }) => time)) - stoppedAt;
		const sent = sandbox.record.length;
		say(`    ${sent} of 300 had been sent; the last one ${last} ms after Stop was asked for`);
		assert.ok(last <= WITHIN_MS, `a request arrived ${last} ms after Stop`);
		assert.ok(sent < rows.length / 2, `${sent} were sent`);
		const stopped = await bench.ended(id);
		assert.equal(stopped.status, 'canceled');
		// Only some versions run a stopped node again.
		await bench.retry(stopped);
		const bodies = sandbox.record.map(({ rawBody }) => rawBody);
		assert.equal(bodies.length, new Set(bodies).size, 'none of them twice');
	});
});

/**
 * n8n's Timeout Workflow ends a run in the middle: no items, no error, and a Retry that runs nothing. What remains is
 * the line in the log.
 */
nightlyWaiting(
	'Timeout Workflow ends a run, and the log tells',
	async (crashable) =>
		await crashable.withService(async (bench) => {
			const { sandbox } = bench;
			const rows = makeRows('timeout', 400);
			const push = pushNode({ options: { concurrency: 10 } });
			const stored = await bench.forRows('timed-out', push, { executionTimeout: 6 });
			const run = await bench.withLatency(400, async () => await bench.run(stored, { rows }));
			const stopped = new RegExp(
				`execution ${run.id}: The run was stopped, [^]* Accepted: (\\d+) of 400\\.[^]*\\nNot sent: (\\d+), items`,
			);
			// n8n ends the execution before the node does, on a busy machine long before.
			for (let tries = 0; tries < 30 && !stopped.test(bench.readLog()); tries++)
				await sleep(WITHIN_MS);
			const line = stopped.exec(bench.readLog());
			const pushes = () =>
				sandbox.record.filter(({ body }) => Object.hasOwn(body as object, 'user_id'));
			const reached = pushes().length;
			say(`    ${reached} of ${rows.length} were reached`);
			assert.ok(reached > 0 && reached < rows.length);
			assert.equal(run.status, 'canceled');
			assert.ok(!run.hasRun('Push'), 'n8n keeps no items');
			assert.ok(line, 'the log names what was not reached');
			// What was in flight may not have arrived.
			const left = rows.length - reached;
			assert.ok(Number(line[2]) <= left && Number(line[2]) >= left - 10, line[0]);

			const retried = (await bench.retry(run)).succeeded();
			assert.ok(!retried.hasRun('Push'), 'the retry runs nothing');
			assert.equal(pushes().length, reached, 'the retry sends nothing');
		}),
);
