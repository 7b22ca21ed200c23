import assert from 'node:assert/strict';
import type { Sandbox } from '../../../sandbox/index';
import {
	assertSucceeded,
	outcomesOf,
	retry,
	runByWebhook,
	usersReached,
	type Bench,
	type Run,
} from '../bench';
import { createForRows, createFromSource, pushNode } from '../rows';
import { startRowSource, type RowSource } from '../rowSource';
import { makeRows } from '../../../scripts/n8n/workflows';

const ROWS = 12;

// One at a time, so that it is certain which rows had been sent when one was refused.
const push = pushNode({ options: { concurrency: 1 } });

/** Each retry in n8n begins with the data of the retried execution, without what its other retries have sent. */
export async function retriesInAnyOrder(bench: Bench): Promise<void> {
	const path = 'retry-any-order';
	const stored = await createForRows(bench, path, push);
	const body = { rows: makeRows(path, ROWS) };
	const first = await runByWebhook(bench, stored, path, body, (sandbox) =>
		refuseOnce(sandbox, path, [3, 6, 9]),
	);
	assertFailed(first, path, [0, 1, 2]);

	const second = await retry(bench, first);
	assertFailed(second, path, [3, 4, 5]);
	const firstAgain = await retry(bench, first);
	assertFailed(firstAgain, path, [6, 7, 8]);
	assertComplete(await retry(bench, second), path, [9, 10, 11]);
	assertComplete(await retry(bench, first), path, []);
	assertComplete(await retry(bench, firstAgain), path, []);
}

/** The retried execution never reached the messaging node, so it has no record for its retries. */
export async function retriesOfEarlierFailure(bench: Bench): Promise<void> {
	const path = 'retry-earlier-node';
	await withRowSource(path, async (source) => {
		const first = await failBeforePush(bench, path, source, [4, 8]);
		const second = await retry(bench, first);
		assertFailed(second, path, [0, 1, 2, 3]);
		const firstAgain = await retry(bench, first);
		assertFailed(firstAgain, path, [4, 5, 6, 7]);
		assertComplete(await retry(bench, second), path, [8, 9, 10, 11]);
		assertComplete(await retry(bench, first), path, []);
	});
}

async function failBeforePush(
	bench: Bench,
	path: string,
	source: RowSource,
	refused: number[],
): Promise<Run> {
	const stored = await createFromSource(bench, path, source.url, push);
	const first = await runByWebhook(bench, stored, path, {}, (sandbox) =>
		refuseOnce(sandbox, path, refused),
	);
	assert.equal(first.data.resultData.runData.Push, undefined, 'the node before it failed');
	assertFailed(first, path, []);
	source.isDown = false;
	return first;
}

async function withRowSource(
	path: string,
	work: (source: RowSource) => Promise<void>,
): Promise<void> {
	const source = await startRowSource(makeRows(path, ROWS));
	try {
		await work(source);
	} finally {
		await source.close();
	}
}

function refuseOnce({ faults }: Sandbox, path: string, indexes: number[]): void {
	for (const user of usersOf(path, indexes))
		faults.add({ kind: 'status', status: 400, first: 1, match: { bodyText: `"${user}"` } });
}

function assertFailed(run: Run, path: string, sent: number[]): void {
	assert.equal(run.status, 'error');
	assert.deepEqual(
		usersReached(run),
		usersOf(path, sent),
		'it reaches those whom no other execution has reached, up to the refused row',
	);
}

function assertComplete(run: Run, path: string, sent: number[]): void {
	assertSucceeded(run);
	assert.deepEqual(
		usersReached(run),
		usersOf(path, sent),
		'it reaches those whom no other execution has reached',
	);
	const expected = Array.from({ length: ROWS }, () => 'accepted');
	assert.deepEqual(outcomesOf(run, 'Done'), expected, 'it reports what other executions sent, too');
}

const usersOf = (path: string, indexes: number[]) => indexes.map((index) => `${path}-${index}`);
