import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox, type Sandbox } from '../../sandbox';
import { call } from './support/calls';

const json = { 'content-type': 'application/json' };
const row = { userID: 'C-1', name: 'Asha Rao' };

let n8n: Server;
let status = 200;
let received: string[] = [];
let sandbox: Sandbox;

beforeEach(async () => {
	[status, received] = [200, []];
	n8n = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			received.push(`${request.method} ${request.url} ${body}`);
			response.writeHead(status).end();
		});
	}).listen(0, '127.0.0.1');
	await once(n8n, 'listening');
	const editor = `http://127.0.0.1:${(n8n.address() as AddressInfo).port}`;
	sandbox = await startSandbox({ separateHosts: false, editor });
});
afterEach(async () => {
	n8n.close();
	await sandbox.close();
});

const path = '/sandbox/examples/crm-row';
const send = async (body: unknown, headers: Record<string, string> = json) =>
	await call(sandbox.url + path, { body, headers });

describe('A sample row', () => {
	it('is handed to the example in n8n, and is no arrival by itself', async () => {
		expect((await send(row)).status).toBe(200);
		expect(received).toEqual([`POST /webhook/crm-row ${JSON.stringify(row)}`]);
		expect(sandbox.record).toEqual([]);
	});

	it('is refused with what to do if n8n does not take it', async () => {
		status = 404;
		const refused = await send(row);
		expect([refused.status, refused.json]).toEqual([
			502,
			{ error: expect.stringContaining('Switch on the example') as string },
		]);
		n8n.close();
		n8n.closeAllConnections();
		expect((await send(row)).json).toEqual({
			error: expect.stringContaining('n8n does not answer at http://127.0.0.1:') as string,
		});
	});
});
