import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { goingOn, pushNode } from '../nodes';
import { withRowSource } from '../rowSource';
import { usersOf, usersReached, type Run, assertNobodyTwice } from '../run';
import { everywhere, newest } from '../scenario';

const ROWS = 12;

// One at a time, so that it is certain which rows had been sent when one was refused.
const push = pushNode({ options: { concurrency: 1 } });
const twoAtOnce = { options: { concurrency: 2 } };
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
everywhere('Retries from the list, in any order, reach every user exactly once', retriesInAnyOrder);
export async function retriesInAnyOrder(bench: Bench): Promise<void> {
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
}

/** Of an execution that never reached the node, and of one that has sent three rows. */
newest('Retry pressed twice at once reaches nobody twice', retriedTwiceAtOnce);
export async function retriedTwiceAtOnce(bench: Bench): Promise<void> {
	for (const [path, once] of [
		['retry-twice', {}],
		['retry-twice-once', spring],
	] as const) {
		await withRowSource(makeRows(path, ROWS), async (source) => {
			const node = pushNode({ ...once, ...twoAtOnce }, goingOn);
			const first = await bench.run(await bench.fromSource(path, source.url, node), {});
			assert.ok(!first.hasRun('Push'), 'the node before it failed');
			source.isDown = false;
			await assertTwiceAtOnce(bench, path, first);
		});
	}
	const path = 'retry-twice-refused';
	const stored = await bench.forRows(path, push);
	const body = { rows: makeRows(path, ROWS) };
	const first = await bench.run(stored, body, refuseOnce(path, [3]));
	assertFailed(first, path, [0, 1, 2]);
	await bench.replaceNode(stored, pushNode(twoAtOnce, goingOn));
	await assertTwiceAtOnce(bench, path, first, 3);
}

/** One of both retries sends each row. The other waits for it or, on another worker, may call it unknown. */
async function assertTwiceAtOnce(bench: Bench, path: string, first: Run, sent = 0): Promise<void> {
	const retryOnce = async () => await bench.retry(first, sent > 0);
	const both = async () => await Promise.all([retryOnce(), retryOnce()]);
	const runs = await bench.withLatency(300, both);
	runs.push(await retryOnce());
	const everyone = usersOf(makeRows(path, ROWS));
	const reached = usersReached(bench.sandbox.record);
	assert.deepEqual(reached.sort(), [...everyone].sort(), 'everybody once');
	const told = runs.map((run) => run.told());
	for (const row of everyone.keys()) {
		const [last, ...others] = told.map((one) => one[row]?.[1]).reverse();
		assert.equal(last, 'accepted before');
		const sentByOne = /^accepted, (accepted before|unknown( before)?)$/;
		const expected = row < sent ? /^accepted before, accepted before$/ : sentByOne;
		assert.match(others.sort().join(', '), expected);
	}
}

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

/** n8n runs the whole node again. Messages that were accepted in the first try must not be sent again. */
everywhere('Retry On Fail reaches every user exactly once', async (bench) => {
	const rows = makeRows('retry', 30);
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
	const refused = refuseOnce('retry', [12]);
	const run = await bench.runRows('retry-on-fail', pushNode({}, settings), rows, refused);
	assert.equal(run.succeeded().arrivals.length, rows.length + 1, 'one was tried twice');
	assert.deepEqual(run.reached.sort(), usersOf(rows).sort(), 'each user exactly once');
	assert.equal(run.items().length, rows.length);
});

const pushesFrom = (bench: Bench, name: string, url: string, push = pushNode()) => {
	const nodes = [manualTrigger('By hand'), rowsFrom(url), eachRow, push, noOp('Done')];
	return workflow(name, nodes, bench.credentialIds);
};

newest('A list by hand that was stopped and corrected reaches nobody twice', async (bench) => {
	const { client, sandbox } = bench;
	const first = makeRows('list-by-hand', 40);
	await withRowSource(first, async (source) => {
		source.isDown = false;
		const stored = await client.createWorkflow(pushesFrom(bench, 'by-hand', source.url));
		sandbox.reset();
		await bench.withLatency(200, async () => {
			const id = await client.runByHand(stored, 'By hand');
			await bench.untilRequests(12);
			await client.stopExecution(id);
			await client.finished(id);
			await sleep(1_000);
		});
		const before = usersReached(sandbox.record);
		assert.ok(before.length < 40, `${before.length} sent before Stop`);

		const corrected = { userID: 'list-by-hand-corrected', city: 'Berlin' };
		const rows = [...first.slice(1), corrected];
		source.rows = rows;
		const second = (await bench.byHand(stored)).succeeded();
		const after = second.reached;
		assertNobodyTwice([...before, ...after]);
		assert.ok(after.includes(corrected.userID));
		// Stop breaks off what is in flight. Whether it arrives nobody knows, and the second run says so.
		const inDoubt = second.told().flatMap(([id, said]) => (said === 'skipped unknown' ? id : []));
		assert.ok(inDoubt.length <= 10, `${inDoubt.length} in doubt`);
		const known = [...before, ...after, ...inDoubt];
		const missing = usersOf(rows).filter((id) => !known.includes(id));
		assert.deepEqual(missing, [], 'everybody is reached or named');
		assert.match(second.hintText(), /^\d+ of these 40 got this message from this node today;/m);
	});
});

/** The node fails by hand, and then a later step is executed, for which n8n runs the node again with all rows. */
newest('A later step that is executed after an error reaches nobody twice', async (bench) => {
	const { client, sandbox } = bench;
	const rows = makeRows('later-step', 6);
	await withRowSource(rows, async (source) => {
		source.isDown = false;
		const push = pushNode({ options: { concurrency: 1 } });
		const made = pushesFrom(bench, 'later-step', source.url, push);
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
