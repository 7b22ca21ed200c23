import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { manualTrigger, messaging, noOp, pushToAll, workflow } from '../../scripts/n8n/workflows';
import type { N8nClient, NodeJson } from '../../scripts/n8n/client';
import {
	assertSucceeded,
	hintsOf,
	outcomesOf,
	output,
	runByHand,
	type Bench,
	type Run,
} from '../live/bench';
import { createSubWorkflow } from '../live/rows';
import { secondClick } from '../live/scenarios/broadcastsAgain';
import { testRunStaysTestRun } from '../live/scenarios/retryBroadcast';
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
		await play({ ...cluster, client });
		const logs = cluster.workers.map(({ logFile }) => readFileSync(logFile, 'utf8')).join('\n');
		assert.ok(ids.length > 0);
		for (const id of ids) assert.match(logs, new RegExp(`Worker started execution ${id} `));
	};

const toAll = (more: object) => messaging('Broadcast', { ...pushToAll, ...more });

async function startByHand(bench: Bench, name: string, node: NodeJson) {
	const nodes = [manualTrigger('By hand'), node, noOp('Done')];
	const stored = await bench.client.createWorkflow(workflow(name, nodes, bench.credentialIds));
	const run = await runByHand(bench, stored, 'By hand');
	assertSucceeded(run);
	return run;
}

async function broadcastIsShown(bench: Bench): Promise<void> {
	const run = await startByHand(bench, 'shown', toAll({}));
	assertShown(run);
	const hints = hintsOf(run, 'Broadcast').map(({ message }) => message);
	assert.ok(
		hints.some((hint) => hint.startsWith('Nothing was sent')),
		hints.join('\n'),
	);
}

async function broadcastOfSubWorkflowIsShown(bench: Bench): Promise<void> {
	const keyed = toAll({ sendOnce: true, sendOnceKey: 'Spring sale' });
	const call = await createSubWorkflow(bench, 'shown-called', keyed);
	assertShown(await startByHand(bench, 'shown-calling', call));
}

function assertShown(run: Run): void {
	assert.deepEqual(run.arrivals, []);
	assert.deepEqual(
		outcomesOf(run, 'Done'),
		pushToAll.platforms.map(() => 'preview'),
	);
}

async function testReachesTestRecipient(bench: Bench): Promise<void> {
	const run = await startByHand(bench, 'test', toAll({ testRuns: 'testRecipient' }));
	const { title, message, url, platforms } = pushToAll;
	assert.deepEqual(
		run.arrivals.map(({ path, body }) => ({ path, body })),
		platforms.map((platform) => ({
			path: `/api/v1/${platform}/send`,
			body: { user_id: 'me-1001', title, message, url },
		})),
	);
	for (const { json } of output(run.data, 'Done')) {
		assert.equal(json.outcome, 'accepted');
		assert.ok(json.test, 'the output says that it was a test');
	}
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
	['A test by hand on a worker goes to the test recipient', onWorkers(testReachesTestRecipient)],
];
