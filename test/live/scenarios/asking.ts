import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Item } from '../../../scripts/n8n/executionData';
import { say } from '../../../scripts/steps';
import { messaging, noOp, makeRows, webhook, workflow } from '../../../scripts/n8n/workflows';
import { open, press, start, untilWaiting } from '../answering';
import {
	assertSucceeded,
	create,
	output,
	runByWebhook,
	type Bench,
	type CrashableBench,
} from '../bench';
import { createInLoop, createSubWorkflow } from '../rows';

const question = {
	resource: 'push',
	operation: 'sendAndWait',
	platforms: ['web'],
	recipientBy: 'user_id',
	user_id: 'C-1',
	title: 'Spring <sale>',
	message: '=May it go out to {{ $json.body.customers }} customers?',
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Send it', disapproveLabel: 'Stop it' },
	},
};

/** A question that an execution waits for. */
export interface WaitingQuestion {
	id: string;
	link: string;
}

/** Starts a workflow that asks, and waits until its execution waits. */
export async function ask(
	bench: Bench,
	path: string,
	changes: object = {},
): Promise<WaitingQuestion> {
	const nodes = [webhook(path), messaging('Ask', { ...question, ...changes }), noOp('Done')];
	const { id: workflowId } = await create(bench, workflow(path, nodes, bench.credentialIds));
	const id = await start(bench, workflowId, path, { customers: 5000 });
	await untilWaiting(bench, id);
	return { id, link: linkSent(bench) };
}

function linkSent({ sandbox }: Bench, index = 0): string {
	const { url = '' } = (sandbox.record[index]?.body ?? {}) as { url?: string };
	assert.match(
		url,
		/^http:\/\/localhost:\d+\/(n8n\/)?webhook-waiting\/\d+\/\w+\?signature=\w{64}$/,
	);
	return url;
}

/** What the node after the question got, without the time of the answer. */
export async function answerOf({ client }: Bench, { id }: WaitingQuestion): Promise<unknown> {
	const { status, data } = await client.finished(id);
	assert.equal(status, 'success');
	const [item, ...others] = output(data, 'Done');
	assert.deepEqual(others, []);
	return withoutTime(item);
}

