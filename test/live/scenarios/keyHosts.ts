import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeJson } from '../../../scripts/n8n/client';
import { eachRow, httpRequest, makeRows, webhook, workflow } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { assertSucceeded, type Bench, create, newExecution, output, runByWebhook } from '../bench';
import { createForRows, pushNode } from '../rows';

interface Service {
	url: string;
	/** The headers of each request, oldest first. */
	received: Array<IncomingMessage['headers']>;
	close(): Promise<void>;
}

/** A service that keeps the headers of what it receives. */
async function startService(
	answer: (response: ServerResponse, request: IncomingMessage) => void = (response) =>
		response.end('{"status":"success"}'),
): Promise<Service> {
	const received: Service['received'] = [];
	const server = createServer((request, response) => {
		received.push(request.headers);
		request.resume();
		request.on('end', () => answer(response, request));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const addressesOf = ({ url }: Service) => ({ baseUrl: url, pushUrl: url, mailUrl: url });

async function createCredential({ client }: Bench, name: string, data: Record<string, unknown>) {
	return await client.createCredential({ name, type: 'customerMessagingApi', data });
}

function using(node: NodeJson, { id, name }: { id: string; name: string }): NodeJson {
	return { ...node, credentials: { customerMessagingApi: { id, name } } };
}

/** The address, key and brand of a credential change while 40 pushes are being sent with it. */
export async function credentialEdited(bench: Bench): Promise<void> {
	const { client } = bench;
	const path = 'edited-credential';
	const before = await startService((response) => void sleep(100).then(() => response.end('{}')));
	const after = await startService();
	try {
		const credential = await createCredential(bench, 'Edited', {
			brandId: 'brand-before',
			apiKey: 'key-before-0815',
			...addressesOf(before),
		});
		const push = using(pushNode({ options: { concurrency: 2 } }), credential);
		const stored = await createForRows(bench, path, push);
		await client.callWebhook(path, { rows: makeRows('edited', 40) });
		const id = await newExecution(client, stored.id, new Set());
		while (before.received.length < 5) await sleep(20);
		await client.updateCredential({
			...credential,
			type: 'customerMessagingApi',
			data: { brandId: 'brand-after', apiKey: 'key-after-4711', ...addressesOf(after) },
		});
		const sentUntilThen = before.received.length;
		const run = { id, ...(await client.finished(id)), arrivals: [] };

		assertSucceeded(run);
		say(`    edited after ${sentUntilThen} of ${before.received.length} pushes`);
		assert.ok(sentUntilThen < 30, 'the credential must change during the run');
		assert.equal(before.received.length, 40);
		assert.deepEqual(
			new Set(
				before.received.map((headers) => [headers['x-brand-id'], headers['x-api-key']].join(' ')),
			),
			new Set(['brand-before key-before-0815']),
		);
		assert.equal(after.received.length, 0, 'the run must not go on at another address');
		const stored40 = JSON.stringify(run.data);
		for (const key of ['key-before-0815', 'key-after-4711', 'brand-after'])
			assert.ok(!stored40.includes(key), `the execution must not hold ${key}`);
	} finally {
		await Promise.all([before.close(), after.close()]);
	}
}

/** n8n's HTTP Request node with the credential, whose key is an expression. */
export async function keyOfHttpRequest(bench: Bench): Promise<void> {
	const path = 'http-request-credential';
	const other = await startService();
	const named = await startService((response, { url }) =>
		url === '/moved'
			? response.writeHead(307, { location: `${other.url}/stolen` }).end()
			: response.end('{"status":"success"}'),
	);
	try {
		const credential = await createCredential(bench, 'Expression', {
			brandId: 'brand-http',
			apiKey: '={{ "key-" + "http-0815" }}',
			...addressesOf(named),
		});
		const ask = (name: string, url: string, method = 'GET'): NodeJson => ({
			...using(
				httpRequest(name, {
					method,
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'customerMessagingApi',
					options: {},
				}),
				credential,
			),
			onError: 'continueRegularOutput',
			executeOnce: true,
		});
		const nodes = [
			webhook(path),
			eachRow,
			using(pushNode(), credential),
			ask('Named', `${named.url}/report`),
			ask('Other', `${other.url}/report`),
			ask('Moved', `${named.url}/moved`),
			ask('Moved Post', `${named.url}/moved`, 'POST'),
		];
		const stored = await create(bench, workflow(path, nodes, bench.credentialIds));
		const run = await runByWebhook(bench, stored, path, { rows: makeRows('http', 1) });

		assertSucceeded(run);
		const told = (node: string) => JSON.stringify(output(run.data, node).map(({ json }) => json));
		for (const node of ['Push', 'Named', 'Other', 'Moved', 'Moved Post'])
			say(`    ${node}: ${told(node).slice(0, 240)}`);
		assert.match(told('Push'), /accepted/);
		assert.match(told('Named'), /success/);
		assert.match(told('Other'), /sends its key only to its own addresses/);
		assert.doesNotMatch(told('Moved'), /success/);
		assert.doesNotMatch(told('Moved Post'), /success/);
		assert.equal(other.received.length, 0, 'nothing may reach the other host');
		assert.deepEqual(
			named.received.map((headers) => [headers['x-brand-id'], headers['x-api-key']]),
			named.received.map(() => ['brand-http', 'key-http-0815']),
		);
		assert.ok(named.received.length >= 4, `${named.received.length} requests reached the service`);
	} finally {
		await Promise.all([named.close(), other.close()]);
	}
}
