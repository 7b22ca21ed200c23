import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { manualTrigger, messaging, noOp, pushToAll } from '../../scripts/n8n/workflows';
import type { N8nClient } from '../../scripts/n8n/client';
import type { Bench } from '../live/bench';
import { testRunStaysTestRun } from '../live/scenarios/broadcastsAgain';
import type { Cluster } from './cluster';

/** For all processes. n8n 3 knows nothing else. */
export const byHandOnWorkers = { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };

/** Plays a scenario, of which every run by hand must have been a worker's. */
const onWorkers =
	(play: (bench: Bench) => Promise<void>) =>
	async (cluster: Cluster): Promise<void> => {
		const ids: string[] = [];
		const client = Object.create(cluster.client) as N8nClient;
		client.runByHand = async (...run) => {
			const id = await cluster.client.runByHand(...run);
			ids.push(id);
			return id;
		};
		await play(cluster.with({ client }));
		const logs = cluster.workers.map(({ logFile }) => readFileSync(logFile, 'utf8')).join('\n');
		assert.ok(ids.length > 0);
		for (const id of ids) assert.match(logs, new RegExp(`Worker started execution ${id} `));
	};

async function onlyShown(bench: Bench): Promise<void> {
	const keyed = messaging('Broadcast', { ...pushToAll, sendOnce: true, sendOnceKey: 'Sale' });
	const call = await bench.subWorkflow('shown-called', keyed);
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
