import assert from 'node:assert/strict';
import { N8nRefusal } from '../../../scripts/n8n/client';
import { assertSucceeded, create, output, runByWebhook, usersReached, type Bench } from '../bench';
import {
	calledByWorkflow,
	eachRow,
	executeWorkflow,
	loopOver,
	messaging,
	noOp,
	pushToRow,
	makeRows,
	webhook,
	workflow,
} from '../../../scripts/n8n/workflows';

/** The node inside Loop Over Items: it runs once for each round, in one execution. */
export async function loopOverItems(bench: Bench): Promise<void> {
	const rows = makeRows('loop', 23);
	const nodes = [
		webhook('loop'),
		eachRow,
		loopOver('Loop', { batchSize: 5, options: {} }),
		messaging('Push', pushToRow),
		noOp('Done'),
	];
	const wires = {
		Webhook: [['Each row']],
		'Each row': [['Loop']],
		Loop: [['Done'], ['Push']],
		Push: [['Loop']],
	};
	const stored = await create(bench, workflow('loop', nodes, bench.credentialIds, wires));
	const run = await runByWebhook(bench, stored, 'loop', { rows });
	assertSucceeded(run);
	assert.deepEqual(
		usersReached(run).sort(),
		rows.map(({ userID }) => userID).sort(),
		'each row once',
	);
	assert.equal(run.arrivals.length, rows.length);
	assert.equal(run.data.resultData.runData.Push?.length, 5, 'rounds');
	assert.deepEqual(
		run.data.resultData.metadata,
		{
			messaging_operation: 'push send',
			messaging_accepted: String(rows.length),
			messaging_unknown: '0',
			messaging_not_sent: '0',
		},
		'n8n stores the numbers of the whole execution',
	);
	assert.deepEqual(
		output(run.data, 'Done').map(({ json }) => json.outcome),
		rows.map(() => 'accepted'),
	);
}

/** The node in a workflow that another one calls. */
export async function subWorkflow(bench: Bench): Promise<void> {
	const rows = makeRows('sub', 12);
	const called = [
		calledByWorkflow('Called', { inputSource: 'passthrough' }),
		messaging('Push', pushToRow),
	];
	const inner = await bench.client.createWorkflow(workflow('called', called, bench.credentialIds));
	// n8n 2 runs only published workflows. n8n 1 refuses to activate a workflow that is only called by others.
	await bench.client.activate(inner).catch((error: unknown) => {
		if (!(error instanceof N8nRefusal)) throw error;
	});
	const call = executeWorkflow('Call', {
		source: 'database',
		mode: 'once',
		options: {},
		workflowId: { __rl: true, mode: 'id', value: inner.id },
	});
	const stored = await create(
		bench,
		workflow('calling', [webhook('calling'), eachRow, call, noOp('Done')], bench.credentialIds),
	);
	const run = await runByWebhook(bench, stored, 'calling', { rows });
	assertSucceeded(run);
	assert.deepEqual(
		usersReached(run).sort(),
		rows.map(({ userID }) => userID).sort(),
		'each row once',
	);
	assert.equal(run.arrivals.length, rows.length);
	assert.deepEqual(
		output(run.data, 'Done').map(({ json }) => json.outcome),
		rows.map(() => 'accepted'),
	);
}
