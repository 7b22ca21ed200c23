import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { DateTime } from 'luxon';
import { create, ended, output, outcomesOf, runByHand, succeeded, type Bench } from '../bench';
import { example, parametersOf, withNode } from '../examples';

const ZONE = 'Europe/Berlin';
const TRIGGER = 'Every Monday at 09:00';

export async function segmentEmail(bench: Bench): Promise<void> {
	const workflow = example(bench, 'segment-email-every-monday.json');
	const mondayAtNine = {
		field: 'weeks',
		weeksInterval: 1,
		triggerAtDay: [1],
		triggerAtHour: 9,
		triggerAtMinute: 0,
	};
	assert.deepEqual(parametersOf(workflow, TRIGGER), { rule: { interval: [mondayAtNine] } });
	assert.equal(workflow.settings?.timezone, ZONE);

	const stored = await bench.client.createWorkflow(workflow);
	const preview = await succeeded(runByHand(bench, stored, 'Preview by hand'));
	assert.deepEqual(preview.arrivals, []);
	const [item] = output(preview.data, 'Broadcast email to segment');
	assert.equal(item?.json.outcome, 'preview');
	assert.deepEqual(output(preview.data, 'Sent'), [], 'a preview does not count as sent');
	assert.ok(!JSON.stringify(item).includes('sandbox-key'), 'no secret in a preview');

	await bySchedule(bench);
}

/** The same, but every other second, because no test can wait for Monday. */
async function bySchedule(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const soon = { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } };
	const workflow = example(bench, 'segment-email-every-monday.json');
	sandbox.reset();
	const { id } = await create(bench, withNode(workflow, TRIGGER, { parameters: soon }));
	while ((await client.executions(id)).length === 0) await sleep(100);
	await client.deactivate(id);
	const executions = await client.executions(id);
	for (const execution of executions) {
		const run = await succeeded(ended(bench, execution.id));
		assert.equal(execution.mode, 'trigger');
		const [triggered] = output(run.data, TRIGGER);
		assert.match(String(triggered?.json.Timezone), /Europe\/Berlin/, 'hours of the workflow');
		assert.deepEqual(outcomesOf(run, 'Sent'), ['accepted']);
	}
	assert.equal(sandbox.record.length, executions.length, 'one broadcast each time');

	const [arrival] = sandbox.record;
	const { schedule_date, schedule_time, ...body } = arrival?.body as Record<string, unknown>;
	assert.ok(Number.isInteger(schedule_date) && Number.isInteger(schedule_time));
	const now = DateTime.now().setZone(ZONE);
	const sunday = now.endOf('week').setLocale('en').toFormat('d LLLL');
	assert.equal(arrival?.path, '/api/v1/email/broadcast/segment');
	assert.deepEqual(body, {
		sender_name: 'Example Shop',
		sender_email: 'news@shop.example.com',
		subject: `This week: 20 % off running shoes, until ${sunday}`,
		campaign_name: `Weekly offers ${now.toFormat("kkkk-'W'WW")}`,
		content: `<h1>20 % off</h1><p>On every pair of running shoes, until ${sunday}.</p>`,
		serviceproviderID: 3,
		segment_id: 4711,
		reply_to: 'help@shop.example.com',
		track_click: true,
		track_open: true,
	});
}
