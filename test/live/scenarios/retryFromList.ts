import assert from 'node:assert/strict';
import type { Sandbox } from '../../../sandbox/index';
import type { NodeJson } from '../../../scripts/n8n/client';
import { makeRows } from '../../../scripts/n8n/workflows';
import {
	assertNobodyTwice,
	failureText,
	outcomesOf,
	retry,
	runByWebhook,
	succeeded,
	toldOf,
	usersOf,
	usersReached,
	withLatency,
	type Bench,
	type Run,
} from '../bench';
import {
	createForRows,
	createFromSource,
	createInLoop,
	createSubWorkflow,
	goingOn,
	pushNode,
	replaceNode,
	runRows,
} from '../rows';
import { withRowSource } from '../rowSource';

const ROWS = 12;

// One at a time, so that it is certain which rows had been sent when one was refused.
const push = pushNode({ options: { concurrency: 1 } });
const twoAtOnce = { options: { concurrency: 2 } };
const spring = { sendOnce: true, sendOnceKey: 'spring sale' };

/** Each retry in n8n begins with the data of the retried execution, without what its other retries have sent. */
export async function retriesInAnyOrder(bench: Bench): Promise<void> {
	const path = 'retry-any-order';
	const first = await runRefusing(bench, path, [3, 6, 9]);
	assertFailed(first, path, [0, 1, 2]);

	const second = await retry(bench, first);
	assertFailed(second, path, [3, 4, 5]);
	const firstAgain = await retry(bench, first);
	assertFailed(firstAgain, path, [6, 7, 8]);
	await assertCompletes(bench, second, path, [9, 10, 11]);
	await assertCompletes(bench, first, path, []);
	await assertCompletes(bench, firstAgain, path, []);
}

/** The retried execution never reached the messaging node, so it has no record for its retries. */
export async function retriesOfEarlierFailure(bench: Bench): Promise<void> {
	const path = 'retry-earlier-node';
	const refused = refuseOnce(path, [4, 8]);
	await afterFailureBefore(bench, path, push, refused, async (first) => {
		const second = await retry(bench, first);
		assertFailed(second, path, [0, 1, 2, 3]);
		const firstAgain = await retry(bench, first);
		assertFailed(firstAgain, path, [4, 5, 6, 7]);
		await assertCompletes(bench, second, path, [8, 9, 10, 11]);
		await assertCompletes(bench, first, path, []);
	});
}

/** Of an execution that never reached the node, and of one that has sent three rows. */
export async function retriedTwiceAtOnce(bench: Bench): Promise<void> {
	for (const [path, once] of [
		['retry-twice', {}],
		['retry-twice-once', spring],
	] as const) {
		const node = pushNode({ ...once, ...twoAtOnce }, goingOn);
		await afterFailureBefore(bench, path, node, undefined, async (first) => {
			await assertTwiceAtOnce(bench, path, first);
		});
	}
	const path = 'retry-twice-refused';
	const stored = await createForRows(bench, path, push);
	const body = { rows: makeRows(path, ROWS) };
	const first = await runByWebhook(bench, stored, body, refuseOnce(path, [3]));
	assertFailed(first, path, [0, 1, 2]);
	await replaceNode(bench, stored, pushNode(twoAtOnce, goingOn));
	await assertTwiceAtOnce(bench, path, first, 3);
}

/** One of both retries sends each row. The other waits for it or, on another worker, may call it unknown. */
async function assertTwiceAtOnce(bench: Bench, path: string, first: Run, sent = 0): Promise<void> {
	const retryOnce = async () => await retry(bench, first, sent > 0);
	const runs = await withLatency(
		bench,
		300,
		async () => await Promise.all([retryOnce(), retryOnce()]),
	);
	runs.push(await retryOnce());
	const everyone = usersOf(makeRows(path, ROWS));
	const reached = usersReached({ arrivals: [...bench.sandbox.record] });
	assert.deepEqual(reached.sort(), [...everyone].sort(), 'everybody once');
	const told = runs.map(toldOf);
	for (const row of everyone.keys()) {
		const [last, ...others] = told.map((one) => one[row]?.[1]).reverse();
		assert.equal(last, 'accepted before');
		const expected = row < sent ? /^accepted before, accepted before$/ : SENT_BY_ONE;
		assert.match(others.sort().join(', '), expected);
	}
}

const SENT_BY_ONE = /^accepted, (accepted before|unknown( before)?)$/;

