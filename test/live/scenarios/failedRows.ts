import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { DateTime } from 'luxon';
import type { StoredWorkflow, WorkflowJson } from '../../../scripts/n8n/client';
import { startServerAnswering } from '../../engine/support/localServer';
import {
	call,
	create,
	output,
	requestsOf,
	runByHand,
	runByWebhook,
	succeeded,
	valuesOf,
	type Bench,
} from '../bench';
import { createExample, example, withNode, withParameters } from '../examples';
import { credentialAt } from '../services';

const FILE = 'failed-rows-again-next-day.json';
const SEND = 'Send push';
const WAIT = 'Wait until it is worth trying';
const platforms = ['android', 'ios', 'web'];
const ordersOf = (...userIDs: string[]) => ({
	rows: userIDs.map((userID) => ({ userID, name: `Name of ${userID}`, order: `O ${userID}` })),
});

export async function failedRows(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, FILE);
	await sortedByOutcome(bench, workflow);
	await bench.client.deactivate(workflow.id);

	// The first node connects to a port without TLS, so nothing is sent. The second one connects to the sandbox.
	const pushUrl = bench.sandbox.urls.pushUrl.replace('http:', 'https:');
	const credentials = { customerMessagingApi: await credentialAt(bench, { pushUrl }) };
	const unreachable = withNode(example(bench, FILE), SEND, { credentials });
	bench.sandbox.reset();
	const tomorrow = DateTime.now().setZone('Europe/Berlin').startOf('day').plus({ days: 1 });
	const waitsTill = await waitsUntil(bench, unreachable, ordersOf('late'));
	assert.equal(waitsTill, tomorrow.set({ hour: 9 }).toMillis());
	assert.deepEqual(bench.sandbox.record, [], 'and sends nothing before');
	await untilRetryAt(bench);
	const shortly = { resume: 'timeInterval', amount: 1, unit: 'seconds' };
	await onceMore(bench, withNode(unreachable, WAIT, { parameters: shortly }));
}

/** Rows that were refused or may have arrived are never sent again. */
async function sortedByOutcome(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const run = await succeeded(
		runByWebhook(bench, workflow, ordersOf('fine', '', 'refused', 'unsure'), ({ faults }) => {
			faults.add({ kind: 'status', status: 400, match: { bodyText: 'refused', platform: 'web' } });
			const match = { bodyText: 'unsure', platform: 'ios' } as const;
			faults.add({ kind: 'statusAfterAccept', status: 503, match });
		}),
	);
	assert.equal(run.arrivals.length, 9, 'three rows on three platforms, once each');
	assert.equal(output(run.data, 'Sent').length, 7);
	const listed = (node: string) => valuesOf(run, node, 'userID', 'order', 'platform', 'outcome');
	assert.deepEqual(listed('To be corrected'), [
		['', 'O ', '', 'invalid'],
		['refused', 'O refused', 'web', 'rejected'],
	]);
	assert.deepEqual(listed('May have arrived'), [['unsure', 'O unsure', 'ios', 'unknown']]);
	assert.equal(run.data.resultData.runData[WAIT], undefined, 'nothing waits for tomorrow');
	assert.equal(output(run.data, 'Log').length, 2, 'a file for each kind of failure');

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it by hand'));
	assert.equal(byHand.arrivals.filter(({ accepted }) => accepted).length, 9);
	assert.deepEqual(valuesOf(byHand, 'To be corrected', 'order'), [['1040']]);
}

/** After an outage, it waits until the service says that it is back. */
async function untilRetryAt(bench: Bench): Promise<void> {
	const service = await startServerAnswering(503, { 'retry-after': '900' }, '');
	try {
		const credentials = { customerMessagingApi: await credentialAt(bench, service.urls) };
		const options = { concurrency: 2, maxWait: 0 };
		const failing = withNode(example(bench, FILE), SEND, { credentials });
		const rows = ordersOf(...Array.from({ length: 10 }, (_, index) => `late-${index}`));
		const untilMs = await waitsUntil(bench, withParameters(failing, SEND, { options }), rows);
		const minutes = (untilMs - Date.now()) / 60_000;
		assert.ok(minutes > 13 && minutes < 15.1, `it waits for ${minutes} minutes`);
	} finally {
		await service.close();
	}
}

/** When the execution goes on, in epoch milliseconds. n8n keeps it until then; here, it is stopped before. */
async function waitsUntil(bench: Bench, workflow: WorkflowJson, orders: object): Promise<number> {
	const { client } = bench;
	const stored = await create(bench, workflow);
	const id = await call(bench, stored, orders);
	let waitTill: string | null | undefined;
	for (let attempt = 0; attempt < 600 && !waitTill; attempt++) {
		await sleep(100);
		waitTill = (await client.executions(stored.id)).find((one) => one.id === id)?.waitTill;
	}
	await client.stopExecution(id);
	await client.deactivate(stored.id);
	return DateTime.fromISO(String(waitTill)).toMillis();
}

async function onceMore(bench: Bench, workflow: WorkflowJson): Promise<void> {
	const stored = await create(bench, workflow);
	const refused = { bodyText: 'refused', platform: 'android' } as const;
	const run = await succeeded(
		runByWebhook(bench, stored, ordersOf('late', 'refused'), ({ faults }) =>
			faults.add({ kind: 'status', status: 400, match: refused }),
		),
	);
	const sent = requestsOf(run).map(({ path, body }) => ({ path, ...(body as object) }));
	const wanted = ['late', 'refused'].flatMap((userID) =>
		platforms.map((platform) => ({
			path: `/api/v1/${platform}/send`,
			user_id: userID,
			title: 'Your order is on its way',
			message: `Hello Name of ${userID}, order O ${userID} has left our warehouse.`,
			url: `https://shop.example.com/orders/O%20${userID}`,
		})),
	);
	const byText = (one: object, other: object) =>
		JSON.stringify(one).localeCompare(JSON.stringify(other));
	assert.deepEqual(sent.sort(byText), wanted.sort(byText), 'each row once on each platform');
	assert.equal(output(run.data, 'Sent the next day').length, 5);
	assert.deepEqual(valuesOf(run, 'Failed twice', 'userID', 'platform', 'outcome'), [
		['refused', 'android', 'rejected'],
	]);
	assert.equal(run.data.resultData.runData['Send once more']?.length, 1, 'there is no third try');
}
