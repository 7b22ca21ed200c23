import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { assertSucceeded, create, newExecution, output, type Bench, type Run } from '../bench';
import { example, parametersOf, withNode } from '../examples';
import { lastPage, pageOf, postForm, startForm } from '../formPages';

const title = 'New season';
const message = 'The autumn collection is here.';
const url = 'https://shop.example.com/autumn';
const announcement = [title, message, url];
const tester = 'me-1001';
const yes = 'Send it to everyone';

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
	await changed(bench, workflow);
	await notSendable(bench, workflow);
	await sameCampaignAgain(bench, workflow);
	await onePlatformRefused(bench, workflow);
	await segmentByName(bench);
}

async function approved(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const filled = await fillIn(bench, workflow, valuesFor('Approved'));
	for (const words of [
		'Customers have not received anything yet. You decide on the next page.',
		`<h4>${title}</h4>${message}<h5>shop.example.com</h5>`,
		'✓ sent on Web',
		'✓ sent on iOS',
	])
		assert.ok(filled.page.includes(words), `the page shows: ${words}`);
	const question = await goOn(bench, filled);
	for (const words of ['<b>Everyone</b> gets this on Web, Android, iOS', ...announcement])
		assert.ok(question.includes(words), `the page that asks shows: ${words}`);
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

	const { run, text: end } = await decide(bench, filled, yes, 'Say that it was sent');
	assertSucceeded(run);
	assert.match(end, /It was sent to everyone[^]*Web: sent<br \/>Android: sent<br \/>iOS: sent/);
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

	await postForm(filled.address, [yes]);
	await sleep(500);
	assert.equal(broadcasts(bench.sandbox).length, 3, 'a second yes sends nothing more');
}

/** The first page knows the campaign by its name. Send Once would skip its broadcast anyway. */
async function sameCampaignAgain(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const words = ['Newer season', 'Other words, same campaign.', 'https://shop.example.com/'];
	const values = valuesFor('Approved', words);
	const { page } = await fillIn(bench, workflow, values, 'Say what to correct');
	assert.match(page, /campaign name 'Approved' was used already, and each name goes out once/);
	assert.deepEqual(bench.sandbox.record, [], 'no test either');
}

async function rejected(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const filled = await fillIn(bench, workflow, valuesFor('Rejected'));
	await goOn(bench, filled);
	const { run, text } = await decide(bench, filled, 'Do not send', 'Say that nothing was sent');
	assertSucceeded(run);
	assert.match(text, /Nothing was sent[^]*You chose not to send it\./);
	await filledInAgain(bench, text, valuesFor('Rejected'));
	assert.deepEqual(broadcasts(bench.sandbox), []);
}

/** The last page offers to change the text. The form then comes back filled in, and a new test goes out. */
async function changed(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const values = valuesFor('Changed');
	const filled = await fillIn(bench, workflow, values);
	assert.ok((await goOn(bench, filled)).includes('Change the text'));
	const { address, executionId } = filled;
	await postForm(address, ['Change the text']);
	const form = await pageOf(bench, executionId, address, 'Say what to correct');
	assert.match(form, /Change the text[^]*Only the test went out\. You get a new one\./);
	assert.deepEqual(enteredIn(form), values);
	assert.deepEqual(broadcasts(bench.sandbox), []);

	await postForm(address, ['Newest season', ...values.slice(1)]);
	const again = await pageOf(bench, executionId, address, 'Look at it');
	assert.match(again, /<h4>Newest season<[^]*✓ sent on Web/);
	await goOn(bench, filled);
	await decide(bench, filled, yes, 'Say that it was sent');
	assert.equal(bench.sandbox.record.length, 9, 'two tests and one broadcast on each platform');
	for (const { body } of broadcasts(bench.sandbox))
		assert.deepEqual(body, { title: 'Newest season', message, url });
}

/** The form comes back with one line for each mistake and with what was entered, until it can be sent. */
async function notSendable(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const words = ['T'.repeat(71), 'Hello {{ name }}, "you" & <b>me</b>', 'shop.example.com/sale'];
	const values = valuesFor('Not sendable', words);
	const filled = await fillIn(bench, workflow, values, 'Say what to correct');
	const mistakes = [
		'Title has 71 characters, but Android and iOS take at most 70',
		"Message contains '{{ name }}'",
		`Link '${words[2]}' is not a link. Did you mean https://${words[2]}?`,
	];
	assert.ok(
		filled.page.includes(mistakes.map((mistake) => `• ${mistake}`).join('\n')),
		filled.page,
	);
	assert.doesNotMatch(filled.page, /Skip Text Check|n8n did not|• URL/);
	assert.deepEqual(enteredIn(filled.page), values);
	assert.deepEqual(bench.sandbox.record, [], 'no test either');

	const { address, executionId } = filled;
	await postForm(address, ['Short', ...values.slice(1)]);
	const second = await pageOf(bench, executionId, address, 'Say what to correct');
	assert.doesNotMatch(second, /Title has 71/);
	assert.deepEqual(enteredIn(second), ['Short', ...values.slice(1)]);

	await postForm(address, valuesFor('Not sendable'));
	assert.ok((await pageOf(bench, executionId, address, 'Look at it')).includes(message));
	await goOn(bench, filled);
	const { run } = await decide(bench, filled, yes, 'Say that it was sent');
	assertSucceeded(run);
	assert.equal(bench.sandbox.record.length, 6, 'one test and one broadcast on each platform');
	for (const { body } of broadcasts(bench.sandbox)) assert.deepEqual(body, { title, message, url });
}

