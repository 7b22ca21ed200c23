import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../scripts/steps';
import type { Cluster } from './cluster';
import { accountOf, reportedAccepted, settled, startExecutions, type Ended } from './executions';

const load = { executions: 6, rowsEach: 60, authentication: 'partnerToken' } as const;
const total = load.executions * load.rowsEach;
const KILL_AFTER = total / 3;

/**
 * A worker is killed in the middle: what n8n does with its executions decides what this means for the sends, so
 * the figures are shown and only what holds under any of it is asserted.
 */
export async function killedWorker(cluster: Cluster): Promise<void> {
	const { client, sandbox, workers } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: 300 });
	const started = await startExecutions(cluster, 'killed-worker', load);
	while (sandbox.record.length < KILL_AFTER) await sleep(20);
	const [worker] = workers;
	assert.ok(worker);
	await worker.kill();
	const killedAt = Date.now();
	const before = accountOf(sandbox, started.rows);
	say(`    killed after ${before.accepted} of ${total} pushes`);

	const executions = await settled(client, started, load.executions, 120_000);
	const { accepted, doubled, lost } = accountOf(sandbox, started.rows);
	say(
		`    ${((Date.now() - killedAt) / 1000).toFixed(1)} s after the kill: ${accepted} accepted, ${doubled.length} people twice, ${lost.length} of ${total} never`,
	);
	for (const execution of [...executions].reverse()) say(`    ${describe(execution)}`);
	const said = executions.reduce((sum, execution) => sum + reportedAccepted(execution), 0);
	say(`    the executions call ${said} accepted; the service took on ${accepted}`);

	const whole = executions.filter(({ status }) => status === 'success');
	assert.deepEqual(
		whole.map(reportedAccepted),
		whole.map(() => load.rowsEach),
		'an execution that succeeded has sent all its rows',
	);
}

function describe(execution: Ended): string {
	const { id, status, data } = execution;
	const { message } = data.resultData.error ?? {};
	return `execution ${id}: ${status}, ${reportedAccepted(execution)} items accepted${message ? `: ${message}` : ''}`;
}
