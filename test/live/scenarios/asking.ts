import assert from 'node:assert/strict';
import { request } from 'node:http';
import { startServer } from '../../engine/support/localServer';
import type { Bench } from '../bench';
import {
	chain,
	eachRow,
	loopOver,
	makeRows,
	messaging,
	noOp,
	webhook,
} from '../../../scripts/n8n/workflows';
import { answersOf, assertRecorded, linkSent, open, press, question, ask } from '../question';
import { everywhere, newest, nightly } from '../scenario';

everywhere('A question opens by its signature only, and takes one answer', answeredOnce);
export async function answeredOnce(bench: Bench): Promise<void> {
	const one = await ask(bench, 'ask-one');
	const other = await ask(bench, 'ask-other');
	const { status, html, policy } = await open(one.link);
	assert.equal(status, 200);
	assert.match(html, /<h1 dir="auto">Spring &lt;sale&gt;<\/h1>/);
	assert.match(html, />May it go out to 5000 customers\?<\/p>/);
	assert.match(policy, /^default-src 'none'/);
	assert.doesNotMatch(html, /<script|https?:/);
	for (const wrong of [
		one.link.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
		one.link.replace(/\?.*/, ''),
		one.link.replace(`/${one.id}/`, `/${other.id}/`),
		other.link.replace(`/${other.id}/`, `/${one.id}/`),
	])
		for (const refused of [await open(wrong), await press(wrong, 'approve')]) {
			assert.ok([401, 410].includes(refused.status), `${wrong}: ${refused.status}`);
			assert.doesNotMatch(refused.html, /customers/);
		}
	await fetch(one.link, { method: 'HEAD', headers: { 'user-agent': 'Mimecast' } });
	await one.assertWaits();

	const both = [press(one.link, 'approve'), press(one.link, 'decline')];
	const pages = (await Promise.all(both)).map((page) => page.html.includes('was recorded'));
	const [approved = false, ...others] = pages;
	assert.deepEqual(others, [!approved], 'one of two answers at once counts');
	await one.assertAnswer({ approved });
	const again = await press(one.link, approved ? 'decline' : 'approve');
	assert.doesNotMatch(again.html, /was recorded/);
	assert.match((await open(one.link)).html, /No action required/i);
	const { data } = await bench.execution(one.id);
	assert.equal(data.resultData.runData.Done?.length, 1, 'the workflow went on once');
	await assertRecorded(other.link, 'decline', 'Stop it');
	await other.assertAnswer({ approved: false });
	assert.equal(bench.sandbox.record.length, 1, 'nothing was sent again');
}

/** The link of one round must not answer the question of the next. */
newest('Each round of a loop has a question with a link of its own', async (bench) => {
	const path = 'ask-loop';
	const loop = loopOver('Loop', { batchSize: 1, options: {} });
	const wires = {
		...chain([webhook(path), eachRow, loop]),
		Loop: [['Done'], ['Ask']],
		Ask: [['Loop']],
	};
	const asking = messaging('Ask', { ...question, message: '=Will {{ $json.userID }} come?' });
	const nodes = [eachRow, loop, asking, noOp('Done')];
	const stored = await bench.behindWebhook(path, nodes, { wires });
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

nightly('A question that was asked before n8n was killed can be answered', async (bench) => {
	const asked = await ask(bench, 'ask-restart');
	await bench.crash();
	await asked.assertWaits();
	assert.match((await open(asked.link)).html, /5000 customers/);
	await assertRecorded(asked.link, 'approve');
	await asked.assertAnswer({ approved: true });
});

/** A proxy passes on what is below `/n8n/`, and removes that, as n8n's editor needs it. */
nightly('Below a path of a proxy, a question is answered', async (bench) => {
	const proxy = await startServer((response, { url: asked = '', method, headers }, body) => {
		const isKept = asked.startsWith('/n8n/webhook-waiting/');
		const url = `${bench.client.url}${isKept ? asked : asked.replace(/^\/n8n(?=\/)/, '')}`;
		const passedOn = request(url, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		passedOn.on('error', () => response.writeHead(502).end()).end(body);
	});
	const url = proxy.url.replace('127.0.0.1', 'localhost');
	try {
		await bench.crash({
			N8N_PATH: '/n8n/',
			N8N_ENDPOINT_WEBHOOK_WAIT: 'n8n/webhook-waiting',
			WEBHOOK_URL: `${url}/`,
		});
		assert.equal((await open(`${url}/n8n/`)).status, 200, 'the editor');
		const asked = await ask(bench, 'below-a-path-answered');
		assert.ok(asked.link.startsWith(`${url}/n8n/webhook-waiting/`), asked.link);
		assert.match((await open(asked.link)).html, /5000 customers/);
		await assertRecorded(asked.link, 'approve');
		await asked.assertAnswer({ approved: true });
	} finally {
		await bench.crash();
	}
});
