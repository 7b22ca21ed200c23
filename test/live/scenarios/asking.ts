import assert from 'node:assert/strict';
import { messaging, makeRows, noOp } from '../../../scripts/n8n/workflows';
import {
	assertRecorded,
	callAndAsk,
	open,
	press,
	shortWait,
	untilWaiting,
	withShortWait,
} from '../answering';
import {
	call,
	create,
	ended,
	output,
	runByWebhook,
	succeeded,
	untilRequests,
	type Bench,
} from '../bench';
import { example } from '../examples';
import { createBehindWebhook, createInLoop, createSubWorkflow } from '../rows';
import { APPOINTMENT, asha, CAMPAIGN, campaignNamed, toldToAuthor } from './exampleQuestions';

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
const willCome = messaging('Ask', { ...question, message: '=Will {{ $json.userID }} come?' });
const body = { customers: 5000 };

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
	const nodes = [messaging('Ask', { ...question, ...changes }), noOp('Done')];
	const id = await callAndAsk(bench, await createBehindWebhook(bench, path, nodes), body);
	return { id, link: linkSent(bench) };
}

function linkSent({ sandbox }: Bench, index = 0): string {
	const { url = '' } = (sandbox.record[index]?.body ?? {}) as { url?: string };
	assert.match(
		url,
		/^http:\/\/localhost:\d+\/(n8n\/)?webhook-waiting\/\d+\/\w+\?(run=\d+&)?signature=\w{64}$/,
	);
	return url;
}

const executionOf = (link: string) => /webhook-waiting\/(\d+)\//.exec(link)?.[1] ?? '';

/** What the node after the question got, without the time of the answer. */
export async function answerOf(bench: Bench, { id }: WaitingQuestion): Promise<unknown> {
	const [answer, ...others] = await answersOf(bench, id);
	assert.deepEqual(others, []);
	return answer;
}

