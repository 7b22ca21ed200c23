import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../scripts/steps';
import type { Cluster } from './cluster';
import { accountOf, reportedAccepted, settled, startExecutions } from './executions';

const load = { executions: 6, rowsEach: 150, authentication: 'apiKey' } as const;
const total = load.executions * load.rowsEach;

const MINUTE_MS = 60_000;
const minuteOf = (ms: number) => Math.floor(ms / MINUTE_MS);

/** Late in a minute, the next minute would begin anyway and no request would have to wait. */
export async function untilMuchOfMinuteIsLeft(): Promise<void> {
	const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
	if (leftMs < MINUTE_MS / 3) await sleep(leftMs);
}

/** 900 pushes by six executions on two workers, of which one minute takes 500. */
export async function sharedLimit(cluster: Cluster): Promise<void> {
	const { client, sandbox } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: [20, 200] });
	await untilMuchOfMinuteIsLeft();
	const startedAt = Date.now();
	const started = await startExecutions(cluster, 'shared-limit', load);
	const executions = await settled(client, started, load.executions, 150_000);
	const { requests, refusedForLimit, accepted, doubled, lost } = accountOf(sandbox, started.rows);
	const lastAt = Math.max(...sandbox.record.map(({ time }) => time));
	const share = ((100 * refusedForLimit) / requests).toFixed(1);
	say(
		`    ${total} pushes: ${accepted} accepted in ${((lastAt - startedAt) / 1000).toFixed(1)} s, ${doubled.length} doubled, ${lost.length} lost`,
	);
	say(`    ${requests} requests, ${refusedForLimit} of them answered 429 (${share} %)`);

	assert.deepEqual(
		executions.map(({ status }) => status),
		Array.from({ length: load.executions }, () => 'success'),
	);
	assert.deepEqual(doubled, [], 'nothing twice');
	assert.deepEqual(lost, [], 'nothing lost');
	assert.deepEqual(
		executions.map(reportedAccepted),
		executions.map(() => load.rowsEach),
		'the executions say the same',
	);
	assert.ok(minuteOf(lastAt) > minuteOf(startedAt), 'the limit made them wait for another minute');
}
