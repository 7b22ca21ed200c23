import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../scripts/steps';
import type { Cluster } from './cluster';
import { accountOf, startExecutions } from './executions';

const load = { executions: 6, rowsEach: 150 };

const MINUTE_MS = 60_000;
const minuteOf = (ms: number) => Math.floor(ms / MINUTE_MS);

/** 900 pushes by six executions on two workers, of which one minute takes 500. */
export async function sharedLimit(cluster: Cluster): Promise<void> {
	const { sandbox } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: [20, 200] });
	// Late in a minute, the next minute would begin anyway and no request would have to wait.
	const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
	if (leftMs < MINUTE_MS / 3) await sleep(leftMs);
	const startedAt = Date.now();
	const started = await startExecutions(cluster, 'shared-limit', load);
	const runs = await started.settled(load.executions, 150_000);
	const { accepted, doubled, lost } = accountOf(sandbox, started.rows);
	const lastAt = Math.max(...sandbox.record.map(({ time }) => time));
	const refused = sandbox.record.filter(({ status }) => status === 429).length;
	say(
		`    ${accepted} accepted in ${((lastAt - startedAt) / 1000).toFixed(1)} s, ${refused} × 429`,
	);
	assert.deepEqual(doubled, [], 'nothing twice');
	assert.deepEqual(lost, [], 'nothing lost');
	for (const run of runs)
		assert.deepEqual(run.succeeded().outcomes('Push'), Array(load.rowsEach).fill('accepted'));
	assert.equal(runs.length, load.executions);
	assert.ok(minuteOf(lastAt) > minuteOf(startedAt), 'the limit made them wait for another minute');
}
