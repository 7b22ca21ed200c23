import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { assertSucceeded, create, newExecution, output, type Bench, type Run } from '../bench';
import { example } from '../examples';

const announcement = [
	'New season',
	'The autumn collection is here.',
	'https://shop.example.com/autumn',
];
const [title, message, url] = announcement;
const tester = 'me-1001';

/** A form filled in for one campaign. */
const valuesFor = (campaign: string, words = announcement) => [...words, campaign, tester];

/** The messages to everyone. The others are tests. */
const broadcasts = ({ record }: Bench['sandbox']) =>
	record.filter(({ path }) => path.includes('/broadcast/'));

export async function announcementApproved(bench: Bench): Promise<void> {
	const workflow = await create(
		bench,
		example(bench, 'announcement-with-preview-and-approval.json'),
	);
	await approved(bench, workflow);
	await rejected(bench, workflow);
	await notSendable(bench, workflow);
	await sameCampaignAgain(bench, workflow);
	await onePlatformRefused(bench, workflow);
}

async function approved(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const { page, executionId } = await fillIn(bench, workflow, valuesFor('Approved'));
	const text = await (await fetch(page)).text();
	for (const words of [...announcement, 'web, android, ios', 'web: accepted'])
		assert.ok(text.includes(words), `the page shows: ${words}`);
	assert.deepEqual(
		bench.sandbox.record
			.map(({ path, body }) => ({ path, body }))
			.sort((one, other) => one.path.localeCompare(other.path)),
		['android', 'ios', 'web'].map((platform) => ({
			path: `/api/v1/${platform}/send`,
			body: { user_id: tester, title, message, url },
		})),
		'only the test is sent before the yes',
	);

	const { run, text: end } = await decide(bench, executionId, page, 'Send it to everyone');
	assertSucceeded(run);
	assert.match(end, /It was sent to everyone[^]*web: accepted\s+android: accepted\s+ios: accepted/);
	assert.deepEqual(
		broadcasts(bench.sandbox)
			.map(({ path, outcome }) => `${path} ${outcome}`)
			.sort(),
		['android', 'ios', 'web'].map((platform) => `/api/v1/${platform}/broadcast/all accepted`),
	);
	for (const { body } of broadcasts(bench.sandbox)) assert.deepEqual(body, { title, message, url });
	assert.deepEqual(
		output(run.data, 'Broadcast to everyone').map(({ json }) => json.outcome),
		['accepted', 'accepted', 'accepted'],
	);

	await post(page, ['Send it to everyone']);
	await sleep(500);
	assert.equal(broadcasts(bench.sandbox).length, 3, 'a second yes sends nothing more');
}

/** Send Once knows the campaign by its name, so that its broadcast is skipped and only the test is sent. */
async function sameCampaignAgain(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const words = ['Newer season', 'Other words, same campaign.', 'https://shop.example.com/'];
	const { page, executionId } = await fillIn(bench, workflow, valuesFor('Approved', words));
	const { run, text } = await decide(bench, executionId, page, 'Send it to everyone');
	assertSucceeded(run);
	assert.match(text, /Nothing was sent: this campaign was sent before/);
	assert.deepEqual(broadcasts(bench.sandbox), []);
	assert.deepEqual(
		output(run.data, 'Broadcast to everyone').map(({ json: { outcome, reason } }) => [
			outcome,
			reason,
		]),
		['web', 'android', 'ios'].map(() => ['skipped', 'sentBefore']),
	);
}

async function rejected(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const { page, executionId } = await fillIn(bench, workflow, valuesFor('Rejected'));
	const { run, text } = await decide(bench, executionId, page, 'Reject it');
	assertSucceeded(run);
	assert.match(text, /Nothing was sent[^]*You rejected it\.[^]*href="\.\.\/form\/announcement"/);
	assert.deepEqual(broadcasts(bench.sandbox), []);
}

