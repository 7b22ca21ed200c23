import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../../scripts/steps';
import { create, newExecution, type Bench } from '../bench';
import {
	eachRow,
	messaging,
	noOp,
	pushToRow,
	makeRows,
	webhook,
	workflow,
} from '../../../scripts/n8n/workflows';

const path = 'stopped';
const rows = makeRows('stop', 300);
const WITHIN_MS = 1_000;

/** Stop in the middle of 300 sends, each of which takes the service 400 ms. */
export async function stopIsStop(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const nodes = [webhook(path), eachRow, messaging('Push', pushToRow), noOp('Done')];
	const stored = await create(bench, workflow(path, nodes, bench.credentialIds));
	sandbox.reset();
	sandbox.configure({ latencyMs: 400 });
	try {
		await client.callWebhook(path, { rows });
		const id = await newExecution(client, stored.id, new Set());
		while (sandbox.record.length < 60) await sleep(20);
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
	} finally {
		sandbox.configure({ latencyMs: 0 });
	}
}