/** A copy that goes to a segment names the segment where it is approved. */
async function segmentByName(bench: Bench): Promise<void> {
	const original = example(bench, 'announcement-with-preview-and-approval.json');
	const ownPath = withNode(original, 'Announcement form', {
		parameters: {
			...parametersOf(original, 'Announcement form'),
			options: { path: 'segment-announcement' },
		},
	});
	const segment = { __rl: true, mode: 'list', value: '42', cachedResultName: 'VIP customers' };
	const toSegment = withNode(ownPath, 'Broadcast to everyone', {
		parameters: {
			...parametersOf(original, 'Broadcast to everyone'),
			operation: 'broadcastSegment',
			segment_id: segment,
		},
	});
	const workflow = await create(bench, toSegment);
	const filled = await fillIn(
		bench,
		workflow,
		valuesFor('Segment'),
		'Look at it',
		'segment-announcement',
	);
	assert.ok((await goOn(bench, filled)).includes('<b>VIP customers</b> gets this'));
	await decide(bench, filled, 'Do not send', 'Say that nothing was sent');
}

/** One platform refuses: the form says which, the run ends as failed, and nothing is sent again. */
async function onePlatformRefused(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const filled = await fillIn(bench, workflow, valuesFor('One refused'));
	await goOn(bench, filled);
	bench.sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } });
	const { run, text } = await decide(bench, filled, yes, 'Say where it failed');
	assert.match(text, /It did not go out everywhere[^]*Web: sent[^]*iOS: The service refused/);
	assert.match(text, /with the same campaign name, platforms that have it are skipped/);
	await filledInAgain(bench, text, valuesFor('One refused'));
	const { status, data } = run;
	assert.equal(status, 'error');
	assert.match(data.resultData.error?.message ?? '', /^ios, rejected: /);
	assert.deepEqual(
		output(data, 'Broadcast to everyone').map(({ json }) => json.error ?? json.outcome),
		[
			'accepted',
			'accepted',
			'The service refused the push to everyone (400): Caused by a fault of the sandbox',
		],
	);
	assert.equal(broadcasts(bench.sandbox).length, 3);
}

interface Filled {
	executionId: string;
	/** The address of all its pages. */
	address: string;
}

/** Fills in the first form, and waits for the page that comes next. */
async function fillIn(
	bench: Bench,
	{ id }: StoredWorkflow,
	values: string[],
	next = 'Look at it',
	path = 'announcement',
): Promise<Filled & { page: string }> {
	const { client, sandbox } = bench;
	sandbox.reset();
	const earlier = new Set((await client.executions(id)).map((execution) => execution.id));
	const address = await startForm(bench, path, values);
	const executionId = await newExecution(client, id, earlier);
	return { executionId, address, page: await pageOf(bench, executionId, address, next) };
}

/** Goes on to the page that asks for the decision. */
async function goOn(bench: Bench, { executionId, address }: Filled): Promise<string> {
	await postForm(address, []);
	return await pageOf(bench, executionId, address, 'Approve or reject');
}

/** Answers the page that asks for the decision; returns the run and the page that says what happened. */
async function decide(
	bench: Bench,
	{ executionId, address }: Filled,
	decision: string,
	lastNode: string,
): Promise<{ run: Run; text: string }> {
	await postForm(address, [decision]);
	const text = await lastPage(bench, executionId, address, lastNode);
	const finished = await bench.client.finished(executionId);
	return { run: { id: executionId, ...finished, arrivals: [...bench.sandbox.record] }, text };
}

/** What the fields of a page hold, in their order. */
function enteredIn(page: string): string[] {
	const fields = page.matchAll(/<textarea[^>]*>([^<]*)<\/textarea>|<input[^>]*\svalue="([^"]*)"/g);
	return [...fields].map(([, area, line]) => decoded(area ?? line ?? ''));
}

function decoded(html: string): string {
	return html
		.replace(/&quot;/g, '"')
		.replace(/&#x27;/g, "'")
		.replace(/&#x3D;/g, '=')
		.replace(/&lt;/g, '<')
		.replace(/&gt;/g, '>')
		.replace(/&amp;/g, '&');
}

/** The link of a page leads to the first form, which holds what was entered. */
async function filledInAgain({ client }: Bench, page: string, values: string[]): Promise<void> {
	const [, link] = /href="\.\.(\/form\/announcement\?[^"]+)"/.exec(page) ?? [];
	assert.ok(link, page);
	const form = await (await fetch(`${client.url}${decoded(link)}`)).text();
	assert.deepEqual(enteredIn(form), values);
}
