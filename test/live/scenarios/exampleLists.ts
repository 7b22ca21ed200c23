import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DateTime } from 'luxon';
import {
	type Bench,
	create,
	ended,
	outcomesOf,
	output,
	type Run,
	runByHand,
	runByWebhook,
	succeeded,
	usersOf,
	valuesOf,
} from '../bench';
import { createExample, example, parametersOf, withNode } from '../examples';

const BAD = [17, 205];

const rows = Array.from({ length: 250 }, (_, index) => ({
	row_number: index + 2,
	userID: `S-${index}`,
	name: `Row ${index}`,
	email: BAD.includes(index) ? 'not an address' : `row${index}@example.com`,
}));

/** The users of each request, in the order of the rows: several requests are under way at once. */
function batches({ arrivals }: Run): Array<Array<{ userID: string }>> {
	const order = usersOf(rows);
	const firstRow = ([user]: Array<{ userID: string }>) => order.indexOf(user?.userID ?? '');
	return arrivals
		.map(({ body }) => (body as { nv: Array<{ userID: string }> }).nv)
		.sort((one, other) => firstRow(one) - firstRow(other));
}

export async function sheetRows(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'sheet-rows-to-users-in-batches.json');
	const run = await succeeded(runByWebhook(bench, workflow, { rows }));
	const good = rows.filter((_, index) => !BAD.includes(index));
	assert.deepEqual(
		batches(run).map((users) => users.length),
		[100, 100, 48],
	);
	assert.deepEqual(
		batches(run).flat(),
		good.map(({ userID, name, email }) => ({ userID, user_attributes: { name, email } })),
		'each good row once, without its row number',
	);
	assert.deepEqual(valuesOf(run, 'Created', 'userID').flat(), usersOf(good));

	const failed = output(run.data, 'Failed rows').map(({ json: { whatHappened, ...row } }) => {
		assert.match(String(whatHappened), /email/i);
		return row;
	});
	assert.deepEqual(
		failed,
		BAD.map((index) => ({ ...rows[index], outcome: 'invalid' })),
		'the failed rows, with their columns',
	);
	const [file, ...others] = output(run.data, 'Log');
	assert.deepEqual(others, [], 'one file for all of them');
	assert.match(file?.binary?.data?.fileName ?? '', /^failed-rows-\d{4}-\d\d-\d\d\.csv$/);

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it by hand'));
	assert.deepEqual(batches(byHand).map(usersOf), [['S-1001', 'S-1002', 'S-1004', 'S-1006']]);
	assert.deepEqual(valuesOf(byHand, 'Failed rows', 'name'), [['Carla Diaz'], ['Emi Sato']]);
}

const users = Array.from({ length: 40 }, (_, index) => `V-${index}`);

const variantOf = (userID: string) =>
	createHash('sha256').update(`autumn:${userID}`).digest().readUInt8(0) < 128 ? 'a' : 'b';

/** Each user gets one variant, once on each platform. */
function assertSent({ arrivals }: Run, ids: string[]): void {
	const sent = arrivals.map(({ body }) => {
		const { user_id, url } = body as { user_id: string; url: string };
		return `${user_id} ${new URL(url).searchParams.get('variant')}`;
	});
	const expected = ids.flatMap((id) => Array<string>(3).fill(`${id} ${variantOf(id)}`));
	assert.deepEqual(sent.sort(), expected.sort());
}

export async function twoVariants(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'two-variants-by-user-id.json');
	const rows = [...users, ''].map((userID) => ({ userID }));
	const run = await succeeded(runByWebhook(bench, workflow, { rows }));
	assertSent(run, users);
	assert.deepEqual(new Set(users.map(variantOf)), new Set(['a', 'b']), 'both variants occur');
	assert.deepEqual(
		valuesOf(run, 'Not sent', 'userID', 'outcome'),
		[['', 'invalid']],
		'a row without a user keeps its place',
	);

	const again = await runByWebhook(bench, workflow, { rows: rows.slice(0, 5) });
	assertSent(again, users.slice(0, 5));

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it by hand'));
	assertSent(byHand, ['U-1001', 'U-1002', 'U-1003', 'U-1004', 'U-1005', 'U-1006']);
}

