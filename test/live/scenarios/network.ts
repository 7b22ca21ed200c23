import assert from 'node:assert/strict';
import { request } from 'node:http';
import { startServer } from '../../engine/support/localServer';
import { assertRecorded, open, WaitingQuestion } from '../question';
import { nightly } from '../scenario';

/** A proxy on 127.0.0.1, which passes each request on to the address that is returned for it. */
const startProxy = async (targetOf: (asked: string) => string) =>
	await startServer((response, { url = '', method, headers }, body) => {
		const passedOn = request(targetOf(url), { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		passedOn.on('error', () => response.writeHead(502).end()).end(body);
	});

/** A proxy passes on what is below `/n8n/`, and removes that, as n8n's editor needs it. */
nightly('Below a path of a proxy, a question is answered', async (bench) => {
	const proxy = await startProxy((asked) => {
		const isKept = asked.startsWith('/n8n/webhook-waiting/');
		return `${bench.client.url}${isKept ? asked : asked.replace(/^\/n8n(?=\/)/, '')}`;
	});
	const url = proxy.url.replace('127.0.0.1', 'localhost');
	try {
		await bench.crash({
			N8N_PATH: '/n8n/',
			N8N_ENDPOINT_WEBHOOK_WAIT: 'n8n/webhook-waiting',
			WEBHOOK_URL: `${url}/`,
		});
		assert.equal((await open(`${url}/n8n/`)).status, 200, 'the editor');
		const answerable = await WaitingQuestion.ask(bench, 'below-a-path-answered');
		assert.ok(answerable.link.startsWith(`${url}/n8n/webhook-waiting/`), answerable.link);
		assert.match((await open(answerable.link)).html, /5000 customers/);
		await assertRecorded(answerable.link, 'approve');
		await answerable.assertAnswer({ approved: true });
	} finally {
		await proxy.close();
		await bench.crash();
	}
});
