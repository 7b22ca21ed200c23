import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { makeRows, type Row } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { outcomesOf, output, startUntil, usersReached, type Bench, type Run } from '../bench';
import { createForRows, pushNode } from '../rows';
import { withService } from './outages';

/** In minutes. */
const MAX_WAIT = 0.2;
const MAX_WAIT_MS = MAX_WAIT * 60_000;
/** Starting an execution, and storing how it ended. */
const OVERHEAD_MS = 6_000;
const DELAY_MS = 30_000;

/** One run holds a key because its request hangs. Another one sends its other rows, and gives up that one. */
export async function keyHeldByHangingRequest(bench: Bench): Promise<void> {
	await withService(bench, async (own) => {
		const path = 'once-held-hang';
		const stored = await createKeyed(own, path);
		const rows = makeRows(path, 6);
		const held = rows.slice(0, 1);
		own.sandbox.faults.add({
			kind: 'delay',
			delayMs: DELAY_MS,
			match: { bodyText: `"${path}-0"` },
		});
		const holding = await startUntil(own, stored, path, { rows: held.map(patient) }, 1);
		const { run, tookMs } = await timed(own, stored, path, rows.map(impatient));
		say(
			`    with Max Wait ${MAX_WAIT_MS / 1000} s, the second run ended after ${seconds(tookMs)} s: ${outcomesOf(run).join(', ')}`,
		);
		assertKeyInUse(run, tookMs, holding);
		assert.deepEqual(
			outcomesOf(run).slice(1),
			rows.slice(1).map(() => 'accepted'),
		);
		assert.deepEqual(
			usersReached(run).sort(),
			rows.slice(1).map(({ userID }) => userID),
			'the other rows are sent meanwhile',
		);
		await assertThenSkipped(own, stored, path, { holding, rows });
	});
}

const patient = (row: Row) => ({ ...row, maxWait: 10 });
const impatient = (row: Row) => ({ ...row, maxWait: MAX_WAIT });
const seconds = (ms: number) => (ms / 1000).toFixed(1);

async function createKeyed(bench: Bench, path: string): Promise<StoredWorkflow> {
	const options = { concurrency: 1, requestTimeout: 120, maxWait: '={{ $json.maxWait }}' };
	const once = { sendOnce: true, sendOnceKey: 'spring sale', options };
	return await createForRows(bench, path, pushNode(once, { onError: 'continueRegularOutput' }));
}

/** Runs the workflow while other executions of it go on. */
async function timed(
	bench: Bench,
	stored: StoredWorkflow,
	path: string,
	rows: object[],
): Promise<{ run: Run; tookMs: number }> {
	const { client, sandbox } = bench;
	const earlier = sandbox.record.length;
	const startedAt = Date.now();
	const id = await startUntil(bench, stored, path, { rows }, earlier);
	const execution = await client.finished(id);
	const tookMs = Date.now() - startedAt;
	return { run: { id, ...execution, arrivals: sandbox.record.slice(earlier) }, tookMs };
}

function assertKeyInUse(run: Run, tookMs: number, holding: string): void {
	const { error, details } = (output(run.data, 'Push')[0]?.json ?? {}) as {
		error?: string;
		details?: { outcome: string; reason: string; message: string };
	};
	assert.match(String(error), /^Another run was sending a message with the same 'Send Once Key'/);
	assert.deepEqual(
		[details?.outcome, details?.reason, details?.message],
		['notSent', 'keyInUse', `execution ${holding} is sending it`],
	);
	assert.ok(tookMs >= MAX_WAIT_MS && tookMs <= MAX_WAIT_MS + OVERHEAD_MS, `it took ${tookMs} ms`);
}

/** Once the run that holds the key has sent, the next run skips its message. */
async function assertThenSkipped(
	bench: Bench,
	stored: StoredWorkflow,
	path: string,
	{ holding, rows }: { holding: string; rows: Row[] },
): Promise<void> {
	const { status } = await bench.client.finished(holding);
	assert.equal(status, 'success');
	const { run } = await timed(bench, stored, path, rows.map(impatient));
	assert.deepEqual(
		outcomesOf(run),
		rows.map(() => 'skipped'),
	);
	const reached = bench.sandbox.accepted().map(({ body }) => (body as { user_id: string }).user_id);
	const twice = reached.filter((user, index) => reached.indexOf(user) !== index);
	say(`    then: ${rows.length} skipped, ${reached.length} reached in all, ${twice.length} twice`);
	assert.deepEqual(twice, []);
}
