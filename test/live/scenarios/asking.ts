import assert from 'node:assert/strict';
import type { Bench } from '../bench';
import { messaging, makeRows, noOp } from '../../../scripts/n8n/workflows';
import { APPOINTMENT, asha, CAMPAIGN, campaignNamed, toldToAuthor } from '../exampleQuestions';
import { shortWait, withParameters } from '../nodes';
import {
	answersOf,
	askedBody,
	assertRecorded,
	linkSent,
	open,
	press,
	question,
	WaitingQuestion,
} from '../question';
import { everywhere, newest, nightlyWaiting } from '../scenario';

const willCome = messaging('Ask', { ...question, message: '=Will {{ $json.userID }} come?' });
const withShortWait = { options: shortWait };

everywhere('A question is approved and another one declined on its page', approvedAndDeclined);
export async function approvedAndDeclined(bench: Bench): Promise<void> {
	const yes = await WaitingQuestion.ask(bench, 'ask-approve');
	const { status, html, policy } = await open(yes.link);
	assert.equal(status, 200);
	assert.match(html, /<h1 dir="auto">Spring &lt;sale&gt;<\/h1>/);
	assert.match(html, />May it go out to 5000 customers\?<\/p>/);
	assert.match(policy, /^default-src 'none'/);
	assert.doesNotMatch(html, /<script|https?:/);
	await assertRecorded(yes.link, 'approve', 'Send it');
	await yes.assertAnswer({ approved: true });
	assert.match((await open(yes.link)).html, /No action required/i);

	const no = await WaitingQuestion.ask(bench, 'ask-decline');
	await assertRecorded(no.link, 'decline', 'Stop it');
	await no.assertAnswer({ approved: false });
	assert.equal(bench.sandbox.record.length, 1, 'nothing was sent again');
}

/**
 * The first question is approved, and nobody answers the second one in time, nor those of two examples, whose 24 hours
 * and whose evening no test can wait for. n8n looks once a minute, so all wait at once.
 */
nightlyWaiting('When the time of a question is over, executions go on', async (bench) => {
	const { sandbox } = bench;
	const second = messaging('Ask', { ...question, message: 'Sure?', ...withShortWait });
	const nodes = [messaging('First', question), second, noOp('Done')];
	const id = await bench.callAndAsk(await bench.behindWebhook('ask-limit', nodes), askedBody);
	await assertRecorded(linkSent(bench), 'approve');
	await bench.untilRequests(2);
	const link = linkSent(bench, 1);
	const impatient = async (file: string, node: string) =>
		await bench.create(withParameters(bench.example(file), node, withShortWait));
	const campaign = await impatient(CAMPAIGN, 'Ask the manager');
	const campaignId = await bench.call(campaign, campaignNamed('Spring'));
	const appointment = await impatient(APPOINTMENT, 'Ask by SMS');
	const appointmentId = await bench.call(appointment, asha);

	const answers = await answersOf(bench, id);
	assert.deepEqual(answers, [{}], 'the first answer is not the second');
	assert.match((await press(link, 'approve')).html, /No action required/i);
	assert.equal((await bench.ended(appointmentId)).succeeded().items('Reminded').length, 1);
	(await bench.ended(campaignId)).succeeded();
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
	for (const stored of [campaign, appointment]) await bench.client.deactivate(stored.id);
});

newest('A question takes one answer, also of two at the same moment', answeredOnce);
export async function answeredOnce(bench: Bench): Promise<void> {
	const asked = await WaitingQuestion.ask(bench, 'ask-twice');
	const both = [press(asked.link, 'approve'), press(asked.link, 'decline')];
	const pages = (await Promise.all(both)).map(({ html }) => html.includes('was recorded'));
	const [approved = false, ...others] = pages;
	assert.deepEqual(others, [!approved], 'one of two answers at the same moment counts');
	await asked.assertAnswer({ approved });
	const again = await press(asked.link, approved ? 'decline' : 'approve');
	assert.doesNotMatch(again.html, /was recorded/);
	await asked.assertAnswer({ approved });
	const { data } = await bench.execution(asked.id);
	assert.equal(data.resultData.runData.Done?.length, 1, 'the workflow went on once');
}

newest('A question opens by its signature only, and no scanner answers it', async (bench) => {
	const one = await WaitingQuestion.ask(bench, 'ask-one');
	const other = await WaitingQuestion.ask(bench, 'ask-other');
	const wrong = [
		one.link.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
		one.link.replace(/\?.*/, ''),
		one.link.replace(`/${one.id}/`, `/${other.id}/`),
		other.link.replace(`/${other.id}/`, `/${one.id}/`),
	];
	for (const link of wrong)
		for (const { status, html } of [await open(link), await press(link, 'approve')]) {
			assert.ok([401, 410].includes(status), `${link} was answered ${status}`);
			assert.doesNotMatch(html, /customers/);
		}
	await fetch(one.link, { method: 'HEAD', headers: { 'user-agent': 'Mimecast' } });
	await open(`${one.link}&approved=true&decision=approve`);
	await one.assertWaits();
	await other.assertWaits();
	await press(one.link, 'approve');
	await press(other.link, 'decline');
	await one.assertAnswer({ approved: true });
	await other.assertAnswer({ approved: false });
});

/** n8n does not run the node again: to its Retry, a stopped wait is over. */
newest('Stopped while it waits, an execution asks nobody again in a retry', async (bench) => {
	const asked = await WaitingQuestion.ask(bench, 'ask-stop');
	await bench.client.stopExecution(asked.id);
	const late = await press(asked.link, 'approve');
	assert.doesNotMatch(late.html, /was recorded/, `n8n answered ${late.status}`);
	const retried = (await bench.retry(asked)).succeeded();
	assert.deepEqual(retried.values('Done', 'data', 'body'), [[undefined, askedBody]]);
	assert.deepEqual(retried.arrivals, [], 'nobody is asked again');
});

/** The link of one round must not answer the question of the next. */
newest('Each round of a loop has a question with a link of its own', async (bench) => {
	const stored = await bench.inLoop('ask-loop', willCome);
	const id = await bench.callAndAsk(stored, { rows: makeRows('ask-loop', 2) });
	const first = linkSent(bench);
	assert.match((await open(first)).html, /Will ask-loop-0 come/);
	await assertRecorded(first, 'approve');
	await bench.untilRequests(2);
	await bench.untilWaiting(id);
	const second = linkSent(bench, 1);
	assert.equal((await press(first, 'approve')).status, 410);
	assert.match((await open(second)).html, /Will ask-loop-1 come/);
	await assertRecorded(second, 'decline');
	const answers = [true, false].map((approved) => ({ data: { approved } }));
	assert.deepEqual(await answersOf(bench, id), answers);
});