/** An item without the time of its answer, which it must have. */
function withoutTime(item: Item | undefined): Item['json'] {
	const { data, ...rest } = item?.json ?? {};
	if (data === undefined) return rest;
	const { respondedAt, ...answer } = data as Record<string, unknown>;
	assert.match(String(respondedAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
	return { ...rest, data: answer };
}

export async function stillWaits({ client }: Bench, { id }: WaitingQuestion): Promise<void> {
	assert.equal((await client.execution(id)).status, 'waiting');
}

export async function approvedAndDeclined(bench: Bench): Promise<void> {
	const yes = await ask(bench, 'ask-approve');
	const { status, html, policy } = await open(yes.link);
	assert.equal(status, 200);
	assert.match(html, /<h1 dir="auto">Spring &lt;sale&gt;<\/h1>/);
	assert.match(html, />May it go out to 5000 customers\?<\/p>/);
	assert.match(policy, /^default-src 'none'/);
	assert.doesNotMatch(html, /<script|https?:/);
	const confirmed = await press(yes.link, 'approve');
	assert.equal(confirmed.status, 200);
	assert.match(confirmed.html, /Your answer was recorded[^]*Send it/);
	assert.deepEqual(await answerOf(bench, yes), { data: { approved: true } });
	const afterwards = await open(yes.link);
	assert.match(afterwards.html, /No action required/i);

	const no = await ask(bench, 'ask-decline');
	assert.match((await press(no.link, 'decline')).html, /Stop it/);
	assert.deepEqual(await answerOf(bench, no), { data: { approved: false } });
	assert.equal(bench.sandbox.record.length, 1, 'nothing was sent again');
}

/** The first question is approved, and nobody answers the second one in time. */
export async function timeIsOver(bench: Bench): Promise<void> {
	const path = 'ask-limit';
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
	const limited = { ...question, message: 'Sure?', options: { limitWaitTime: { values } } };
	const ask = [messaging('First', question), messaging('Ask', limited)];
	const nodes = [webhook(path), ...ask, noOp('Done')];
	const { id: workflowId } = await create(bench, workflow(path, nodes, bench.credentialIds));
	const id = await start(bench, workflowId, path, { customers: 5000 });
	await untilWaiting(bench, id);
	assert.match((await press(linkSent(bench), 'approve')).html, /was recorded/);
	while (bench.sandbox.record.length < 2) await sleep(50);
	const link = linkSent(bench, 1);
	assert.deepEqual(await answerOf(bench, { id, link }), {}, 'the first answer is not the second');
	assert.equal(bench.sandbox.record.length, 2);
	assert.match((await press(link, 'approve')).html, /No action required/i);
}

export async function answeredOnce(bench: Bench): Promise<void> {
	const asked = await ask(bench, 'ask-twice');
	const [first, second] = await Promise.all([
		press(asked.link, 'approve'),
		press(asked.link, 'decline'),
	]);
	const recorded = [first, second].filter(({ html }) => html.includes('was recorded'));
	assert.equal(recorded.length, 1, 'one of two answers at the same moment counts');
	const approved = recorded[0] === first;
	assert.deepEqual(await answerOf(bench, asked), { data: { approved } });
	const again = await press(asked.link, approved ? 'decline' : 'approve');
	assert.doesNotMatch(again.html, /was recorded/);
	assert.deepEqual(await answerOf(bench, asked), { data: { approved } });
	const { data } = await bench.client.execution(asked.id);
	assert.equal(data.resultData.runData.Done?.length, 1, 'the workflow went on once');
}

export async function scannersDecideNothing(bench: Bench): Promise<void> {
	const asked = await ask(bench, 'ask-scanner');
	const agents = ['Mozilla/5.0', 'facebookexternalhit/1.1', 'Mimecast', ''];
	for (const agent of agents) {
		for (const method of ['GET', 'HEAD']) {
			const response = await fetch(asked.link, {
				method,
				headers: { 'user-agent': agent, connection: 'close' },
			});
			await response.arrayBuffer();
			say(`    ${method} by ${agent || 'no user agent'}: ${response.status}`);
		}
	}
	await open(`${asked.link}&approved=true&decision=approve`);
	await stillWaits(bench, asked);
	assert.match((await press(asked.link, 'approve')).html, /was recorded/);
	assert.deepEqual(await answerOf(bench, asked), { data: { approved: true } });
}

export async function signatureCounts(bench: Bench): Promise<void> {
	const [one, other] = [await ask(bench, 'ask-one'), await ask(bench, 'ask-other')];
	const wrong = [
		one.link.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
		one.link.replace(/\?.*/, ''),
		one.link.replace(`/${one.id}/`, `/${other.id}/`),
		other.link.replace(`/${other.id}/`, `/${one.id}/`),
	];
	for (const link of wrong) {
		for (const method of ['GET', 'POST']) {
			const { status, html } = await open(
				link,
				method,
				method === 'POST' ? { decision: 'approve' } : undefined,
			);
			assert.ok([401, 410].includes(status), `${method} ${link} was answered ${status}`);
			assert.doesNotMatch(html, /customers/);
		}
	}
	await stillWaits(bench, one);
	await stillWaits(bench, other);
	await press(one.link, 'approve');
	await press(other.link, 'decline');
	assert.deepEqual(await answerOf(bench, one), { data: { approved: true } });
	assert.deepEqual(await answerOf(bench, other), { data: { approved: false } });
}

export async function restartWhileWaiting(bench: CrashableBench): Promise<void> {
	const asked = await ask(bench, 'ask-restart');
	await bench.crash();
	await stillWaits(bench, asked);
	assert.match((await open(asked.link)).html, /5000 customers/);
	assert.match((await press(asked.link, 'approve')).html, /was recorded/);
	assert.deepEqual(await answerOf(bench, asked), { data: { approved: true } });
	assert.equal(bench.sandbox.record.length, 1, 'the question was sent once');
}

/** n8n does not run the node again: to its Retry, a stopped wait is over. */
export async function stoppedWhileWaiting(bench: Bench): Promise<void> {
	const asked = await ask(bench, 'ask-stop');
	await bench.client.stopExecution(asked.id);
	const late = await press(asked.link, 'approve');
	assert.doesNotMatch(late.html, /was recorded/, `n8n answered ${late.status}`);
	const retried = await bench.client.retry(asked.id);
	assert.equal(retried.status, 'success');
	const [item] = output(retried.data, 'Done');
	assert.equal(item?.json.data, undefined, 'no answer is made up');
	assert.deepEqual(item?.json.body, { customers: 5000 });
	assert.equal(bench.sandbox.record.length, 1, 'nobody is asked again');
}

/** The link of one round must not answer the question of the next. */
export async function askedInLoop(bench: Bench): Promise<void> {
	const path = 'ask-loop';
	const node = messaging('Ask', { ...question, message: '=Will {{ $json.userID }} come?' });
	const { id: workflowId } = await createInLoop(bench, path, node, 1);
	const id = await start(bench, workflowId, path, { rows: makeRows(path, 2) });
	await untilWaiting(bench, id);
	const first = String((bench.sandbox.record[0]?.body as { url: string }).url);
	assert.match((await open(first)).html, /Will ask-loop-0 come/);
	assert.match((await press(first, 'approve')).html, /was recorded/);
	while (bench.sandbox.record.length < 2) await sleep(50);
	await untilWaiting(bench, id);
	const second = String((bench.sandbox.record[1]?.body as { url: string }).url);
	const wrong = await press(first, 'approve');
	assert.equal(wrong.status, 410);
	assert.doesNotMatch(wrong.html, /come\?/);
	assert.match((await open(second)).html, /Will ask-loop-1 come/);
	assert.match((await press(second, 'decline')).html, /was recorded/);
	const { status, data } = await bench.client.finished(id);
	assert.equal(status, 'success');
	assert.deepEqual(
		output(data, 'Done').map((item) => withoutTime(item).data),
		[{ approved: true }, { approved: false }],
	);
}

/** The node that calls a sub-workflow, which asks the user of its row. */
async function callToAsk(bench: Bench, path: string) {
	const node = messaging('Ask', { ...question, message: '=Will {{ $json.userID }} come?' });
	return await createSubWorkflow(bench, path, node);
}

/** In a loop, a caller that waits calls the next one after the answer, which n8n 1 does not hand on. */
export async function askedInTurn(bench: Bench): Promise<void> {
	const path = 'ask-turn';
	const { id: workflowId } = await createInLoop(
		bench,
		path,
		await callToAsk(bench, `${path}-called`),
		1,
	);
	const id = await start(bench, workflowId, path, { rows: makeRows(path, 2) });
	for (const [index, decision] of (['approve', 'decline'] as const).entries()) {
		while (bench.sandbox.record.length <= index) await sleep(50);
		const link = linkSent(bench, index);
		await untilWaiting(bench, /webhook-waiting\/(\d+)\//.exec(link)?.[1] ?? '');
		assert.match((await open(link)).html, new RegExp(`Will ask-turn-${index} come`));
		assert.equal(bench.sandbox.record.length, index + 1, 'the next one is asked later');
		assert.match((await press(link, decision)).html, /was recorded/);
	}
	const { status, data } = await bench.client.finished(id);
	assert.equal(status, 'success');
	const answers = bench.version.startsWith('1.')
		? [undefined, undefined]
		: [{ approved: true }, { approved: false }];
	assert.deepEqual(
		output(data, 'Done').map((item) => withoutTime(item).data),
		answers,
	);
	assert.equal(bench.sandbox.record.length, 2, 'each is asked once');
}

/** As the refusal of several items advises: sub-workflows that the caller does not wait for. */
export async function askedAllAtOnce(bench: Bench): Promise<void> {
	const path = 'ask-all';
	const { client, sandbox } = bench;
	const call = await callToAsk(bench, `${path}-called`);
	const parameters = call.parameters as { workflowId: { value: string } };
	const options = { waitForSubWorkflow: false };
	const caller = { ...call, parameters: { ...parameters, options } };
	const stored = await createInLoop(bench, path, caller, 1);
	const rows = makeRows(path, 3);
	const run = await runByWebhook(bench, stored, path, { rows });
	assertSucceeded(run);
	assert.equal(output(run.data, 'Done').length, rows.length, 'the caller goes on at once');

	while (sandbox.record.length < rows.length) await sleep(50);
	const asked = sandbox.record.map(({ body }) => {
		const { url, message } = body as { url: string; message: string };
		return { url, message, id: /webhook-waiting\/(\d+)\//.exec(url)?.[1] ?? '' };
	});
	assert.deepEqual(
		asked.map(({ message }) => message).sort(),
		rows.map(({ userID }) => `Will ${userID} come?`),
	);
	const decisions = ['decline', 'approve', 'decline'] as const;
	for (const [index, { url, id }] of asked.entries()) {
		await untilWaiting(bench, id);
		assert.match((await press(url, decisions[index] ?? 'approve')).html, /was recorded/);
	}
	for (const [index, { id }] of asked.entries()) {
		const { status, data } = await client.finished(id);
		assert.equal(status, 'success');
		assert.deepEqual(
			output(data, 'Ask').map(withoutTime),
			[{ data: { approved: decisions[index] === 'approve' } }],
			'each goes on with its own answer',
		);
	}
	assert.equal((await client.executions(parameters.workflowId.value)).length, rows.length);
}
