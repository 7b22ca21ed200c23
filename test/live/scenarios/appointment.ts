import assert from 'node:assert/strict';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import { ended, open, press, start, untilWaiting, withShortWait } from '../answering';
import { assertSucceeded, create, output, type Bench, type Run } from '../bench';
import { example } from '../examples';

const FILE = 'appointment-confirmed-by-sms.json';
const PATH = 'ask-appointment';
const asha = {
	id: 'A-1038',
	userID: 'C-1001',
	name: 'Asha Rao',
	mobile: '+447700900101',
	startsAt: '2030-01-15T15:30',
};
const deskUrl = 'https://clinic.example.com/appointments/A-1038';

export async function appointmentConfirmed(bench: Bench): Promise<void> {
	const workflow = example(bench, FILE);
	const { id } = await create(bench, workflow);
	await confirmed(bench, id);
	await declined(bench, id);
	await wrongNumber(bench, id);
	await bench.client.deactivate(id);
	await noAnswer(bench, workflow);
}

async function confirmed(bench: Bench, workflowId: string): Promise<void> {
	const asked = await ask(bench, workflowId);
	const page = await open(asked.link);
	assert.match(page.html, /<bdi>EXSHOP<\/bdi>/);
	assert.match(
		page.html,
		/>Dear Asha Rao, will you come to your appointment on 15 January, 15:30\?</,
	);
	const { html } = await press(asked.link, 'approve');
	assert.match(html, /was recorded[^]*Yes, I will come/);
	const run = await ended(bench, asked.id);
	assertSucceeded(run);
	assert.deepEqual(
		run.arrivals.slice(1).map(({ path, body }) => ({ path, body })),
		[
			{
				path: '/api/v1/user/create',
				body: {
					nv: [{ userID: 'C-1001', user_attributes: { confirmed_appointment: 'A-1038' } }],
				},
			},
		],
	);
	assert.equal(output(run.data, 'Confirmed').length, 1);
}

async function declined(bench: Bench, workflowId: string): Promise<void> {
	const asked = await ask(bench, workflowId);
	assert.match((await press(asked.link, 'decline')).html, /No, I cannot come/);
	const run = await ended(bench, asked.id);
	assertSucceeded(run);
	assert.deepEqual(toldToDesk(run), ['On 15 January, 15:30, +447700900101. Cannot come']);
}

/** Nobody can be asked, so the front desk is told why. */
async function wrongNumber(bench: Bench, workflowId: string): Promise<void> {
	const run = await ended(
		bench,
		await start(bench, workflowId, PATH, { ...asha, mobile: 'ask her' }),
	);
	assertSucceeded(run);
	const [told = '', ...more] = toldToDesk(run, 0);
	assert.deepEqual(more, []);
	assert.match(told, /^On 15 January, 15:30, ask her\. .*Mobile/);
}

/** As after the evening has come: a test cannot wait for it. */
async function noAnswer(bench: Bench, workflow: WorkflowJson): Promise<void> {
	const { id: workflowId } = await create(bench, withShortWait(workflow, 'Ask by SMS'));
	const run = await ended(bench, await start(bench, workflowId, PATH, asha));
	assertSucceeded(run);
	const [question, reminder, ...more] = run.arrivals;
	assert.deepEqual(more, []);
	assert.match(String((question?.body as { message: string }).message), /will you come/);
	const { mobile, message } = reminder?.body as { mobile: string; message: string };
	assert.equal(mobile, asha.mobile);
	assert.match(message, /^Dear Asha Rao, we expect you on 15 January, 15:30\./);
	assert.equal(output(run.data, 'Reminded').length, 1);
}

async function ask(bench: Bench, workflowId: string): Promise<{ id: string; link: string }> {
	const id = await start(bench, workflowId, PATH, asha);
	await untilWaiting(bench, id);
	const [{ path = '', body } = {}, ...more] = bench.sandbox.record;
	assert.deepEqual([path, more], ['/api/v1/sendMessage', []]);
	const { mobile, message } = body as { mobile: string; message: string };
	assert.equal(mobile, asha.mobile);
	return { id, link: message.split('\n').at(-1) ?? '' };
}

/** What the pushes to the front desk say. */
function toldToDesk({ arrivals }: Run, asked = 1): string[] {
	return arrivals.slice(asked).map(({ path, body }) => {
		const { message, ...rest } = body as { message: string };
		assert.equal(path, '/api/v1/web/send');
		assert.deepEqual(rest, {
			user_id: 'front-desk',
			title: 'Appointment A-1038: Asha Rao',
			url: deskUrl,
		});
		return message;
	});
}
