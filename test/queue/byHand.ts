import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { manualTrigger, messaging, noOp, pushToAll } from '../../scripts/n8n/workflows';
import type { N8nClient, NodeJson } from '../../scripts/n8n/client';
import type { Bench } from '../live/bench';
import { secondClick, testRunStaysTestRun } from '../live/scenarios/broadcastsAgain';
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

const toAll = (more: object) => messaging('Broadcast', { ...pushToAll, ...more });

async function assertShown(bench: Bench, name: string, node: NodeJson): Promise<void> {
	const stored = await bench.store(name, manualTrigger('By hand'), node, noOp('Done'));
	const run = (await bench.byHand(stored)).succeeded();
	assert.deepEqual([run.arrivals, run.outcomes()], [[], Array(3).fill('preview')]);
}

const broadcastIsShown = async (bench: Bench) => await assertShown(bench, 'shown', toAll({}));

async function broadcastOfSubWorkflowIsShown(bench: Bench): Promise<void> {
	const keyed = toAll({ sendOnce: true, sendOnceKey: 'Spring sale' });
	await assertShown(bench, 'shown-calling', await bench.subWorkflow('shown-called', keyed));
}

/** Runs that a person starts by hand on two workers. */
export const runsByHand: Array<[title: string, run: (cluster: Cluster) => Promise<void>]> = [
	['A broadcast started by hand on a worker is only shown', onWorkers(broadcastIsShown)],
	[
		'A broadcast in a sub-workflow that a run by hand calls on a worker is only shown',
		onWorkers(broadcastOfSubWorkflowIsShown),
	],
	['A broadcast started by hand on workers goes out once a day', onWorkers(secondClick)],
	['The retry of a run by hand on a worker is a run by hand', onWorkers(testRunStaysTestRun)],
];
