import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eachRow, makeRows, noOp, rowsFrom } from '../../scripts/n8n/workflows';
import { say } from '../../scripts/steps';
import { goingOn, pushNode } from '../live/nodes';
import { startRowSource } from '../live/rowSource';
import { usersOf, usersReached } from '../live/run';
import type { Cluster } from './cluster';
import { accountOf, assertTold, calledUnknown, startExecutions } from './executions';

const MINUTE_MS = 60_000;
const minuteOf = (ms: number) => Math.floor(ms / MINUTE_MS);

/** 900 pushes by six executions on two workers, of which one minute takes 500. */
export async function sharedLimit(cluster: Cluster): Promise<void> {
	const load = { executions: 6, rowsEach: 150 };
	const { sandbox } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: [20, 200] });
	// Late in a minute, the next minute would begin anyway and no request would have to wait.
	const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
	if (leftMs < MINUTE_MS / 3) await sleep(leftMs);
	const startedAt = Date.now();
	const started = await startExecutions(cluster, 'shared-limit', load);
	const runs = await started.settled(load.executions, 150_000);
	const { doubled, lost } = accountOf(sandbox, started.rows);
	const lastAt = Math.max(...sandbox.record.map(({ time }) => time));
	const refused = sandbox.record.filter(({ status }) => status === 429).length;
	say(`    it took ${((lastAt - startedAt) / 1000).toFixed(1)} s, ${refused} × 429`);
	assert.deepEqual({ doubled, lost }, { doubled: [], lost: [] });
	for (const run of runs)
		assert.deepEqual(run.succeeded().outcomes('Push'), Array(load.rowsEach).fill('accepted'));
	assert.equal(runs.length, load.executions);
	assert.ok(minuteOf(lastAt) > minuteOf(startedAt), 'the limit made them wait for another minute');
}

/**
 * Three executions get the same rows at the same moment, each on any worker. Each round has a workflow of its own, so
 * its first notes are also the first ones in n8n's store.
 */
export async function sameRowsAtOnce(cluster: Cluster): Promise<void> {
	const parameters = { sendOnce: true, sendOnceKey: 'welcome', options: { concurrency: 10 } };
	const race = { executions: 3, rowsEach: 100, sameRows: true, parameters };
	const own = await cluster.withOwnService();
	const { sandbox } = own;
	sandbox.configure({ latencyMs: 100 });
	for (let round = 1; round <= 3; round++) {
		sandbox.reset();
		const started = await startExecutions(own, `send-once-race-${round}`, race);
		const runs = await started.settled(race.executions);
		const { doubled, lost } = accountOf(sandbox, started.rows);
		const unknown = runs.map((run) => calledUnknown([run.succeeded()]).size);
		say(`    round ${round}: ${unknown.join(', ')} called unknown`);
		assertTold(sandbox, runs);
		assert.deepEqual({ doubled, lost }, { doubled: [], lost: [] });
	}
}

/**
 * Two retries at once of an execution that never reached the node. One of them sends each row. The other waits for it or,
 * on another worker, may call it unknown.
 */
export async function retriedTwiceAtOnce(cluster: Cluster): Promise<void> {
	for (const [path, once] of [
		['retry-twice', {}],
		['retry-twice-once', { sendOnce: true, sendOnceKey: 'spring sale' }],
	] as const) {
		const rows = makeRows(path, 12);
		const source = await startRowSource(rows);
		const node = pushNode({ ...once, options: { concurrency: 2 } }, goingOn);
		const nodes = [rowsFrom(source.url), eachRow, node, noOp('Done')];
		const first = await cluster.run(await cluster.behindWebhook(path, nodes), {});
		assert.ok(!first.hasRun('Push'), 'the node before it failed');
		source.isDown = false;
		const retry = async () => await cluster.retry(first);
		cluster.sandbox.configure({ latencyMs: 300 });
		const runs = await Promise.all([retry(), retry()]);
		runs.push(await retry());
		const reached = usersReached(cluster.sandbox.record);
		assert.deepEqual(reached.sort(), usersOf(rows).sort(), 'everybody once');
		const told = runs.map((run) => run.told());
		for (const row of rows.keys()) {
			const [last, ...others] = told.map((one) => one[row]?.[1]).reverse();
			assert.equal(last, 'accepted before');
			assert.match(others.sort().join(', '), /^accepted, (accepted before|unknown( before)?)$/);
		}
	}
}
