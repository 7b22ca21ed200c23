import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractFromFile, makeRows, messaging, pushToAll } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { certificate, startUntrustedServer } from '../../engine/support/localServer';
import { assertRecorded, open, WaitingQuestion } from '../question';
import type { Bench } from '../bench';
import { goingOn, pushNode } from '../nodes';
import { nightly } from '../scenario';

interface Proxy {
	url: string;
	/** What it was asked for, oldest first. */
	requests: string[];
	close(): void;
}

/**
 * Starts a proxy on 127.0.0.1, which passes each request on.
 *
 * @param targetOf the address that a request is passed on to
 */
async function startProxy(targetOf: (asked: string) => string): Promise<Proxy> {
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
			const { status, html } = await open(asked.link);
			say(`    ${keeps ? 'with' : 'without'} the path, the link was answered ${status}`);
			assert.doesNotMatch(html, /customers/);
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

/** A later node reads a preview, wherever n8n keeps binary data. */
async function previewIsRead(bench: Bench, mode: string): Promise<void> {
	const stored = await bench.behindWebhook(`preview-${mode}`, [
		messaging('Preview', { ...pushToAll, options: { previewOnly: true } }),
		extractFromFile('Read', { operation: 'text', binaryPropertyName: 'preview', options: {} }),
	]);
	const run = (await bench.run(stored, {})).succeeded();
	assert.deepEqual(run.arrivals, []);
	const files = run.items('Preview').map(({ binary }) => binary?.preview?.fileName);
	assert.deepEqual(files, ['item-0-web.html', 'item-0-android.html', 'item-0-ios.html']);
	const read = run.values('Read', 'data').flat();
	assert.equal(read.length, files.length);
	for (const page of read)
		assert.match(String(page), /^<!doctype html>[^]*The autumn collection is here\./, mode);
}

/** As n8n is started again for each, it also keeps binary data as n8n 3 does: no longer in memory. */
nightly('Proxies, NO_PROXY, an own authority and modes of binary data hold', async (bench) => {
	const proxy = await startProxy((asked) => asked);
	const secure = await startUntrustedServer();
	const authority = path.join(tmpdir(), `authority-${process.pid}-${bench.version}.pem`);
	writeFileSync(authority, certificate);
	const trusting = { NODE_EXTRA_CA_CERTS: authority };
	const restart = async (noProxy: string, mode: 'filesystem' | 'database', more = {}) => {
		await bench.crash({
			...{ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: noProxy, no_proxy: noProxy },
			N8N_DEFAULT_BINARY_DATA_MODE: mode,
			// n8n 1 has to be told that the database may be used.
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
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

		await restart('', 'filesystem');
		const plain = await send(bench, 'by-http-proxy');
		plain.run.assertEachRowOnce(plain.rows);
		assert.deepEqual(proxy.requests, Array(2).fill(`POST ${pushUrl}/api/v1/web/send`));
		const { run: untrusted } = await send(securely, 'untrusted');
		const reasons = JSON.stringify(untrusted.values('Push', 'details')).match(/"certificate"/g);
		assert.equal(reasons?.length, 2);
		assert.equal(secure.requests, 0);
		await previewIsRead(bench, 'filesystem');

		await restart('', 'database', trusting);
		(await send(securely, 'by-https-proxy')).run.succeeded();
		assert.equal(secure.requests, 2);
		assert.ok(proxy.requests.includes(`CONNECT ${new URL(url).host}`));
		await previewIsRead(bench, 'database');

		await restart('127.0.0.1,localhost', 'filesystem', trusting);
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
