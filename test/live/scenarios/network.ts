import assert from 'node:assert/strict';
import { request } from 'node:http';
import { makeRows } from '../../../scripts/n8n/workflows';
import { startServer } from '../../engine/support/localServer';
import { assertRecorded, open, WaitingQuestion } from '../question';
import { pushNode } from '../nodes';
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
nightly('Below a path of a proxy, a question says what to set', async (bench) => {
	const kept: string[] = [];
	const proxy = await startProxy((asked) => {
		const isKept = kept.some((start) => asked.startsWith(start));
		return `${bench.client.url}${isKept ? asked : asked.replace(/^\/n8n(?=\/)/, '')}`;
	});
	const url = proxy.url.replace('127.0.0.1', 'localhost');
	try {
		await bench.crash({ N8N_PATH: '/n8n/', WEBHOOK_URL: `${url}/n8n/` });
		const asked = await WaitingQuestion.ask(bench, 'below-a-path');
		for (const keeps of [false, true]) {
			kept.splice(0, 1, ...(keeps ? ['/n8n/'] : []));
			assert.doesNotMatch((await open(asked.link)).html, /customers/);
		}
		const settings = `N8N_ENDPOINT_WEBHOOK_WAIT=n8n/webhook-waiting and WEBHOOK_URL=${url}/ `;
		const hint = (await bench.execution(asked.id)).hintText('Ask');
		assert.ok(hint.includes(settings), hint);
		assert.equal(bench.readLog().split(settings).length, 2, 'the log says it once');

		await bench.crash({
			N8N_PATH: '/n8n/',
			N8N_ENDPOINT_WEBHOOK_WAIT: 'n8n/webhook-waiting',
			WEBHOOK_URL: `${url}/`,
		});
		kept.splice(0, 1, '/n8n/webhook-waiting/');
		assert.equal((await open(`${url}/n8n/`)).status, 200, 'the editor');
		const answerable = await WaitingQuestion.ask(bench, 'below-a-path-answered');
		assert.ok(answerable.link.startsWith(`${url}/n8n/webhook-waiting/`), answerable.link);
		assert.match((await open(answerable.link)).html, /5000 customers/);
		await assertRecorded(answerable.link, 'approve');
		await answerable.assertAnswer({ approved: true });
		assert.doesNotMatch(bench.readLog(), /Nobody can answer/);
	} finally {
		await proxy.close();
		await bench.crash();
	}
});

nightly('HTTP_PROXY and NO_PROXY hold', async (bench) => {
	const proxy = await startProxy((asked) => asked);
	try {
		for (const [name, noProxy] of Object.entries({ proxied: '', direct: '127.0.0.1,localhost' })) {
			await bench.crash({ HTTP_PROXY: proxy.url, NO_PROXY: noProxy, no_proxy: noProxy });
			proxy.received.splice(0);
			const rows = makeRows(name, 2);
			(await bench.runRows(name, pushNode(), rows)).assertEachRowOnce(rows);
			const paths = proxy.received.map(({ path }) => path);
			const address = `${bench.sandbox.urls.pushUrl}/api/v1/web/send`;
			assert.deepEqual(paths, noProxy ? [] : [address, address]);
		}
	} finally {
		await proxy.close();
		await bench.crash();
	}
});
