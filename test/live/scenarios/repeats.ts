import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	eachRow,
	makeRows,
	manualTrigger,
	messaging,
	noOp,
	pushToAll,
	rowsFrom,
	scheduleTrigger,
	workflow,
} from '../../../scripts/n8n/workflows';
import {
	assertNobodyTwice,
	assertSucceeded,
	create,
	ended,
	hintsOf,
	hintTexts,
	outcomesOf,
	runByHand,
	succeeded,
	toldOf,
	untilRequests,
	usersOf,
	usersReached,
	withLatency,
	type Bench,
} from '../bench';
import { pushNode } from '../rows';
import { withRowSource } from '../rowSource';

const BY_HAND = 'By hand';
const goesToDone = (node = pushNode()) => [eachRow, node, noOp('Done')];

/** Somebody sends a list by hand, stops it, and executes it again with a corrected row. */
export async function listByHandAgain(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const [, ...others] = makeRows('list-by-hand', 40);
	await withRowSource(makeRows('list-by-hand', 40), async (source) => {
		source.isDown = false;
		const nodes = [manualTrigger(BY_HAND), rowsFrom(source.url), ...goesToDone()];
		const stored = await client.createWorkflow(workflow('by-hand', nodes, bench.credentialIds));
		sandbox.reset();
		await withLatency(bench, 200, async () => {
			const id = await client.runByHand(stored, BY_HAND);
			await untilRequests(bench, 12);
			await client.stopExecution(id);
			await client.finished(id);
			await sleep(1_000);
		});
		const before = usersReached({ arrivals: [...sandbox.record] });
		assert.ok(before.length < 40, `${before.length} sent before Stop`);

		const corrected = { userID: 'list-by-hand-corrected', city: 'Berlin' };
		const rows = [...others, corrected];
		source.rows = rows;
		const second = await succeeded(runByHand(bench, stored, BY_HAND));
		const after = usersReached(second);
		assertNobodyTwice([...before, ...after]);
		assert.ok(after.includes(corrected.userID));
		// Stop breaks off what is in flight. Whether it arrives nobody knows, and the second run says so.
		const inDoubt = toldOf(second).flatMap(([id, said]) => (said === 'skipped unknown' ? id : []));
		assert.ok(inDoubt.length <= 10, `${inDoubt.length} in doubt`);
		const known = [...before, ...after, ...inDoubt];
		const missing = usersOf(rows).filter((id) => !known.includes(id));
		assert.deepEqual(missing, [], 'everybody is reached or named');
		assert.match(
			hintTexts(second),
			/^(?:.*\n)*\d+ of these 40 got this message from this node today; \d+ were sent now\. To send it to everyone again on purpose, turn on 'Send Duplicates'/,
		);
		assert.deepEqual((await succeeded(runByHand(bench, stored, BY_HAND))).arrivals, []);

		// One recipient alone is always sent.
		source.rows = [corrected];
		assert.deepEqual(usersReached(await runByHand(bench, stored, BY_HAND)), [corrected.userID]);
	});
}

/** The node fails by hand, and then a later step is executed, for which n8n runs the node again with all rows. */
export async function laterStepAfterError(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const rows = makeRows('later-step', 6);
	await withRowSource(rows, async (source) => {
		source.isDown = false;
		const push = pushNode({ options: { concurrency: 1 } });
		const nodes = [manualTrigger(BY_HAND), rowsFrom(source.url), ...goesToDone(push)];
		const made = workflow('later-step', nodes, bench.credentialIds);
		// n8n reads what is pinned without asking whether there is anything.
		const stored = await client.createWorkflow({ ...made, pinData: {} });
		sandbox.reset();
		const match = { bodyText: 'later-step-3' };
		sandbox.faults.add({ kind: 'status', status: 400, match, first: 1 });
		const failed = await ended(bench, await client.runByHand(stored, BY_HAND));
		assert.equal(failed.status, 'error');
		assert.deepEqual(usersReached(failed), usersOf(rows.slice(0, 3)));

		sandbox.reset();
		const again = await succeeded(ended(bench, await client.runStep(stored, 'Done', failed.data)));
		assertNobodyTwice([failed, again].flatMap(usersReached));
		// Earlier versions do not run the failed node again.
		if (!bench.version.startsWith('2.41')) return;
		assert.deepEqual(usersReached(again), usersOf(rows.slice(3)));
		assert.match(
			hintTexts(again),
			/3 of these 6 got this message from this node today; 3 were sent now/,
		);
	});
}

const broadcast = [messaging('Push', { ...pushToAll, platforms: ['web'] }), noOp('Done')];

/** A schedule fires while its workflow is replaced by a newer version, and again. */
export async function scheduleTwice(bench: Bench): Promise<void> {
	const { client, sandbox, credentialIds } = bench;
	const every = (secondsInterval: number) => {
		const rule = { interval: [{ field: 'seconds', secondsInterval }] };
		return workflow(
			'schedule',
			[scheduleTrigger('Schedule', { rule }), ...broadcast],
			credentialIds,
		);
	};
	const untilExecutions = async (id: string, least: number) => {
		while ((await client.executions(id)).length < least) await sleep(100);
	};
	sandbox.reset();
	const stored = await create(bench, every(2));
	await untilExecutions(stored.id, 1);
	await client.updateNodes({ ...stored, nodes: every(1).nodes });
	await untilExecutions(stored.id, 3);
	await client.deactivate(stored.id);
	const executions = await client.executions(stored.id);
	const runs = await Promise.all(executions.map(async (one) => await ended(bench, one.id)));
	for (const run of runs) assertSucceeded(run);
	const outcomes = runs.flatMap((run) => outcomesOf(run, 'Done')).sort();
	assert.deepEqual(outcomes, ['accepted', ...outcomes.slice(1).map(() => 'skipped')]);
	assert.equal(sandbox.accepted().length, 1, 'the broadcast went out once');
	const warnings = runs.flatMap((run) => hintsOf(run)).filter(({ type }) => type === 'warning');
	assert.equal(warnings.length, runs.length - 1);
}
