import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { create, assertSucceeded, outcomesOf, output, requestsOf, type Bench } from '../bench';
import { createExample, example, withParameters } from '../examples';
import { fillInForm, lastPage, pageOf, postForm, type FilledIn } from '../formPages';

const FILE = 'announcement-with-preview-and-approval.json';
const BROADCAST = 'Broadcast to everyone';
const CORRECT = 'Say what to correct';
const SENT = 'Say that it was sent';
const NOT_SENT = 'Say that nothing was sent';
const title = 'New season';
const message = 'The autumn collection is here.';
const url = 'https://shop.example.com/autumn';
const words = { title, message, url };
const tester = 'me-1001';
const yes = 'Send it to everyone';
const platforms = ['android', 'ios', 'web'];

/** A form filled in for one campaign. */
const valuesFor = (campaign: string, texts = Object.values(words)) => [...texts, campaign, tester];

const sorted = <T extends { path: string }>(requests: T[]) =>
	requests.sort((one, other) => one.path.localeCompare(other.path));

/** The messages to everyone. The others are tests. */
const broadcasts = ({ record }: Bench['sandbox']) =>
	sorted(requestsOf({ arrivals: record })).filter(({ path }) => path.includes('/broadcast/'));

const broadcastsOf = (sent: object) =>
	platforms.map((platform) => ({ path: `/api/v1/${platform}/broadcast/all`, body: sent }));

export async function announcementApproved(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, FILE);
	await approved(bench, workflow);
	await rejected(bench, workflow);
	await changed(bench, workflow);
	await notSendable(bench, workflow);
	await onePlatformRefused(bench, workflow);
	await segmentByName(bench);
}

async function approved(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const { page, ...filled } = await fillIn(bench, workflow, valuesFor('Approved'));
	assertShows(
		page,
		'Customers have not received anything yet. You decide on the next page.',
		`<h4>${title}</h4>${message}<h5>shop.example.com</h5>`,
		'✓ sent on Web',
		'✓ sent on iOS',
	);
	const question = await goOn(bench, filled);
	assertShows(question, '<b>Everyone</b> gets this on Web, Android, iOS', ...Object.values(words));
	assert.deepEqual(
		sorted(requestsOf({ arrivals: bench.sandbox.record })),
		platforms.map((platform) => ({
			path: `/api/v1/${platform}/send`,
			body: { user_id: tester, ...words },
		})),
		'only the test is sent before the yes',
	);

	const { run, page: end } = await decide(bench, filled, yes, SENT);
	assertSucceeded(run);
	assert.match(end, /It was sent to everyone[^]*Web: sent<br \/>Android: sent<br \/>iOS: sent/);
	assert.deepEqual(broadcasts(bench.sandbox), broadcastsOf(words));
	assert.deepEqual(outcomesOf(run, BROADCAST), ['accepted', 'accepted', 'accepted']);

	await postForm(filled.address, [yes]);
	await sleep(500);
	assert.equal(broadcasts(bench.sandbox).length, 3, 'a second yes sends nothing more');

	// The first page knows the campaign by its name. Send Once would skip its broadcast anyway.
	const others = ['Newer season', 'Other words, same campaign.', 'https://shop.example.com/'];
	const again = await fillIn(bench, workflow, valuesFor('Approved', others), CORRECT);
	assert.match(again.page, /name 'Approved' was used already, and each name goes out once/);
	assert.deepEqual(bench.sandbox.record, [], 'no test either');
}

async function rejected(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const filled = await fillIn(bench, workflow, valuesFor('Rejected'));
	await goOn(bench, filled);
	const { run, page } = await decide(bench, filled, 'Do not send', NOT_SENT);
	assertSucceeded(run);
	assert.match(page, /Nothing was sent[^]*You chose not to send it\./);
	await filledInAgain(bench, page, valuesFor('Rejected'));
	assert.deepEqual(broadcasts(bench.sandbox), []);
}

/** The last page offers to change the text. The form then comes back filled in, and a new test goes out. */
async function changed(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const values = valuesFor('Changed');
	const filled = await fillIn(bench, workflow, values);
	assertShows(await goOn(bench, filled), 'Change the text');
	await postForm(filled.address, ['Change the text']);
	const form = await pageOf(bench, filled, CORRECT);
	assert.match(form, /Change the text[^]*Only the test went out\. You get a new one\./);
	assert.deepEqual(enteredIn(form), values);
	assert.deepEqual(broadcasts(bench.sandbox), []);

	await postForm(filled.address, ['Newest season', ...values.slice(1)]);
	const again = await pageOf(bench, filled, 'Look at it');
	assert.match(again, /<h4>Newest season<[^]*✓ sent on Web/);
	await goOn(bench, filled);
	await decide(bench, filled, yes, SENT);
	assert.equal(bench.sandbox.record.length, 9, 'two tests and one broadcast on each platform');
	assert.deepEqual(broadcasts(bench.sandbox), broadcastsOf({ ...words, title: 'Newest season' }));
}

