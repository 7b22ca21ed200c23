import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { DateTime } from 'luxon';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import { startServerAnswering } from '../../engine/support/localServer';
import type { Bench } from '../bench';
import { platforms, playSteps, type Step, toEach } from '../examplePlay';
import { parametersOf, withNode, withParameters } from '../nodes';
import { newest } from '../scenario';

const ZONE = 'Europe/Berlin';
const MONDAY = 'Every Monday at 09:00';

newest('The segment email is sent on schedule and only previewed by hand', async (bench) => {
	const { client, sandbox } = bench;
	const workflow = bench.example('segment-email-every-monday');
	const monday = { field: 'weeks', weeksInterval: 1, triggerAtDay: [1] };
	const interval = [{ ...monday, triggerAtHour: 9, triggerAtMinute: 0 }];
	assert.deepEqual(parametersOf(workflow, MONDAY), { rule: { interval } });
	assert.equal(workflow.settings?.timezone, ZONE);
	const gives = { 'Broadcast email to segment: outcome': [['preview']], Sent: 0 };
	const preview = { byHand: 'Preview by hand', sends: [], gives };
	await playSteps(bench, await client.createWorkflow(workflow), [preview]);

	// No test can wait for Monday.
	const soon = { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } };
	sandbox.reset();
	const { id } = await bench.create(withNode(workflow, MONDAY, { parameters: soon }));
	while ((await client.executions(id)).length === 0) await sleep(100);
	await client.deactivate(id);
	const sent: unknown[] = [];
	for (const execution of await client.executions(id)) {
		const run = (await bench.ended(execution.id)).succeeded();
		assert.equal(execution.mode, 'trigger');
		sent.push(...run.outcomes('Sent'));
	}
	// On a slow machine it starts more than once, and the same broadcast goes out once in ten minutes.
	assert.deepEqual(sent, ['accepted']);
	assert.equal(sandbox.record.length, 1);

	const [{ path, body } = {}] = sandbox.record;
	const { campaign_name, content, segment_id } = body as Record<string, unknown>;
	const now = DateTime.now().setZone(ZONE);
	const sunday = now.endOf('week').setLocale('en').toFormat('d LLLL');
	assert.deepEqual([path, segment_id], ['/api/v1/email/broadcast/segment', 4711]);
	assert.equal(campaign_name, `Weekly offers ${now.toFormat("kkkk-'W'WW")}`);
	assert.match(String(content), new RegExp(`running shoes, until ${sunday}\\.`));
});

const FILE = 'failed-rows-again-next-day';
const SEND = 'Send push';
const WAIT = 'Wait until it is worth trying';
const ordersOf = (...userIDs: string[]) => ({
	rows: userIDs.map((userID) => ({ userID, name: `Name of ${userID}`, order: `O ${userID}` })),
});
const pushesTo = (userID: string) =>
	toEach({
		user_id: userID,
		title: 'Your order is on its way',
		message: `Hello Name of ${userID}, order O ${userID} has left our warehouse.`,
		url: `https://shop.example.com/orders/O%20${userID}`,
	});
const shown = 'userID, order, platform, outcome';
const refuseWeb = { bodyText: 'refused', platform: 'web' } as const;
const loseAnswer = { bodyText: 'unsure', platform: 'ios' } as const;

/** Rows that were refused or may have arrived are never sent again. */
const sortedByOutcome: Step[] = [
	{
		call: ordersOf('fine', '', 'refused', 'unsure'),
		prepare({ faults }) {
			faults.add({ kind: 'status', status: 400, match: refuseWeb });
			faults.add({ kind: 'statusAfterAccept', status: 503, match: loseAnswer });
		},
		sends: ['fine', 'refused', 'unsure'].flatMap(pushesTo),
		gives: {
			Sent: 7,
			[`To be corrected: ${shown}`]: [
				['', 'O ', '', 'invalid'],
				['refused', 'O refused', 'web', 'rejected'],
			],
			[`May have arrived: ${shown}`]: [['unsure', 'O unsure', 'ios', 'unknown']],
			[WAIT]: 0,
			// A file for each kind of failure.
			Log: 2,
		},
	},
	{
		sends: platforms.flatMap((platform) => Array<string>(3).fill(`${platform}/send`)),
		gives: { Sent: 9, 'To be corrected: order': [['1040']] },
	},
];

const onceMore: Step = {
	call: ordersOf('late', 'refused'),
	prepare: ({ faults }) => faults.add({ kind: 'status', status: 400, match: refuseWeb }),
	sends: ['late', 'refused'].flatMap(pushesTo),
	gives: {
		'Sent the next day': 5,
		'Failed twice: userID, platform, outcome': [['refused', 'web', 'rejected']],
	},
	also: ({ data }) =>
		assert.equal(data.resultData.runData['Send once more']?.length, 1, 'there is no third try'),
};

newest('After an outage, rows that were not sent go out again, once, at 9', async (bench) => {
	const stored = await bench.create(bench.example(FILE));
	await playSteps(bench, stored, sortedByOutcome);
	await bench.client.deactivate(stored.id);

	// The first node connects to a port without TLS, so nothing is sent. The second one connects to the sandbox.
	const failingAt = async (urls: object) => {
		const credentials = { customerMessagingApi: await bench.credentialAt(urls) };
		return withNode(bench.example(FILE), SEND, { credentials });
	};
	const pushUrl = bench.sandbox.urls.pushUrl.replace('http:', 'https:');
	const unreachable = await failingAt({ pushUrl });
	bench.sandbox.reset();
	const tomorrow = DateTime.now().setZone(ZONE).startOf('day').plus({ days: 1 });
	const waitsTill = await waitsUntil(bench, unreachable, ordersOf('late'));
	assert.equal(waitsTill, tomorrow.set({ hour: 9 }).toMillis());
	assert.deepEqual(bench.sandbox.record, [], 'and sends nothing before');

	// After an outage, it waits until the service says that it is back.
	const service = await startServerAnswering(503, { 'retry-after': '900' }, '');
	const options = { concurrency: 2, maxWait: 0 };
	const failing = withParameters(await failingAt(service.urls), SEND, { options });
	const rows = ordersOf(...Array.from({ length: 10 }, (_, index) => `late-${index}`));
	const minutes = ((await waitsUntil(bench, failing, rows)) - Date.now()) / 60_000;
	assert.ok(minutes > 13 && minutes < 15.1, `it waits for ${minutes} minutes`);
	const shortly = { resume: 'timeInterval', amount: 1, unit: 'seconds' };
	const impatient = await bench.create(withNode(unreachable, WAIT, { parameters: shortly }));
	await playSteps(bench, impatient, [onceMore]);
});

/** When the execution goes on, in epoch milliseconds. n8n keeps it until then; here, it is stopped before. */
async function waitsUntil(bench: Bench, workflow: WorkflowJson, orders: object): Promise<number> {
	const { client } = bench;
	const stored = await bench.create(workflow);
	const id = await bench.call(stored, orders);
	await bench.untilWaiting(id);
	const [{ waitTill } = {}] = await client.executions(stored.id);
	await client.stopExecution(id);
	await client.deactivate(stored.id);
	return Date.parse(String(waitTill));
}
