import assert from 'node:assert/strict';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import { ended, open, press, start, untilWaiting, withShortWait } from '../answering';
import { assertSucceeded, create, output, type Bench, type Run } from '../bench';
import { example } from '../examples';

const FILE = 'campaign-approved-by-push.json';
const PATH = 'ask-campaign';
const platforms = ['android', 'ios', 'web'];
const words = {
	title: 'New season',
	message: 'The autumn collection is here.',
	url: 'https://shop.example.com/autumn',
};
const campaignNamed = (campaign: string) => ({ ...words, campaign, author: 'author-1001' });

export async function campaignApproved(bench: Bench): Promise<void> {
	const workflow = example(bench, FILE);
	const { id } = await create(bench, workflow);
	await approved(bench, id);
	await approvedAgain(bench, id);
	await declined(bench, id);
	await notSendable(bench, id);
	await onePlatformRefused(bench, id);
	await bench.client.deactivate(id);
	await noAnswer(bench, workflow);
}

async function approved(bench: Bench, workflowId: string): Promise<void> {
	const asked = await ask(bench, workflowId, 'Autumn');
	const { html } = await open(asked.link);
	assert.match(html, /<h1 dir="auto">Campaign Autumn<\/h1>/);
	for (const text of Object.values(words)) assert.ok(html.includes(text), text);
	assert.match((await press(asked.link, 'approve')).html, /was recorded/);
	const run = await ended(bench, asked.id);
	assertSucceeded(run);
	const sent = run.arrivals.slice(3).map(({ path, body }) => ({ path, body }));
	assert.deepEqual(
		sent.sort((one, other) => one.path.localeCompare(other.path)),
		platforms.map((platform) => ({ path: `/api/v1/${platform}/broadcast/all`, body: words })),
	);
	assert.equal(output(run.data, 'Sent to everyone').length, 3);
}

/** Send Once knows the campaign by its name. */
async function approvedAgain(bench: Bench, workflowId: string): Promise<void> {
	const asked = await ask(bench, workflowId, 'Autumn');
	await press(asked.link, 'approve');
	const run = await ended(bench, asked.id);
	assertSucceeded(run);
	assert.equal(run.arrivals.length, 3, 'only the question is sent');
	assert.deepEqual(output(run.data, 'Sent to everyone'), []);
}

async function declined(bench: Bench, workflowId: string): Promise<void> {
	const asked = await ask(bench, workflowId, 'Winter');
	assert.match((await press(asked.link, 'decline')).html, /Do not send it/);
	const run = await ended(bench, asked.id);
	assertSucceeded(run);
	assert.deepEqual(toldToAuthor(run, 3), ['Declined. Nothing was sent.']);
}

/** The manager is not asked about what cannot be sent. */
async function notSendable(bench: Bench, workflowId: string): Promise<void> {
	const campaign = { ...campaignNamed('Winter'), title: 'T'.repeat(71) };
	const run = await ended(bench, await start(bench, workflowId, PATH, campaign));
	assertSucceeded(run);
	const [told = '', ...more] = toldToAuthor(run, 0);
	assert.deepEqual(more, []);
	assert.match(told, /Title[^]*70/);
}

async function onePlatformRefused(bench: Bench, workflowId: string): Promise<void> {
	const asked = await ask(bench, workflowId, 'Winter');
	bench.sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } });
	await press(asked.link, 'approve');
	const run = await ended(bench, asked.id);
	assertSucceeded(run);
	assert.equal(output(run.data, 'Sent to everyone').length, 2);
	const [told = '', ...more] = toldToAuthor(run, 6);
	assert.deepEqual(more, []);
	assert.match(told, /^ios: The service refused the push to everyone \(400\)/);
}

/** As after 24 hours: a test cannot wait for them. */
async function noAnswer(bench: Bench, workflow: WorkflowJson): Promise<void> {
	const { id: workflowId } = await create(bench, withShortWait(workflow, 'Ask the manager'));
	const run = await ended(bench, await start(bench, workflowId, PATH, campaignNamed('Spring')));
	assertSucceeded(run);
	assert.deepEqual(toldToAuthor(run, 3), ['Nobody answered within 24 hours. Nothing was sent.']);
}

/** Posts a campaign and waits for the question, which goes to each of the manager's platforms. */
async function ask(
	bench: Bench,
	workflowId: string,
	campaign: string,
): Promise<{ id: string; link: string }> {
	const id = await start(bench, workflowId, PATH, campaignNamed(campaign));
	await untilWaiting(bench, id);
	const { record } = bench.sandbox;
	const paths = record.map(({ path }) => path).sort();
	assert.deepEqual(
		paths,
		platforms.map((platform) => `/api/v1/${platform}/send`),
	);
	const { user_id: to, url } = record[0]?.body as { user_id: string; url: string };
	assert.equal(to, 'manager-1001');
	return { id, link: url };
}

/** What the pushes to the author say, after so many other requests. */
function toldToAuthor({ arrivals }: Run, others: number): string[] {
	return arrivals.slice(others).map(({ path, body }) => {
		const { user_id: to, message } = body as { user_id: string; message: string };
		assert.deepEqual([path, to], ['/api/v1/web/send', 'author-1001']);
		return message;
	});
}
