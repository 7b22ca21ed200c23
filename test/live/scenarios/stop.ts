import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../../scripts/steps';
import { startUntil, withLatency, type Bench } from '../bench';
import { createForRows, pushNode } from '../rows';
import { makeRows } from '../../../scripts/n8n/workflows';

const path = 'stopped';
const rows = makeRows('stop', 300);
const WITHIN_MS = 1_000;

/** Stop in the middle of 300 sends, each of which takes the service 400 ms. */
export async function stopIsStop(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const stored = await createForRows(bench, path, pushNode());
	sandbox.reset();
	await withLatency(bench, 400, async () => {
		const id = await startUntil(bench, stored, path, { rows }, 60);
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
