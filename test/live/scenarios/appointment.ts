import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { assertRecorded, callAndAsk, open } from '../answering';
import { ended, output, requestsOf, runByWebhook, succeeded, type Bench, type Run } from '../bench';
import { createExample } from '../examples';

export const APPOINTMENT = 'appointment-confirmed-by-sms.json';
export const asha = {
	id: 'A-1038',
	userID: 'C-1001',
	name: 'Asha Rao',
	mobile: '+447700900101',
	startsAt: '2030-01-15T15:30',
};

export async function appointmentConfirmed(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, APPOINTMENT);
	await confirmed(bench, workflow);
	const no = await ask(bench, workflow);
	await assertRecorded(no.link, 'decline', 'No, I cannot come');
	const declined = await succeeded(ended(bench, no.id, 1));
	assert.deepEqual(toldToDesk(declined), ['On 15 January, 15:30, +447700900101. Cannot come']);

	// Nobody can be asked, so the front desk is told why.
	const wrongNumber = { ...asha, mobile: 'ask her' };
	const [told = '', ...more] = toldToDesk(
		await succeeded(runByWebhook(bench, workflow, wrongNumber)),
	);
	assert.deepEqual(more, []);
	assert.match(told, /^On 15 January, 15:30, ask her\. .*Mobile/);
	await bench.client.deactivate(workflow.id);
}

async function confirmed(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const { id, link } = await ask(bench, workflow);
	const { html } = await open(link);
	assert.match(html, /<bdi>EXSHOP<\/bdi>/);
	assert.match(html, />Dear Asha Rao, will you come to your appointment on 15 January, 15:30\?</);
	await assertRecorded(link, 'approve', 'Yes, I will come');
	const run = await succeeded(ended(bench, id, 1));
	const user_attributes = { confirmed_appointment: 'A-1038' };
	assert.deepEqual(requestsOf(run), [
		{ path: '/api/v1/user/create', body: { nv: [{ userID: 'C-1001', user_attributes }] } },
	]);
	assert.equal(output(run.data, 'Confirmed').length, 1);
}

async function ask(bench: Bench, workflow: StoredWorkflow): Promise<{ id: string; link: string }> {
	const id = await callAndAsk(bench, workflow, asha);
	const [{ path = '', body } = {}, ...more] = bench.sandbox.record;
	assert.deepEqual([path, more], ['/api/v1/sendMessage', []]);
	const { mobile, message } = body as { mobile: string; message: string };
	assert.equal(mobile, asha.mobile);
	return { id, link: message.split('\n').at(-1) ?? '' };
}

/** What the pushes to the front desk say. */
function toldToDesk(run: Run): string[] {
	return requestsOf(run).map(({ path, body }) => {
		const { message, ...rest } = body as { message: string };
		assert.equal(path, '/api/v1/web/send');
		assert.deepEqual(rest, {
			user_id: 'front-desk',
			title: 'Appointment A-1038: Asha Rao',
			url: 'https://clinic.example.com/appointments/A-1038',
		});
		return message;
	});
}
