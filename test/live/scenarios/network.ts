import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeRows } from '../../../scripts/n8n/workflows';
import { certificate, startUntrustedServer } from '../../engine/support/localServer';
import { assertRecorded, open, WaitingQuestion } from '../question';
import type { Bench } from '../bench';
import { goingOn, pushNode } from '../nodes';
import { nightly } from '../scenario';

/** Starts a proxy on 127.0.0.1, which passes each request on to the address that is returned for it. */
async function startProxy(targetOf: (asked: string) => string) {
	/** What it was asked for, oldest first. */
	const requests: string[] = [];
	const server = createServer((incoming: IncomingMessage, outgoing) => {
		const { url = '', method, headers } = incoming;
		requests.push(`${method} ${url}`);
		const passedOn = request(targetOf(url), { method, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		passedOn.on('error', () => outgoing.writeHead(502).end());
		incoming.pipe(passedOn);
	});
	server.on('connect', ({ url = '' }: IncomingMessage, socket) => {
		requests.push(`CONNECT ${url}`);
		const { hostname, port } = new URL(`http://${url}`);
		const tunnel = connect(Number(port), hostname, () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			tunnel.pipe(socket).pipe(tunnel);
		});
		tunnel.on('error', () => socket.destroy());
		socket.on('error', () => tunnel.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://localhost:${(server.address() as AddressInfo).port}`,
		requests,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** A proxy passes on what is below `/n8n/`, and removes that, as n8n's editor needs it. */
nightly('Below a path of a proxy, a question says what to set', async (bench) => {
	const kept: string[] = [];
	const proxy = await startProxy((asked) => {
		const isKept = kept.some((start) => asked.startsWith(start));
		return `${bench.client.url}${isKept ? asked : asked.replace(/^\/n8n(?=\/)/, '')}`;
	});
	try {
		await bench.crash({ N8N_PATH: '/n8n/', WEBHOOK_URL: `${proxy.url}/n8n/` });
		const asked = await WaitingQuestion.ask(bench, 'below-a-path');
		for (const keeps of [false, true]) {
			kept.splice(0, 1, ...(keeps ? ['/n8n/'] : []));
			assert.doesNotMatch((await open(asked.link)).html, /customers/);
		}
		const settings = `N8N_ENDPOINT_WEBHOOK_WAIT=n8n/webhook-waiting and WEBHOOK_URL=${proxy.url}/ `;
		const hint = (await bench.execution(asked.id)).hintText('Ask');
		assert.ok(hint.includes(settings), hint);
		assert.equal(bench.readLog().split(settings).length, 2, 'the log says it once');

		await bench.crash({
			N8N_PATH: '/n8n/',
			N8N_ENDPOINT_WEBHOOK_WAIT: 'n8n/webhook-waiting',
			WEBHOOK_URL: `${proxy.url}/`,
		});
		kept.splice(0, 1, '/n8n/webhook-waiting/');
		assert.equal((await open(`${proxy.url}/n8n/`)).status, 200, 'the editor');
		const answerable = await WaitingQuestion.ask(bench, 'below-a-path-answered');
		assert.ok(answerable.link.startsWith(`${proxy.url}/n8n/webhook-waiting/`), answerable.link);
		assert.match((await open(answerable.link)).html, /5000 customers/);
		await assertRecorded(answerable.link, 'approve');
		await answerable.assertAnswer({ approved: true });
		assert.doesNotMatch(bench.readLog(), /Nobody can answer/);
	} finally {
		proxy.close();
		await bench.crash();
	}
});

nightly('Proxies, NO_PROXY and an own authority hold', async (bench) => {
	const proxy = await startProxy((asked) => asked);
	const secure = await startUntrustedServer();
	const authority = path.join(tmpdir(), `authority-${process.pid}-${bench.version}.pem`);
	writeFileSync(authority, certificate);
	const trusting = { NODE_EXTRA_CA_CERTS: authority };
	const restart = async (noProxy: string, more = {}) => {
		await bench.crash({
			...{ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: noProxy, no_proxy: noProxy },
			...more,
		});
		proxy.requests.splice(0);
	};
	const send = async (to: Bench, name: string) => {
		const rows = makeRows(name, 2);
		return { rows, run: await to.runRows(name, pushNode({}, goingOn), rows) };
	};
	try {
		// Through a proxy, n8n does not compare an IP address with the certificate.
		const url = secure.url.replace('127.0.0.1', 'localhost');
		const securely = await bench.at({ baseUrl: url, pushUrl: url, mailUrl: url });
		const { pushUrl } = bench.sandbox.urls;

		await restart('');
		const plain = await send(bench, 'by-http-proxy');
		plain.run.assertEachRowOnce(plain.rows);
		assert.deepEqual(proxy.requests, Array(2).fill(`POST ${pushUrl}/api/v1/web/send`));
		const { run: untrusted } = await send(securely, 'untrusted');
		const reasons = JSON.stringify(untrusted.values('Push', 'details')).match(/"certificate"/g);
		assert.equal(reasons?.length, 2);
		assert.equal(secure.requests, 0);

		await restart('', trusting);
		(await send(securely, 'by-https-proxy')).run.succeeded();
		assert.equal(secure.requests, 2);
		assert.ok(proxy.requests.includes(`CONNECT ${new URL(url).host}`));

		await restart('127.0.0.1,localhost', trusting);
		const direct = await send(bench, 'no-proxy');
		direct.run.assertEachRowOnce(direct.rows);
		await send(securely, 'no-https-proxy');
		assert.equal(secure.requests, 4);
		assert.deepEqual(proxy.requests, []);
	} finally {
		proxy.close();
		await secure.close();
		await bench.crash();
	}
});
