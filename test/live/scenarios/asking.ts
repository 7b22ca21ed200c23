import assert from 'node:assert/strict';
import type { Bench } from '../bench';
import { messaging, makeRows } from '../../../scripts/n8n/workflows';
import {
	answersOf,
	assertRecorded,
	linkSent,
	open,
	press,
	question,
	WaitingQuestion,
} from '../question';
import { everywhere, newest } from '../scenario';

const willCome = messaging('Ask', { ...question, message: '=Will {{ $json.userID }} come?' });

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

newest(
	'A question opens by its signature only, and takes one of two answers at once',
	async (bench) => {
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
		await one.assertWaits();

		const both = [press(one.link, 'approve'), press(one.link, 'decline')];
		const pages = (await Promise.all(both)).map(({ html }) => html.includes('was recorded'));
		const [approved = false, ...others] = pages;
		assert.deepEqual(others, [!approved]);
		await one.assertAnswer({ approved });
		const again = await press(one.link, approved ? 'decline' : 'approve');
		assert.doesNotMatch(again.html, /was recorded/);
		const { data } = await bench.execution(one.id);
		assert.equal(data.resultData.runData.Done?.length, 1, 'the workflow went on once');
		await press(other.link, 'decline');
		await other.assertAnswer({ approved: false });
	},
);

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
