import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeJson, StoredWorkflow } from '../../../scripts/n8n/client';
import {
	eachRow,
	makeRows,
	manualTrigger,
	messaging,
	noOp,
	pushToAll,
	rowsFrom,
	scheduleTrigger,
	webhook,
	workflow,
} from '../../../scripts/n8n/workflows';
import {
	assertNobodyTwice,
	assertSucceeded,
	create,
	hintsOf,
	outcomesOf,
	runByHand,
	runByWebhook,
	toldOf,
	usersReached,
	withLatency,
	type Bench,
	type Run,
} from '../bench';
import { pushNode } from '../rows';
import { startRowSource } from '../rowSource';

const hintsIn = (run: Run) =>
	hintsOf(run)
		.map(({ message }) => message)
		.join('\n');
const ids = (...rows: Array<{ userID: string }>) => rows.map(({ userID }) => userID);

/** Somebody sends a list by hand, stops it, and executes it again with a corrected row. */
export async function listByHandAgain(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const rows = makeRows('list-by-hand', 40);
	const source = await startRowSource(rows);
	source.isDown = false;
	try {
		const nodes = [
			manualTrigger('By hand'),
			rowsFrom(source.url),
			eachRow,
			pushNode(),
			noOp('Done'),
		];
		const made = workflow('list-by-hand', nodes, bench.credentialIds);
		const stored = await client.createWorkflow(made);
		const first: Run = await withLatency(bench, 200, async () => {
			sandbox.reset();
			const id = await client.runByHand(stored, 'By hand');
			while (sandbox.record.length < 12) await sleep(20);
			await client.stopExecution(id);
			return { id, ...(await client.finished(id)), arrivals: [] };
		});
		await sleep(1_000);
		const before = usersReached({ arrivals: [...sandbox.record] });
		assert.ok(before.length < rows.length, `${before.length} of ${rows.length} sent before Stop`);

		const [, ...others] = rows;
		const corrected = { userID: 'list-by-hand-corrected', city: 'Berlin' };
		source.rows = [...others, corrected];
		const second = await runByHand(bench, stored, 'By hand');
		assertSucceeded(second);
		const after = usersReached(second);
		assertNobodyTwice([...before, ...after]);
		assert.ok(after.includes(corrected.userID));
		const unreached = ids(...source.rows).filter((id) => ![...before, ...after].includes(id));
		// Stop breaks off what is in flight. Whether it arrives nobody knows, and the second run says so.
		const inDoubt = toldOf(second).flatMap(([id, said]) =>
			said === 'skipped unknown' ? [id] : [],
		);
		assert.deepEqual(
			unreached.filter((id) => !inDoubt.includes(id)),
			[],
			`reached by no run, of ${first.status} and then`,
		);
		assert.ok(inDoubt.length <= 10, `${inDoubt.length} in doubt`);
		assert.match(
			hintsIn(second),
			/^(?:.*\n)*\d+ of these 40 got this message from this node today; \d+ were sent now\. To send it to everyone again on purpose, turn on 'Send Duplicates'/,
		);

		const third = await runByHand(bench, stored, 'By hand');
		assertSucceeded(third);
		assert.deepEqual(third.arrivals, []);

		// One recipient alone is always sent.
		source.rows = [corrected];
		assert.deepEqual(usersReached(await runByHand(bench, stored, 'By hand')), [corrected.userID]);
	} finally {
		await source.close();
	}
}

/** The node fails by hand, and then a later step is executed, for which n8n runs the node again with all rows. */
export async function laterStepAfterError(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const rows = makeRows('later-step', 6);
	const refused = rows[3];
	assert.ok(refused);
	const source = await startRowSource(rows);
	source.isDown = false;
	try {
		const node = pushNode({ options: { concurrency: 1 } });
		const nodes = [manualTrigger('By hand'), rowsFrom(source.url), eachRow, node, noOp('Done')];
		const made = workflow('later-step', nodes, bench.credentialIds);
		// n8n reads what is pinned without asking whether there is anything.
		const stored = await client.createWorkflow({ ...made, pinData: {} });
		sandbox.reset();
		sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { bodyText: refused.userID },
			first: 1,
		});
		const failed = await client.finished(await client.runByHand(stored, 'By hand'));
		assert.equal(failed.status, 'error');
		const before = usersReached({ arrivals: [...sandbox.record] });
		assert.deepEqual(before, ids(...rows.slice(0, 3)));

		sandbox.reset();
		const id = await client.runStep(stored, 'Done', failed.data);
		const again: Run = { id, ...(await client.finished(id)), arrivals: [...sandbox.record] };
		assertSucceeded(again);
		const reached = usersReached(again);
		assertNobodyTwice([...before, ...reached]);
		// Earlier versions do not run the failed node again.
		if (!bench.version.startsWith('2.41')) return;
		assert.deepEqual(reached, ids(...rows.slice(3)));
		assert.match(
			hintsIn(again),
			/3 of these 6 got this message from this node today; 3 were sent now/,
		);
	} finally {
		await source.close();
	}
}

