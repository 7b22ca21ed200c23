import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { DateTime } from 'luxon';
import type { StoredWorkflow, WorkflowJson } from '../../../scripts/n8n/client';
import { apiKeyCredential } from '../../../scripts/start/sandboxCredentials';
import {
	assertSucceeded,
	create,
	newExecution,
	output,
	runByHand,
	runByWebhook,
	type Bench,
} from '../bench';
import { example, parametersOf, withNode } from '../examples';
import { withAnswers } from './outages';

const ZONE = 'Europe/Berlin';
const WAIT = 'Wait until it is worth trying';
const original = (bench: Bench) => example(bench, 'failed-rows-again-next-day.json');
const orderOf = (userID: string) => ({ userID, name: `Name of ${userID}`, order: `O ${userID}` });

export async function failedRows(bench: Bench): Promise<void> {
	const workflow = await create(bench, original(bench));
	await sortedByOutcome(bench, workflow);
	await bench.client.deactivate(workflow.id);

	const unreachable = await nobodyThere(bench);
	bench.sandbox.reset();
	await untilTomorrowAtNine(bench, unreachable);
	await untilRetryAt(bench);
	const shortly = { resume: 'timeInterval', amount: 1, unit: 'seconds' };
	await onceMore(bench, withNode(unreachable, WAIT, { parameters: shortly }));
}

/** Rows that were refused or may have arrived are never sent again. */
async function sortedByOutcome(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const rows = ['fine', '', 'refused', 'unsure'].map(orderOf);
	const run = await runByWebhook(bench, workflow, 'orders', { rows }, ({ faults }) => {
		faults.add({ kind: 'status', status: 400, match: { bodyText: 'refused', platform: 'web' } });
		faults.add({
			kind: 'statusAfterAccept',
			status: 503,
			match: { bodyText: 'unsure', platform: 'ios' },
		});
	});
	assertSucceeded(run);
	assert.equal(run.arrivals.length, 9, 'three rows on three platforms, once each');
	assert.equal(output(run.data, 'Sent').length, 7);
	const listed = (node: string) =>
		output(run.data, node).map(({ json: { userID, order, platform, outcome } }) => [
			userID,
			order,
			platform,
			outcome,
		]);
	assert.deepEqual(listed('To be corrected'), [
		['', 'O ', '', 'invalid'],
		['refused', 'O refused', 'web', 'rejected'],
	]);
	assert.deepEqual(listed('May have arrived'), [['unsure', 'O unsure', 'ios', 'unknown']]);
	assert.equal(run.data.resultData.runData[WAIT], undefined, 'nothing waits for tomorrow');
	assert.equal(output(run.data, 'Log').length, 2, 'a file for each kind of failure');

	const byHand = await runByHand(bench, workflow, 'Try it by hand');
	assertSucceeded(byHand);
	assert.equal(byHand.arrivals.filter(({ accepted }) => accepted).length, 9);
	assert.deepEqual(
		output(byHand.data, 'To be corrected').map(({ json }) => json.order),
		['1040'],
	);
}

/** The first node connects to a port without TLS, so nothing is sent. The second one connects to the sandbox. */
async function nobodyThere(bench: Bench): Promise<WorkflowJson> {
	const pushUrl = bench.sandbox.urls.pushUrl.replace('http:', 'https:');
	const credential = apiKeyCredential({ ...bench.sandbox.urls, pushUrl });
	const { id: _named, ...broken } = { ...credential, name: 'Nobody there' };
	const { id } = await bench.client.createCredential(broken);
	return withNode(original(bench), 'Send push', {
		credentials: { customerMessagingApi: { id, name: broken.name } },
	});
}

/** n8n keeps the execution until then. */
async function untilTomorrowAtNine(bench: Bench, workflow: WorkflowJson): Promise<void> {
	const waitTillMs = await waitsUntil(bench, workflow, [orderOf('late')]);
	const tomorrowAtNine = DateTime.now()
		.setZone(ZONE)
		.plus({ days: 1 })
		.set({ hour: 9, minute: 0, second: 0, millisecond: 0 });
	assert.equal(waitTillMs, tomorrowAtNine.toMillis());
	assert.deepEqual(bench.sandbox.record, [], 'and sends nothing before');
}

/** After an outage, it waits until the service says that it is back. */
async function untilRetryAt(bench: Bench): Promise<void> {
	await withAnswers(503, { 'retry-after': '900' }, '', async (pushUrl) => {
		const credential = apiKeyCredential({ ...bench.sandbox.urls, pushUrl });
		const { id: _named, ...failing } = { ...credential, name: 'Back in 15 minutes' };
		const { id } = await bench.client.createCredential(failing);
		const workflow = original(bench);
		const later = withNode(workflow, 'Send push', {
			parameters: {
				...parametersOf(workflow, 'Send push'),
				options: { concurrency: 2, maxWait: 0 },
			},
			credentials: { customerMessagingApi: { id, name: failing.name } },
		});
		const rows = Array.from({ length: 10 }, (_, index) => orderOf(`late-${index}`));
		const untilMs = await waitsUntil(bench, later, rows);
		const minutes = (untilMs - Date.now()) / 60_000;
		assert.ok(minutes > 13 && minutes < 15.1, `it waits for ${minutes} minutes`);
	});
}

/** When the execution goes on, in epoch milliseconds. It is stopped before. */
async function waitsUntil(bench: Bench, workflow: WorkflowJson, rows: object[]): Promise<number> {
	const { client } = bench;
	const { id } = await create(bench, workflow);
	await client.callWebhook('orders', { rows });
	const executionId = await newExecution(client, id, new Set());
	let waitTill: string | null | undefined;
	for (let attempt = 0; attempt < 600 && !waitTill; attempt++) {
		await sleep(100);
		waitTill = (await client.executions(id)).find(
			(execution) => execution.id === executionId,
		)?.waitTill;
	}
	await client.stopExecution(executionId);
	await client.deactivate(id);
	return DateTime.fromISO(String(waitTill)).toMillis();
}

async function onceMore(bench: Bench, workflow: WorkflowJson): Promise<void> {
	const stored = await create(bench, workflow);
	const run = await runByWebhook(
		bench,
		stored,
		'orders',
		{ rows: ['late', 'refused'].map(orderOf) },
		({ faults }) => {
			faults.add({
				kind: 'status',
				status: 400,
				match: { bodyText: 'refused', platform: 'android' },
			});
		},
	);
	assertSucceeded(run);
	const wanted = ['late', 'refused'].flatMap((userID) =>
		['android', 'ios', 'web'].map((platform) => `/api/v1/${platform}/send ${userID}`),
	);
	const sent = run.arrivals.map(
		({ path, body }) => `${path} ${(body as { user_id: string }).user_id}`,
	);
	assert.deepEqual(sent.sort(), wanted.sort(), 'each row once on each platform');
	const toOne = run.arrivals.find(({ rawBody }) => rawBody.includes('"late"'));
	assert.deepEqual(toOne?.body, {
		user_id: 'late',
		title: 'Your order is on its way',
		message: 'Hello Name of late, order O late has left our warehouse.',
		url: 'https://shop.example.com/orders/O%20late',
	});
	assert.equal(output(run.data, 'Sent the next day').length, 5);
	const [failed, ...others] = output(run.data, 'Failed twice');
	assert.deepEqual(others, []);
	const { userID, platform, outcome } = failed?.json ?? {};
	assert.deepEqual(
		{ userID, platform, outcome },
		{ userID: 'refused', platform: 'android', outcome: 'rejected' },
	);
	assert.equal(run.data.resultData.runData['Send once more']?.length, 1, 'there is no third try');
}