/** The form shows the reason, and nobody is asked to approve it. */
async function notSendable(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const words = ['T'.repeat(71), 'Too long a title.', 'https://shop.example.com/'];
	const { page, executionId } = await fillIn(bench, workflow, valuesFor('Not sendable', words));
	assert.match(
		await lastPage(page),
		/This cannot be sent[^]*Title[^]*70[^]*href="\.\.\/form\/announcement"/,
	);
	const { status, data } = await bench.client.finished(executionId);
	assert.equal(status, 'success');
	assert.equal(data.resultData.runData['Approve or reject'], undefined);
	assert.deepEqual(bench.sandbox.record, []);
}

/** One platform refuses: the form says which, the run ends as failed, and nothing is sent again. */
async function onePlatformRefused(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const { page, executionId } = await fillIn(bench, workflow, valuesFor('One refused'));
	bench.sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } });
	const { run, text } = await decide(bench, executionId, page, 'Send it to everyone');
	assert.match(text, /It did not go out everywhere[^]*web: accepted[^]*ios: The service refused/);
	assert.match(text, /href="\.\.\/form\/announcement"[^]*same campaign name/);
	const { status, data } = run;
	assert.equal(status, 'error');
	assert.match(data.resultData.error?.message ?? '', /^ios, rejected: /);
	assert.deepEqual(
		output(data, 'Broadcast to everyone').map(({ json }) => json.outcome ?? json.error),
		[
			'accepted',
			'accepted',
			'The service refused the push to everyone (400): Caused by a fault of the sandbox',
		],
	);
	assert.equal(broadcasts(bench.sandbox).length, 3);
}

/** Fills in the first form; returns the page that then asks for a decision, or says what is wrong. */
async function fillIn(
	bench: Bench,
	{ id }: StoredWorkflow,
	values: string[],
): Promise<{ page: string; executionId: string }> {
	const { client, sandbox } = bench;
	sandbox.reset();
	const earlier = new Set((await client.executions(id)).map((execution) => execution.id));
	const { formWaitingUrl } = JSON.parse(
		await submit(`${client.url}/form/announcement`, values),
	) as { formWaitingUrl: string };
	const executionId = await newExecution(client, id, earlier);
	await untilWaiting(bench, executionId);
	const { pathname, search } = new URL(formWaitingUrl);
	return { page: `${client.url}${pathname}${search}`, executionId };
}

/** For a person, at a certain node or at any. */
async function untilWaiting({ client }: Bench, executionId: string, node?: string): Promise<void> {
	for (let attempt = 0; attempt < 600; attempt++) {
		const { status, data } = await client.execution(executionId);
		if (status === 'waiting' && (!node || data.resultData.runData[node])) return;
		await sleep(100);
	}
	throw new Error(`The execution does not wait${node ? ` at "${node}"` : ''}`);
}

/** Reads the page that ends a form, and tells n8n so, as the page's own script does. */
async function lastPage(page: string): Promise<string> {
	const text = await (await fetch(page)).text();
	await fetch(page, { method: 'POST', body: '' });
	return text;
}

/** Answers the second page; returns the run and the page that says what happened. */
async function decide(
	bench: Bench,
	executionId: string,
	page: string,
	decision: string,
): Promise<{ run: Run; text: string }> {
	await submit(page, [decision]);
	await untilWaiting(bench, executionId, 'Approved?');
	const text = await lastPage(page);
	const finished = await bench.client.finished(executionId);
	return { run: { id: executionId, ...finished, arrivals: [...bench.sandbox.record] }, text };
}

/** Newer n8n registers a form a moment after activation. */
async function submit(page: string, values: string[]): Promise<string> {
	for (let attempt = 1; ; attempt++) {
		const response = await post(page, values);
		if (response.status !== 404 || attempt === 20) return await response.text();
		await sleep(250);
	}
}

/** What the page's own script sends. */
async function post(page: string, values: string[]): Promise<Response> {
	const form = new FormData();
	values.forEach((value, index) => form.append(`field-${index}`, value));
	return await fetch(page, { method: 'POST', body: form });
}