/** With Stop Workflow, one lost answer in the second round. */
export async function loopGoesOn(bench: Bench): Promise<void> {
	const path = 'loop-goes-on';
	const rows = makeRows(path, 20);
	const stored = await createInLoop(bench, path, push, 4);
	const match = { bodyText: `${path}-7` };
	const first = await runByWebhook(bench, stored, { rows }, ({ faults }) =>
		faults.add({ kind: 'resetAfterAccept', match, first: 1 }),
	);
	assert.equal(first.status, 'error');
	assert.doesNotMatch(failureText(first), /Nothing is left to send/);
	const retried = await succeeded(retry(bench, first));
	const reached = [first, retried].flatMap(usersReached);
	assert.deepEqual(reached.sort(), usersOf(rows).sort(), 'everybody is reached once');
	const outcomes = outcomesOf(retried, 'Done');
	assert.deepEqual(
		outcomes.filter((outcome) => outcome !== 'accepted'),
		['unknown'],
	);
	assert.equal(outcomes.length, rows.length);
}

/** n8n calls the sub-workflow anew, and does not tell it so. One row is refused the first time. */
export async function retryOfCaller(bench: Bench): Promise<void> {
	const reachedWith = async (path: string, once: Record<string, unknown>) => {
		const caller = await createSubWorkflow(bench, `${path}-called`, pushNode(once));
		const first = await runRefusing(bench, path, [7], caller);
		assert.equal(first.status, 'error');
		const again = await succeeded(retry(bench, first));
		assert.equal(outcomesOf(again, 'Done').length, ROWS);
		return [first, again].flatMap(usersReached);
	};
	const reached = await reachedWith('recall-once', spring);
	assertNobodyTwice(reached);
	assert.equal(reached.length, ROWS);
	const without = await reachedWith('recall', {});
	assert.ok(without.length > ROWS, 'without Send Once, people are reached twice');
}

/** n8n runs the whole node again. Messages that were accepted in the first try must not be sent again. */
export async function retryOnFail(bench: Bench): Promise<void> {
	const rows = makeRows('retry', 30);
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
	const match = { bodyText: '"retry-12"' };
	const run = await succeeded(
		runRows(bench, 'retry-on-fail', pushNode({}, settings), rows, ({ faults }) =>
			faults.add({ kind: 'status', status: 400, first: 1, match }),
		),
	);
	const refused = run.arrivals.filter(({ rawBody }) => rawBody.includes(match.bodyText));
	assert.deepEqual(
		refused.map(({ status }) => status),
		[400, 200],
		'refused once, then accepted',
	);
	assert.deepEqual(usersReached(run).sort(), usersOf(rows).sort(), 'each user exactly once');
	assert.equal(run.arrivals.length, rows.length + 1);
	assert.equal(outcomesOf(run, 'Done').length, rows.length);
}

async function runRefusing(bench: Bench, path: string, refused: number[], node = push) {
	return await runRows(bench, path, node, makeRows(path, ROWS), refuseOnce(path, refused));
}

/** The work gets an execution that failed before it reached the node. */
async function afterFailureBefore(
	bench: Bench,
	path: string,
	node: NodeJson,
	prepare: ((sandbox: Sandbox) => void) | undefined,
	work: (first: Run) => Promise<void>,
): Promise<void> {
	await withRowSource(makeRows(path, ROWS), async (source) => {
		const stored = await createFromSource(bench, path, source.url, node);
		const first = await runByWebhook(bench, stored, {}, prepare);
		assert.equal(first.data.resultData.runData.Push, undefined, 'the node before it failed');
		assertFailed(first, path, []);
		source.isDown = false;
		await work(first);
	});
}

const refuseOnce =
	(path: string, rows: number[]) =>
	({ faults }: Sandbox): void => {
		for (const user of named(path, rows))
			faults.add({ kind: 'status', status: 400, first: 1, match: { bodyText: `"${user}"` } });
	};

const named = (path: string, rows: number[]) => rows.map((row) => `${path}-${row}`);

function assertFailed(run: Run, path: string, sent: number[]): void {
	assert.equal(run.status, 'error');
	assert.deepEqual(
		usersReached(run),
		named(path, sent),
		'it reaches those whom no other execution has reached, up to the refused row',
	);
	const [earlier] = sent;
	if (earlier === undefined) return;
	const before = earlier > 0 ? `, ${earlier} of them in an earlier attempt` : '';
	const told = `Accepted: ${earlier + sent.length} of ${ROWS}${before}.`;
	assert.ok(failureText(run).includes(told), failureText(run));
}

async function assertCompletes(
	bench: Bench,
	first: Run,
	path: string,
	sent: number[],
): Promise<void> {
	const run = await succeeded(retry(bench, first));
	assert.deepEqual(
		usersReached(run),
		named(path, sent),
		'it reaches those whom no other execution has reached',
	);
	const expected = Array.from({ length: ROWS }, () => 'accepted');
	assert.deepEqual(outcomesOf(run, 'Done'), expected, 'it reports what other executions sent, too');
}