const toWeb = { ...pushToAll, platforms: ['web'] };

/** A webhook is called twice within a millisecond, with one broadcast. */
export async function webhookTwice(bench: Bench): Promise<void> {
	const nodes = [webhook('twice'), messaging('Push', toWeb), noOp('Done')];
	const stored = await create(bench, workflow('twice', nodes, bench.credentialIds));
	await assertOneOf(bench, stored, 2, async () => {
		await Promise.all([1, 2].map(async () => await bench.client.callWebhook('twice', {})));
	});
}

/** A schedule fires while its workflow is replaced by a newer version, and again. */
export async function scheduleTwice(bench: Bench): Promise<void> {
	const { client, credentialIds } = bench;
	const every = (secondsInterval: number) =>
		scheduleTrigger('Schedule', { rule: { interval: [{ field: 'seconds', secondsInterval }] } });
	const nodesOf = (trigger: NodeJson) => [trigger, messaging('Push', toWeb), noOp('Done')];
	await assertOneOf(bench, undefined, 3, async () => {
		const stored = await create(bench, workflow('schedule', nodesOf(every(2)), credentialIds));
		while ((await client.executions(stored.id)).length === 0) await sleep(100);
		const { nodes } = workflow('schedule', nodesOf(every(1)), credentialIds);
		await client.updateNodes({ ...stored, nodes });
		while ((await client.executions(stored.id)).length < 3) await sleep(100);
		await client.deactivate(stored.id);
		return stored;
	});
}

async function assertOneOf(
	{ client, sandbox }: Bench,
	known: StoredWorkflow | undefined,
	least: number,
	work: () => Promise<StoredWorkflow | void>,
): Promise<void> {
	sandbox.reset();
	const stored = (await work()) ?? known;
	assert.ok(stored);
	const executions = await client.executions(stored.id);
	assert.ok(executions.length >= least, `${executions.length} executions`);
	const ended = await Promise.all(
		executions.map(async ({ id }) => ({ id, ...(await client.finished(id)), arrivals: [] })),
	);
	for (const run of ended) assertSucceeded(run);
	const outcomes = ended.flatMap((run) => outcomesOf(run, 'Done')).sort();
	assert.deepEqual(outcomes, ['accepted', ...outcomes.slice(1).map(() => 'skipped')]);
	assert.equal(sandbox.accepted().length, 1, 'the broadcast went out once');
	const warnings = ended.flatMap((run) => hintsOf(run)).filter(({ type }) => type === 'warning');
	assert.equal(warnings.length, ended.length - 1);
}

/** Two branches lead to the node with the same rows. */
export async function branchesOnce(bench: Bench): Promise<void> {
	const rows = makeRows('branches', 10);
	const nodes = [webhook('branches'), eachRow, noOp('A'), noOp('B'), pushNode(), noOp('Done')];
	const wires = {
		Webhook: [['Each row']],
		'Each row': [['A', 'B']],
		A: [['Push']],
		B: [['Push']],
		Push: [['Done']],
	};
	const stored = await create(bench, workflow('branches', nodes, bench.credentialIds, wires));
	const run = await runByWebhook(bench, stored, 'branches', { rows });
	assertSucceeded(run);
	assert.deepEqual(usersReached(run).sort(), ids(...rows).sort());
	assert.deepEqual(outcomesOf(run).sort(), [
		...rows.map(() => 'accepted'),
		...rows.map(() => 'skipped'),
	]);
	assert.match(hintsIn(run), /10 messages were skipped because another branch of the workflow/);
}
