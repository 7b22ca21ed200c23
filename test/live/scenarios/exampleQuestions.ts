import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { assertRecorded, callAndAsk, open } from '../answering';
import {
	type Bench,
	ended,
	output,
	pathsOf,
	requestsOf,
	type Run,
	runByWebhook,
	succeeded,
} from '../bench';
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

export const CAMPAIGN = 'campaign-approved-by-push.json';
const platforms = ['android', 'ios', 'web'];
const words = {
	title: 'New season',
	message: 'The autumn collection is here.',
	url: 'https://shop.example.com/autumn',
};
export const campaignNamed = (campaign: string) => ({
	...words,
	...{ campaign, author: 'author-1001' },
});

export async function campaignApproved(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, CAMPAIGN);
	const first = await askManager(bench, workflow, 'Autumn');
	const { html } = await open(first.link);
	for (const shown of ['<h1 dir="auto">Campaign Autumn</h1>', ...Object.values(words)])
		assert.ok(html.includes(shown), shown);
	await assertRecorded(first.link, 'approve');
	const approved = await succeeded(ended(bench, first.id, 3));
	assert.deepEqual(
		requestsOf(approved).sort((one, other) => one.path.localeCompare(other.path)),
		platforms.map((platform) => ({ path: `/api/v1/${platform}/broadcast/all`, body: words })),
	);
	assert.equal(output(approved.data, 'Sent to everyone').length, 3);

	// Send Once knows the campaign by its name.
	const again = await askManager(bench, workflow, 'Autumn');
	await assertRecorded(again.link, 'approve');
	const sentBefore = await succeeded(ended(bench, again.id, 3));
	assert.deepEqual(sentBefore.arrivals, [], 'only the question is sent');
	assert.deepEqual(output(sentBefore.data, 'Sent to everyone'), []);

	const no = await askManager(bench, workflow, 'Winter');
	await assertRecorded(no.link, 'decline', 'Do not send it');
	const declined = await succeeded(ended(bench, no.id, 3));
	assert.deepEqual(toldToAuthor(declined), ['Declined. Nothing was sent.']);

	// The manager is not asked about what cannot be sent.
	const tooLong = { ...campaignNamed('Winter'), title: 'T'.repeat(71) };
	const unasked = toldToAuthor(await succeeded(runByWebhook(bench, workflow, tooLong)));
	assert.equal(unasked.length, 1);
	assert.match(unasked.join(), /Title[^]*70/);

	const last = await askManager(bench, workflow, 'Winter');
	bench.sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } });
	await assertRecorded(last.link, 'approve');
	const refused = await succeeded(ended(bench, last.id, 6));
	assert.equal(output(refused.data, 'Sent to everyone').length, 2);
	assert.equal(refused.arrivals.length, 1);
	assert.match(
		toldToAuthor(refused).join(),
		/^ios: The service refused the push to everyone \(400\)/,
	);
	await bench.client.deactivate(workflow.id);
}

/** Posts a campaign and waits for the question, which goes to each of the manager's platforms. */
async function askManager(
	bench: Bench,
	workflow: StoredWorkflow,
	campaign: string,
): Promise<{ id: string; link: string }> {
	const id = await callAndAsk(bench, workflow, campaignNamed(campaign));
	const { record } = bench.sandbox;
	assert.deepEqual(
		pathsOf({ arrivals: record }).sort(),
		platforms.map((platform) => `/api/v1/${platform}/send`),
	);
	const { user_id: to, url } = record[0]?.body as { user_id: string; url: string };
	assert.equal(to, 'manager-1001');
	return { id, link: url };
}

/** What the pushes to the author say. */
export function toldToAuthor(run: Parameters<typeof requestsOf>[0]): string[] {
	return requestsOf(run).map(({ path, body }) => {
		const { user_id: to, message } = body as { user_id: string; message: string };
		assert.deepEqual([path, to], ['/api/v1/web/send', 'author-1001']);
		return message;
	});
}
