import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../scripts/steps';
import type { Cluster } from './cluster';
import { accountOf, reportedUnknown, settled, startExecutions } from './executions';

const parameters = { sendOnce: true, sendOnceKey: 'welcome' };
const load = { executions: 6, rowsEach: 60, authentication: 'partnerToken', parameters } as const;
const total = load.executions * load.rowsEach;

/** A worker is killed in the middle, and the same rows come again. */
export async function sendOnceAfterKill(cluster: Cluster): Promise<void> {
	const { client, sandbox, workers } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: 300 });
	const started = await startExecutions(cluster, 'send-once-killed', load);
	while (sandbox.record.length < total / 3) await sleep(20);
	const [worker] = workers;
	assert.ok(worker);
	await worker.kill();
	say(`    killed after ${accountOf(sandbox, started.rows).accepted} of ${total} pushes`);
	await settled(client, started, load.executions, 120_000);
	const between = accountOf(sandbox, started.rows);
	say(`    ${between.accepted} accepted when n8n had dealt with it`);

	sandbox.configure({ latencyMs: 0 });
	await started.again();
	const executions = await settled(client, started, 2 * load.executions, 120_000);
	const { accepted, doubled, lost } = accountOf(sandbox, started.rows);
	const unknown = new Set(executions.flatMap(reportedUnknown));
	say(
		`    after the same rows again: ${accepted} accepted, ${doubled.length} people twice, ${lost.length} never, ${unknown.size} called unknown`,
	);
	assert.deepEqual(doubled, [], 'nobody is reached twice');
	assert.deepEqual(
		lost.filter((user) => !unknown.has(user)),
		[],
		'everyone is reached or called unknown',
	);
}

/** Two executions with the same rows at the same time, each on any worker: n8n's store has no transaction. */
export async function sameRowsAtOnce(cluster: Cluster): Promise<void> {
	const { client, sandbox } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: 100 });
	const race = { ...load, executions: 2, rowsEach: 200, sameRows: true };
	const started = await startExecutions(cluster, 'send-once-race', race);
	const executions = await settled(client, started, race.executions, 120_000);
	sandbox.configure({ latencyMs: 0 });
	const { doubled, lost } = accountOf(sandbox, started.rows);
	const unknown = new Set(executions.flatMap(reportedUnknown));
	say(
		`    ${doubled.length} of ${race.rowsEach} people twice, ${unknown.size} called unknown by one of the two executions`,
	);
	assert.deepEqual(
		lost.filter((user) => !unknown.has(user)),
		[],
		'everyone is reached or called unknown',
	);
}
