import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { N8nRefusal } from '../../scripts/n8n/client';
import type { N8nProcess } from '../../scripts/n8n/process';
import { say } from '../../scripts/steps';
import type { Run } from '../live/run';
import type { Cluster } from './cluster';
import { accountOf, assertTold, calledUnknown, startExecutions, type Started } from './executions';

const load = {
	executions: 3,
	rowsEach: 40,
	// Without it, a retry in n8n 2.8 has nothing to begin with.
	settings: { saveExecutionProgress: true },
};
const MINUTE_MS = 60_000;
/** A process that goes on sends something within this time. */
const QUIET_MS = 8_000;

/** Loses a worker, and settles once it is back, if it comes back. */
type Loss = (worker: N8nProcess) => Promise<void>;

const asleep: Loss = async ({ pid, ended }) => {
	process.kill(pid, 'SIGSTOP');
	const hasEnded = await Promise.race([sleep(MINUTE_MS), ended]);
	if (hasEnded === undefined) process.kill(pid, 'SIGCONT');
};

/** In the middle of executions, which are retried before it is back and after. */
const workerLost = (name: string, lose: Loss) => async (cluster: Cluster) => {
	const { sandbox, workers } = cluster;
	sandbox.reset();
	sandbox.configure({ latencyMs: 500 });
	const start = async (path: string, once: object) => {
		const parameters = { ...once, options: { concurrency: 2 } };
		return await startExecutions(cluster, `${name}-${path}`, { ...load, parameters });
	};
	const plain = await start('plain', {});
	const once = await start('once', { sendOnce: true, sendOnceKey: 'welcome' });
	const all = [plain, once];
	const count = all.flatMap(({ rows }) => rows).length;
	await cluster.untilRequests(count / 3);
	const [worker] = workers.splice(0, 1);
	assert.ok(worker);
	const back = lose(worker);
	const begun = (await Promise.all(all.map(async (started) => await started.listed()))).flat();
	const log = readFileSync(worker.logFile, 'utf8');
	const hit = begun.filter(({ id }) => log.includes(`Worker started execution ${id} `));
	assert.ok(hit.length > 0, 'the worker was executing');
	say(`    lost with ${hit.length} of ${begun.length}, ${sandbox.accepted().length} accepted`);
	// With it, n8n 2 calls them crashed, and their retries have what the executions had stored.
	await cluster.startWorker();

	await once.again();
	await retryAll(cluster, all, 'while it is gone');
	await back;
	for (let before = -1; sandbox.record.length !== before; await sleep(QUIET_MS))
		before = sandbox.record.length;
	await retryAll(cluster, all, 'after it came back');
	await once.again();
	for (const started of all) {
		const attempts = await started.settled(load.executions);
		const { doubled, lost } = accountOf(sandbox, started.rows);
		const inDoubt = calledUnknown(attempts);
		const unnamed = lost.filter((user) => !inDoubt.has(user));
		const ends = attempts.map(({ id, status }) => `${id} ${status}`).join(', ');
		say(`    ${lost.length} not reached, ${inDoubt.size} called unknown; ${ends}`);
		assert.deepEqual(doubled, [], 'nobody is reached twice');
		assertTold(sandbox, attempts);
		// Without Send Once, n8n may end an execution without items, and run nothing in its retry.
		if (started === once) assert.deepEqual(unnamed, [], 'everyone is reached or called unknown');
	}
};

/** As a person does who goes through the list of executions. */
async function retryAll(cluster: Cluster, all: Started[], when: string): Promise<void> {
	for (const started of all) {
		const ended = await started.settled(load.executions);
		const failed = ended.filter(({ status }) => status !== 'success');
		const retry = async (run: Run) =>
			await cluster.retry(run).then(
				({ status }) => status,
				(error: unknown) => {
					// One that the worker ended after all.
					if (error instanceof N8nRefusal) return 'refused';
					throw error;
				},
			);
		say(`    ${when}, retried: ${(await Promise.all(failed.map(retry))).join(', ')}`);
	}
}

export const killedWorker = workerLost('killed', async (worker) => await worker.kill());
export const sleepingWorker = workerLost('asleep', asleep);