/** The form comes back with one line for each mistake and with what was entered, until it can be sent. */
async function notSendable(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const texts = ['T'.repeat(71), 'Hello {{ name }}, "you" & <b>me</b>', 'shop.example.com/sale'];
	const values = valuesFor('Not sendable', texts);
	const { page, ...filled } = await fillIn(bench, workflow, values, CORRECT);
	const mistakes = [
		'• Title has 71 characters, but Android and iOS take at most 70',
		"• Message contains '{{ name }}'",
		`• Link '${texts[2]}' is not a link. Did you mean https://${texts[2]}?`,
	];
	assertShows(page, mistakes.join('\n'));
	assert.doesNotMatch(page, /Skip Text Check|n8n did not|• URL/);
	assert.deepEqual(enteredIn(page), values);
	assert.deepEqual(bench.sandbox.record, [], 'no test either');

	await postForm(filled.address, ['Short', ...values.slice(1)]);
	const second = await pageOf(bench, filled, CORRECT);
	assert.doesNotMatch(second, /Title has 71/);
	assert.deepEqual(enteredIn(second), ['Short', ...values.slice(1)]);

	await postForm(filled.address, valuesFor('Not sendable'));
	assertShows(await pageOf(bench, filled, 'Look at it'), message);
	await goOn(bench, filled);
	const { run } = await decide(bench, filled, yes, SENT);
	assertSucceeded(run);
	assert.equal(bench.sandbox.record.length, 6, 'one test and one broadcast on each platform');
	assert.deepEqual(broadcasts(bench.sandbox), broadcastsOf(words));
}

/** A copy that goes to a segment names the segment where it is approved. */
async function segmentByName(bench: Bench): Promise<void> {
	const path = 'segment-announcement';
	const segment_id = { __rl: true, mode: 'list', value: '42', cachedResultName: 'VIP customers' };
	const ownPath = withParameters(example(bench, FILE), 'Announcement form', { options: { path } });
	const toSegment = withParameters(ownPath, BROADCAST, {
		...{ operation: 'broadcastSegment', segment_id },
	});
	const workflow = await create(bench, toSegment);
	const filled = await fillIn(bench, workflow, valuesFor('Segment'), 'Look at it', path);
	assertShows(await goOn(bench, filled), '<b>VIP customers</b> gets this');
	await decide(bench, filled, 'Do not send', NOT_SENT);
}

/** One platform refuses: the form says which, the run ends as failed, and nothing is sent again. */
async function onePlatformRefused(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const filled = await fillIn(bench, workflow, valuesFor('One refused'));
	await goOn(bench, filled);
	bench.sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } });
	const { run, page } = await decide(bench, filled, yes, 'Say where it failed');
	assert.match(page, /It did not go out everywhere[^]*Web: sent[^]*iOS: The service refused/);
	assert.match(page, /with the same campaign name, platforms that have it are skipped/);
	await filledInAgain(bench, page, valuesFor('One refused'));
	assert.equal(run.status, 'error');
	assert.match(run.data.resultData.error?.message ?? '', /^ios, rejected: /);
	assert.deepEqual(
		output(run.data, BROADCAST).map(({ json }) => json.error ?? json.outcome),
		[
			'accepted',
			'accepted',
			'The service refused the push to everyone (400): Caused by a fault of the sandbox',
		],
	);
	assert.equal(broadcasts(bench.sandbox).length, 3);
}

/** Fills in the first form, and waits for the page that comes next. */
async function fillIn(
	bench: Bench,
	workflow: StoredWorkflow,
	values: string[],
	next = 'Look at it',
	path = 'announcement',
): Promise<FilledIn & { page: string }> {
	bench.sandbox.reset();
	const filled = await fillInForm(bench, workflow, path, values);
	return { ...filled, page: await pageOf(bench, filled, next) };
}

/** Goes on to the page that asks for the decision. */
async function goOn(bench: Bench, filled: FilledIn): Promise<string> {
	await postForm(filled.address, []);
	return await pageOf(bench, filled, 'Approve or reject');
}

/** Answers the page that asks for the decision; returns the run and the page that says what happened. */
async function decide(bench: Bench, filled: FilledIn, decision: string, lastNode: string) {
	await postForm(filled.address, [decision]);
	return await lastPage(bench, filled, lastNode);
}

function assertShows(page: string, ...texts: string[]): void {
	for (const text of texts) assert.ok(page.includes(text), `"${text}" is not in ${page}`);
}

/** What the fields of a page hold, in their order. */
function enteredIn(page: string): string[] {
	const fields = page.matchAll(/<textarea[^>]*>([^<]*)<\/textarea>|<input[^>]*\svalue="([^"]*)"/g);
	return [...fields].map(([, area, line]) => decoded(area ?? line ?? ''));
}

function decoded(html: string): string {
	const entities = { '&quot;': '"', '&#x27;': "'", '&#x3D;': '=', '&lt;': '<', '&gt;': '>' };
	return Object.entries(entities)
		.reduce((text, [entity, sign]) => text.replaceAll(entity, sign), html)
		.replaceAll('&amp;', '&');
}

/** The link of a page leads to the first form, which holds what was entered. */
async function filledInAgain({ client }: Bench, page: string, values: string[]): Promise<void> {
	const [, link] = /href="\.\.(\/form\/announcement\?[^"]+)"/.exec(page) ?? [];
	assert.ok(link, page);
	const form = await (await fetch(`${client.url}${decoded(link)}`)).text();
	assert.deepEqual(enteredIn(form), values);
}
