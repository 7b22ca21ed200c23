import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeRows } from '../../../scripts/n8n/workflows';
import { certificate, startServer, startUntrustedServer } from '../../engine/support/localServer';
import { assertRecorded, open, WaitingQuestion } from '../question';
import { goingOn, pushNode } from '../nodes';
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

/** An HTTPS proxy on 127.0.0.1, and whom it was asked to connect to. */
async function startTunnel() {
	const asked: string[] = [];
	const server = createServer().on('connect', ({ url = '' }, socket) => {
		asked.push(url);
		const tunnel = connect(Number(url.split(':')[1]), 'localhost', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			tunnel.pipe(socket).pipe(tunnel);
		});
		tunnel.on('error', () => socket.destroy());
		socket.on('error', () => tunnel.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

nightly('HTTPS_PROXY, NO_PROXY and an own authority hold', async (bench) => {
	const [proxy, secure] = [await startTunnel(), await startUntrustedServer()];
	const folder = mkdtempSync(path.join(tmpdir(), 'authority-'));
	const authority = path.join(folder, 'authority.pem');
	writeFileSync(authority, certificate);
	const trusting = { NODE_EXTRA_CA_CERTS: authority };
	try {
		const securely = await bench.at(secure.urls);
		// n8n asks the proxy for hosts of its own, too.
		const asked = () => proxy.asked.filter((host) => secure.url.endsWith(host)).length;
		const send = async (name: string, env: object) => {
			await bench.crash({ HTTPS_PROXY: proxy.url, NO_PROXY: '', no_proxy: '', ...env });
			const before = [asked(), secure.requests] as const;
			const run = await securely.runRows(name, pushNode({}, goingOn), makeRows(name, 2));
			const told = run.told().map(([, said]) => said);
			return [told, asked() > before[0], secure.requests - before[1]];
		};
		const nobody = Array(2).fill('notSent');
		assert.deepEqual(await send('untrusted', {}), [nobody, true, 0]);
		assert.deepEqual(await send('proxied', trusting), [Array(2).fill('accepted'), true, 2]);
		const around = { ...trusting, NO_PROXY: 'localhost', no_proxy: 'localhost' };
		assert.deepEqual(await send('direct', around), [Array(2).fill('accepted'), false, 2]);
	} finally {
		rmSync(folder, { recursive: true });
		proxy.server.closeAllConnections();
		proxy.server.close();
		await secure.close();
		await bench.crash();
	}
});