interface Answer {
	campaign_id: number;
	outcome: string;
	report?: object;
	whatHappened?: string;
}

export async function campaignReport(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'campaign-report-by-custom-request.json');
	const campaigns = [{ campaign_id: 301 }, { campaign_id: 302 }, { campaign_id: 303 }];
	const run = await succeeded(
		runByWebhook(bench, workflow, { campaigns }, ({ faults }) =>
			faults.add({ kind: 'status', status: 400, match: { bodyText: '302' } }),
		),
	);
	const today = DateTime.fromISO(String(DateTime.utc().toISODate()));
	const asked = run.arrivals.map(({ path, api, host, body }) => {
		const { campaign_id, from, to } = body as { campaign_id: number; from: string; to: string };
		assert.deepEqual([path, api, host], ['/api/v1/report/campaign', 'reporting', 'base']);
		const until = DateTime.fromISO(to);
		assert.equal(until.diff(DateTime.fromISO(from), 'days').days, 7);
		const daysAhead = Math.abs(until.diff(today, 'days').days);
		assert.ok(daysAhead <= 1, `${to} is today, in the workflow's zone`);
		return campaign_id;
	});
	assert.deepEqual(asked.sort(), [301, 302, 303]);

	const answer = JSON.parse(run.answer) as Answer[];
	assert.deepEqual(
		answer.map(({ campaign_id, outcome }) => [campaign_id, outcome]),
		[
			[301, 'accepted'],
			[303, 'accepted'],
			[302, 'rejected'],
		],
	);
	for (const { outcome, report, whatHappened } of answer)
		assert.ok(outcome === 'accepted' ? report : whatHappened);

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it by hand'));
	assert.equal(output(byHand.data, 'Answer').length, 3);
}

export async function smsReminder(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'sms-reminder-day-before-appointment.json');
	const now = DateTime.now().setZone('Europe/Berlin');
	const day = now.plus({ days: 10 });
	const [inTime, ...toPhone] = [
		['Asha', '+447700900101', `${day.toISODate()}T15:30`],
		['Carla', 'ask her', `${day.toISODate()}T09:00`],
		['Ben', '+491713920005', now.plus({ hours: 2 }).toFormat("yyyy-MM-dd'T'HH:mm")],
		['Dmitri', '+4915100000006', 'next week'],
	];
	const appointments = [inTime, ...toPhone].map((cells) => {
		const [name, mobile, startsAt] = cells ?? [];
		return { name, mobile, startsAt };
	});
	const run = await succeeded(runByWebhook(bench, workflow, { appointments }));

	const remindAt = day.minus({ days: 1 }).set({ hour: 10, minute: 0 }).toUTC();
	assert.deepEqual(
		run.arrivals.map(({ path, outcome, body }) => ({ path, outcome, body })),
		[
			{
				path: '/api/v1/sendMessage',
				outcome: 'accepted',
				body: {
					mobile: '+447700900101',
					sender_name: 'EXCLINIC',
					campaign_name: 'Appointment reminder',
					sender_mobile: '+447700900100',
					message:
						'Dear Asha, we look forward to seeing you tomorrow at 15:30. Call 020 555 010 to move your appointment.',
					serviceproviderID: 7,
					schedule_date: Number(remindAt.toFormat('yyyyMMdd')),
					schedule_time: Number(remindAt.toFormat('HHmm')),
				},
			},
		],
	);
	assert.equal(output(run.data, 'Scheduled').length, 1);
	const LIST = 'All without a reminder';
	assert.deepEqual(valuesOf(run, LIST, 'name', 'mobile', 'startsAt'), toPhone);
	assert.equal(output(run.data, LIST)[0]?.json.outcome, 'invalid');
	for (const [why] of valuesOf(run, LIST, 'whatHappened')) assert.ok(String(why).length > 10);
	const files = output(run.data, 'People to phone').map(({ binary }) => binary?.data?.fileName);
	assert.deepEqual(files, [`people-to-phone-${now.toISODate()}.csv`]);

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it by hand'));
	assert.deepEqual(
		byHand.arrivals.map(({ body }) => (body as { mobile: string }).mobile),
		['+447700900101'],
	);
	assert.deepEqual(valuesOf(byHand, LIST, 'name'), [['Carla Diaz'], ['Ben Okafor']]);
}

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
