import assert from 'node:assert/strict';
import {
	makeRows,
	manualTrigger,
	messaging,
	noOp,
	pushToAll,
	rowsFrom,
} from '../../../scripts/n8n/workflows';
import type { Bench } from '../bench';
import { pushNode } from '../nodes';
import { startRowSource } from '../rowSource';
import { usersOf, type Run } from '../run';
import { everywhere, newest } from '../scenario';

const rows = makeRows('retry-any-order', 12);
const users = usersOf(rows);

/** It reaches those whom no other execution has reached, up to the refused row. */
function assertFailed(run: Run, from: number, to: number): void {
	assert.equal(run.status, 'error');
	assert.deepEqual(run.reached, users.slice(from, to));
	const before = from > 0 ? `, ${from} of them in an earlier attempt` : '';
	const told = `Accepted: ${to} of ${rows.length}${before}.`;
	assert.ok(run.failure.includes(told), run.failure);
}

/** Each retry in n8n begins with the data of the retried execution, without what its other retries have sent. */
everywhere('Retries from the list, in any order, reach every user exactly once', async (bench) => {
	// One at a time, so that it is certain which rows had been sent when one was refused.
	const push = pushNode({ options: { concurrency: 1 } });
	const first = await bench.runRows('retry-any-order', push, rows, ({ faults }) => {
		for (const row of [3, 6, 9])
			faults.add({ kind: 'status', status: 400, first: 1, match: { bodyText: `"${users[row]}"` } });
	});
	assertFailed(first, 0, 3);
	const second = await bench.retry(first);
	assertFailed(second, 3, 6);
	const firstAgain = await bench.retry(first);
	assertFailed(firstAgain, 6, 9);
	/** It reports what others sent, too. */
	const assertCompletes = async (retried: Run, sent: string[] = []) => {
		const run = (await bench.retry(retried)).succeeded();
		assert.deepEqual(run.reached, sent);
		assert.deepEqual(run.outcomes(), Array(rows.length).fill('accepted'));
	};
	await assertCompletes(second, users.slice(9));
	await assertCompletes(first);
	await assertCompletes(firstAgain);
});

/** n8n calls the mode of every retry `retry`, whether the first run was a test run or not. */
newest('The retry of a test run is still a test run', testRunStaysTestRun);
export async function testRunStaysTestRun(bench: Bench): Promise<void> {
	const source = await startRowSource([]);
	const nodes = [rowsFrom(source.url), messaging('Broadcast', pushToAll), noOp('Done')];
	const stored = await bench.store('retry-test-run', manualTrigger('By hand'), ...nodes);
	const first = await bench.byHand(stored);
	assert.equal(first.status, 'error');
	assert.ok(!first.hasRun('Broadcast'), 'the node before it failed');

	source.isDown = false;
	const retry = (await bench.retry(first)).succeeded();
	assert.deepEqual([retry.arrivals, retry.outcomes()], [[], Array(3).fill('preview')]);
}
