import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	eachRow,
	makeRows,
	manualTrigger,
	noOp,
	rowsFrom,
	workflow,
} from '../../../scripts/n8n/workflows';
import type { Bench } from '../bench';
import { pushNode } from '../nodes';
import { withRowSource } from '../rowSource';
import { assertNobodyTwice, usersOf, usersReached } from '../run';
import { newest } from '../scenario';

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
