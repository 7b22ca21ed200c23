import assert from 'node:assert/strict';
import type { Sandbox } from '../../../sandbox/index';
import {
	assertSucceeded,
	failureText,
	outcomesOf,
	retry,
	runByWebhook,
	toldOf,
	usersReached,
	withLatency,
	type Bench,
	type Run,
} from '../bench';
import { createForRows, createFromSource, pushNode, replaceNode } from '../rows';
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

/** Of an execution that never reached the node, and of one that has sent three rows. */
export async function retriedTwiceAtOnce(bench: Bench): Promise<void> {
	const goingOn = { onError: 'continueRegularOutput' };
	const once = { sendOnce: true, sendOnceKey: 'spring sale' };
	for (const [path, parameters] of [
		['retry-twice', {}],
		['retry-twice-once', once],
	] as const) {
		await withRowSource(path, async (source) => {
			const node = pushNode({ ...parameters, options: { concurrency: 2 } }, goingOn);
			const first = await failBeforePush(bench, path, source, [], node);
			await assertTwiceAtOnce(bench, path, first);
		});
	}
	const path = 'retry-twice-refused';
	const stored = await createForRows(bench, path, push);
	const body = { rows: makeRows(path, ROWS) };
	const first = await runByWebhook(bench, stored, path, body, (sandbox) =>
		refuseOnce(sandbox, path, [3]),
	);
	assertFailed(first, path, [0, 1, 2]);
	await replaceNode(bench, stored, pushNode({ options: { concurrency: 2 } }, goingOn));
	await assertTwiceAtOnce(bench, path, first, 3);
}

/** One of both retries sends each row. The other waits for it or, on another worker, may call it unknown. */
async function assertTwiceAtOnce(bench: Bench, path: string, first: Run, sent = 0): Promise<void> {
	const retryOnce = async () => await retry(bench, first, sent > 0);
	const both = await withLatency(
		bench,
		300,
		async () => await Promise.all([retryOnce(), retryOnce()]),
	);
	both.push(await retryOnce());
	const everyone = makeRows(path, ROWS).map(({ userID }) => userID);
	const reached = usersReached({ arrivals: [...bench.sandbox.record] });
	assert.deepEqual(reached.sort(), [...everyone].sort(), 'everybody once');
	const told = both.map(toldOf);
	for (const row of everyone.keys()) {
		const [last, ...others] = told.map((one) => one[row]?.[1]).reverse();
		assert.equal(last, 'accepted before');
		const expected = row < sent ? /^accepted before, accepted before$/ : SENT_BY_ONE;
		assert.match(others.sort().join(', '), expected);
	}
}

const SENT_BY_ONE = /^accepted, (accepted before|unknown( before)?)$/;

async function failBeforePush(
	bench: Bench,
	path: string,
	source: RowSource,
	refused: number[],
	node = push,
): Promise<Run> {
	const stored = await createFromSource(bench, path, source.url, node);
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
	const [earlier] = sent;
	if (earlier === undefined) return;
	const before = earlier > 0 ? `, ${earlier} of them in an earlier attempt` : '';
	const told = `Accepted: ${earlier + sent.length} of ${ROWS}${before}.`;
	assert.ok(failureText(run).includes(told), failureText(run));
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
