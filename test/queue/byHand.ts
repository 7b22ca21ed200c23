import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
	calledByWorkflow,
	executeWorkflow,
	manualTrigger,
	messaging,
	noOp,
	pushToAll,
} from '../../scripts/n8n/workflows';
import type { Bench } from '../live/bench';
import { testRunStaysTestRun } from '../live/scenarios/retries';
import type { Cluster } from './cluster';

/** For all processes. n8n 3 knows nothing else. */
export const byHandOnWorkers = { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };

/** Plays a scenario of two executions, both of which must have been a worker's. */
const onWorkers =
	(play: (bench: Bench) => Promise<void>) =>
	async (cluster: Cluster): Promise<void> => {
		const logs = () => cluster.workers.map(({ logFile }) => readFileSync(logFile, 'utf8')).join();
		const started = () => logs().split('Worker started execution').length;
		const before = started();
		await play(cluster);
		assert.equal(started() - before, 2);
	};

async function onlyShown(bench: Bench): Promise<void> {
	const keyed = messaging('Broadcast', { ...pushToAll, sendOnce: true, sendOnceKey: 'Sale' });
	const called = calledByWorkflow('Called', { inputSource: 'passthrough' });
	const inner = await bench.store('shown-called', called, keyed);
	await bench.client.activate(inner);
	const workflowId = { __rl: true, mode: 'id', value: inner.id };
	const mode = { source: 'database', mode: 'once', options: {}, workflowId };
	const call = executeWorkflow('Call', mode);
	for (const node of [messaging('Broadcast', pushToAll), call]) {
		const stored = await bench.store('shown', manualTrigger('By hand'), node, noOp('Done'));
		const run = (await bench.byHand(stored)).succeeded();
		assert.deepEqual([run.arrivals, run.outcomes()], [[], Array(3).fill('preview')]);
	}
}

/** Runs that a person starts by hand on two workers. */
export const runsByHand: Array<[title: string, run: (cluster: Cluster) => Promise<void>]> = [
	['A broadcast by hand on a worker, also in a sub-workflow, is only shown', onWorkers(onlyShown)],
	['The retry of a run by hand on a worker is a run by hand', onWorkers(testRunStaysTestRun)],
];