async function answersOf(bench: Bench, id: string, node = 'Done'): Promise<unknown[]> {
	const { data } = await succeeded(ended(bench, id));
	return output(data, node).map(({ json }) => {
		const { data: answered, ...rest } = json;
		if (answered === undefined) return rest;
		const { respondedAt, ...answer } = answered as Record<string, unknown>;
		assert.match(String(respondedAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
		return { ...rest, data: answer };
	});
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
	assert.match((await open(yes.link)).html, /No action required/i);

	const no = await ask(bench, 'ask-decline');
	await assertRecorded(no.link, 'decline', 'Stop it');
	assert.deepEqual(await answerOf(bench, no), { data: { approved: false } });
	assert.equal(bench.sandbox.record.length, 1, 'nothing was sent again');
}

/**
 * The first question is approved, and nobody answers the second one in time, nor those of two examples, whose 24 hours
 * and whose evening no test can wait for. n8n looks once a minute, so all wait at once.
 */
export async function timeIsOver(bench: Bench): Promise<void> {
	const { sandbox } = bench;
	const second = messaging('Ask', { ...question, message: 'Sure?', options: shortWait });
	const nodes = [messaging('First', question), second, noOp('Done')];
	const id = await callAndAsk(bench, await createBehindWebhook(bench, 'ask-limit', nodes), body);
	await assertRecorded(linkSent(bench), 'approve');
	await untilRequests(bench, 2);
	const link = linkSent(bench, 1);
	const campaign = await create(bench, withShortWait(example(bench, CAMPAIGN), 'Ask the manager'));
	const campaignId = await call(bench, campaign, campaignNamed('Spring'));
	const appointment = await create(bench, withShortWait(example(bench, APPOINTMENT), 'Ask by SMS'));
	const appointmentId = await call(bench, appointment, asha);

	assert.deepEqual(await answerOf(bench, { id, link }), {}, 'the first answer is not the second');
	assert.match((await press(link, 'approve')).html, /No action required/i);
	const { data } = await succeeded(ended(bench, appointmentId));
	assert.equal(output(data, 'Reminded').length, 1);
	await succeeded(ended(bench, campaignId));
	const to = (text: string) => sandbox.record.filter(({ rawBody }) => rawBody.includes(text));
	assert.deepEqual([to('"C-1"').length, to('manager-1001').length], [2, 3]);
	assert.deepEqual(toldToAuthor({ arrivals: to('author-1001') }), [
		'Nobody answered within 24 hours. Nothing was sent.',
	]);
	const texts = to(asha.mobile).map((arrival) => (arrival.body as { message: string }).message);
	assert.match(
		texts.join(' | '),
		/will you come[^|]* \| Dear Asha Rao, we expect you on 15 January, 15:30\.[^|]*$/,
	);
	assert.equal(sandbox.record.length, 8);
	for (const stored of [campaign, appointment]) await bench.client.deactivate(stored.id);
}

export async function answeredOnce(bench: Bench): Promise<void> {
	const asked = await ask(bench, 'ask-twice');
	const both = [press(asked.link, 'approve'), press(asked.link, 'decline')];
	const [first, ...others] = (await Promise.all(both)).map(({ html }) =>
		html.includes('was recorded'),
	);
	assert.deepEqual(others, [!first], 'one of two answers at the same moment counts');
	assert.deepEqual(await answerOf(bench, asked), { data: { approved: first } });
	const again = await press(asked.link, first ? 'decline' : 'approve');
	assert.doesNotMatch(again.html, /was recorded/);
	assert.deepEqual(await answerOf(bench, asked), { data: { approved: first } });
	const { data } = await bench.client.execution(asked.id);
	assert.equal(data.resultData.runData.Done?.length, 1, 'the workflow went on once');
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
		for (const { status, html } of [await open(link), await press(link, 'approve')]) {
			assert.ok([401, 410].includes(status), `${link} was answered ${status}`);
			assert.doesNotMatch(html, /customers/);
		}
	}
	for (const agent of ['Mozilla/5.0', 'facebookexternalhit/1.1', 'Mimecast', ''])
		for (const method of ['GET', 'HEAD']) {
			const headers = { 'user-agent': agent, connection: 'close' };
			await (await fetch(one.link, { method, headers })).arrayBuffer();
		}
	await open(`${one.link}&approved=true&decision=approve`);
	await stillWaits(bench, one);
	await stillWaits(bench, other);
	await press(one.link, 'approve');
	await press(other.link, 'decline');
	assert.deepEqual(await answerOf(bench, one), { data: { approved: true } });
	assert.deepEqual(await answerOf(bench, other), { data: { approved: false } });
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
	assert.deepEqual(item?.json.body, body);
	assert.equal(bench.sandbox.record.length, 1, 'nobody is asked again');
}

/** The link of one round must not answer the question of the next. */
export async function askedInLoop(bench: Bench): Promise<void> {
	const path = 'ask-loop';
	const stored = await createInLoop(bench, path, willCome, 1);
	const id = await callAndAsk(bench, stored, { rows: makeRows(path, 2) });
	const first = linkSent(bench);
	assert.match((await open(first)).html, /Will ask-loop-0 come/);
	await assertRecorded(first, 'approve');
	await untilRequests(bench, 2);
	await untilWaiting(bench, id);
	const second = linkSent(bench, 1);
	const wrong = await press(first, 'approve');
	assert.equal(wrong.status, 410);
	assert.doesNotMatch(wrong.html, /come\?/);
	assert.match((await open(second)).html, /Will ask-loop-1 come/);
	await assertRecorded(second, 'decline');
	assert.deepEqual(await answersOf(bench, id), [
		{ data: { approved: true } },
		{ data: { approved: false } },
	]);
}

/** In a loop, a caller that waits calls the next one after the answer, which n8n 1 does not hand on. */
export async function askedInTurn(bench: Bench): Promise<void> {
	const path = 'ask-turn';
	const caller = await createSubWorkflow(bench, `${path}-called`, willCome);
	const stored = await createInLoop(bench, path, caller, 1);
	bench.sandbox.reset();
	const id = await call(bench, stored, { rows: makeRows(path, 2) });
	for (const [index, decision] of (['approve', 'decline'] as const).entries()) {
		await untilRequests(bench, index + 1);
		const link = linkSent(bench, index);
		await untilWaiting(bench, executionOf(link));
		assert.match((await open(link)).html, new RegExp(`Will ask-turn-${index} come`));
		assert.equal(bench.sandbox.record.length, index + 1, 'the next one is asked later');
		await assertRecorded(link, decision);
	}
	const { data } = await succeeded(ended(bench, id));
	const approved = output(data, 'Done').map(
		({ json }) => (json.data as { approved?: boolean } | undefined)?.approved,
	);
	const isVersion1 = bench.version.startsWith('1.');
	assert.deepEqual(approved, isVersion1 ? [undefined, undefined] : [true, false]);
	assert.equal(bench.sandbox.record.length, 2, 'each is asked once');
}

/** As the refusal of several items advises: sub-workflows that the caller does not wait for. */
export async function askedAllAtOnce(bench: Bench): Promise<void> {
	const path = 'ask-all';
	const caller = await createSubWorkflow(bench, `${path}-called`, willCome);
	const parameters = caller.parameters as { workflowId: { value: string } };
	const options = { waitForSubWorkflow: false };
	const notWaiting = { ...caller, parameters: { ...parameters, options } };
	const stored = await createInLoop(bench, path, notWaiting, 1);
	const rows = makeRows(path, 3);
	const run = await succeeded(runByWebhook(bench, stored, { rows }));
	assert.equal(output(run.data, 'Done').length, rows.length, 'the caller goes on at once');

	await untilRequests(bench, rows.length);
	const questions = bench.sandbox.record.map(
		({ body: sent }) => (sent as { message: string }).message,
	);
	const expected = rows.map(({ userID }) => `Will ${userID} come?`);
	assert.deepEqual(questions.sort(), expected);
	const links = rows.map((_, index) => linkSent(bench, index));
	for (const [index, link] of links.entries()) {
		await untilWaiting(bench, executionOf(link));
		await assertRecorded(link, index === 1 ? 'approve' : 'decline');
	}
	for (const [index, link] of links.entries())
		assert.deepEqual(
			await answersOf(bench, executionOf(link), 'Ask'),
			[{ data: { approved: index === 1 } }],
			'each goes on with its own answer',
		);
	const called = await bench.client.executions(parameters.workflowId.value);
	assert.equal(called.length, rows.length);
}
