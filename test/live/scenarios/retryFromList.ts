import assert from 'node:assert/strict';
import type { Sandbox } from '../../../sandbox/index';
import {
	makeRows,
	eachRow,
	manualTrigger,
	noOp,
	rowsFrom,
	workflow,
} from '../../../scripts/n8n/workflows';
import type { Bench } from '../bench';
import { pushNode } from '../nodes';
import { withRowSource } from '../rowSource';
import { usersOf, type Run, assertNobodyTwice } from '../run';
import { everywhere, newest } from '../scenario';

const ROWS = 12;

// One at a time, so that it is certain which rows had been sent when one was refused.
const push = pushNode({ options: { concurrency: 1 } });
const spring = { sendOnce: true, sendOnceKey: 'spring sale' };

const named = (path: string, rows: number[]) => rows.map((row) => `${path}-${row}`);

const refuseOnce =
	(path: string, rows: number[]) =>
	({ faults }: Sandbox): void => {
		for (const user of named(path, rows))
			faults.add({ kind: 'status', status: 400, first: 1, match: { bodyText: `"${user}"` } });
	};

const runRefusing = async (bench: Bench, path: string, refused: number[], node = push) =>
	await bench.runRows(path, node, makeRows(path, ROWS), refuseOnce(path, refused));

/** It reaches those whom no other execution has reached, up to the refused row. */
function assertFailed(run: Run, path: string, sent: number[]): void {
	assert.equal(run.status, 'error');
	assert.deepEqual(run.reached, named(path, sent));
	const [earlier = 0] = sent;
	const before = earlier > 0 ? `, ${earlier} of them in an earlier attempt` : '';
	const told = `Accepted: ${earlier + sent.length} of ${ROWS}${before}.`;
	assert.ok(run.failure.includes(told), run.failure);
}

/** It reaches those whom no other execution has reached, and reports what others sent, too. */
async function assertCompletes(bench: Bench, first: Run, path: string, sent: number[] = []) {
	const run = (await bench.retry(first)).succeeded();
	assert.deepEqual(run.reached, named(path, sent));
	assert.deepEqual(run.outcomes(), Array(ROWS).fill('accepted'));
}

/** Each retry in n8n begins with the data of the retried execution, without what its other retries have sent. */
everywhere('Retries from the list, in any order, reach every user exactly once', async (bench) => {
	const path = 'retry-any-order';
	const first = await runRefusing(bench, path, [3, 6, 9]);
	assertFailed(first, path, [0, 1, 2]);
	const second = await bench.retry(first);
	assertFailed(second, path, [3, 4, 5]);
	const firstAgain = await bench.retry(first);
	assertFailed(firstAgain, path, [6, 7, 8]);
	await assertCompletes(bench, second, path, [9, 10, 11]);
	await assertCompletes(bench, first, path);
	await assertCompletes(bench, firstAgain, path);
});

/** n8n calls the sub-workflow anew, and does not tell it so. One row is refused the first time. */
everywhere('A retry of a caller reaches nobody twice with Send Once', async (bench) => {
	const path = 'recall-once';
	const caller = await bench.subWorkflow(`${path}-called`, pushNode(spring));
	const first = await runRefusing(bench, path, [7], caller);
	assert.equal(first.status, 'error');
	const again = (await bench.retry(first)).succeeded();
	assert.equal(again.items().length, ROWS);
	const reached = [...first.reached, ...again.reached];
	assert.deepEqual(reached.sort(), usersOf(makeRows(path, ROWS)).sort(), 'everybody once');
});

/** The node fails by hand, and then a later step is executed, for which n8n runs the node again with all rows. */
newest('A later step that is executed after an error reaches nobody twice', async (bench) => {
	const { client, sandbox } = bench;
	const rows = makeRows('later-step', 6);
	await withRowSource(rows, async (source) => {
		source.isDown = false;
		const nodes = [manualTrigger('By hand'), rowsFrom(source.url), eachRow, push, noOp('Done')];
		const made = workflow('later-step', nodes, bench.credentialIds);
		// n8n reads what is pinned without asking whether there is anything.
		const stored = await client.createWorkflow({ ...made, pinData: {} });
		sandbox.reset();
		const match = { bodyText: 'later-step-3' };
		sandbox.faults.add({ kind: 'status', status: 400, match, first: 1 });
		const failed = await bench.ended(await client.runByHand(stored, 'By hand'));
		assert.equal(failed.status, 'error');
		assert.deepEqual(failed.reached, usersOf(rows.slice(0, 3)));

		sandbox.reset();
		const again = await bench.ended(await client.runStep(stored, 'Done', failed.data));
		assertNobodyTwice([...failed.reached, ...again.succeeded().reached]);
		// Earlier versions do not run the failed node again.
		if (!bench.version.startsWith('2.41')) return;
		assert.deepEqual(again.reached, usersOf(rows.slice(3)));
		const says = /3 of these 6 got this message from this node today; 3 were sent now/;
		assert.match(again.hintText(), says);
	});
});
