import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { N8nRefusal, type NodeJson, type StoredWorkflow } from '../../../scripts/n8n/client';
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
	answer: (response: ServerResponse) => void = (response) => response.end('{"status":"success"}'),
): Promise<Service> {
	const received: Service['received'] = [];
	const server = createServer((request, response) => {
		received.push(request.headers);
		request.resume();
		request.on('end', () => answer(response));
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

/** n8n's HTTP Request node with the credential, as a colleague who may use it but not see it would set it up. */
export async function keyOfHttpRequest(bench: Bench): Promise<void> {
	const path = 'http-request-credential';
	const proxy = await startService();
	const named = await startService();
	try {
		const credential = await createCredential(bench, 'Expression', {
			brandId: 'brand-http',
			apiKey: '={{ "key-" + "http-0815" }}',
			...addressesOf(named),
		});
		const ask = (name: string, options: object = {}, more: object = {}): NodeJson => ({
			...using(
				httpRequest(name, {
					method: 'POST',
					url: `${named.url}/api/v1/sendMessage`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'customerMessagingApi',
					options,
					...more,
				}),
				credential,
			),
			onError: 'continueRegularOutput',
			executeOnce: true,
		});
		const header = { name: 'Host', value: 'evil.example' };
		const requests = [
			ask('Plain'),
			ask('Proxied', { proxy: proxy.url, allowUnauthorizedCerts: true }),
			ask('Foreign Host', {}, { sendHeaders: true, headerParameters: { parameters: [header] } }),
		];
		const save = async (nodes: NodeJson[]) => {
			const all = [webhook(path), eachRow, using(pushNode(), credential), ...nodes];
			return await create(bench, workflow(path, all, bench.credentialIds));
		};
		const send = async (stored: StoredWorkflow) => {
			const run = await runByWebhook(bench, stored, path, { rows: makeRows('http', 1) });
			assertSucceeded(run);
			return (node: string) => JSON.stringify(output(run.data, node).map(({ json }) => json));
		};
		const stored = await unlessRefused(save(requests));
		const isSaved = typeof stored !== 'string';
		if (!isSaved) {
			say(`    n8n does not save it: ${stored}`);
			assert.match(stored, /Plain.* cannot use credential type .{1,2}customerMessagingApi/);
		}
		const told = await send(isSaved ? stored : await save([]));
		assert.match(told('Push'), /accepted/);
		for (const { name } of isSaved ? requests : []) {
			say(`    ${name}: ${told(name).slice(0, 300)}`);
			assert.match(told(name), /This credential works in the Customer Messaging node only\. For/);
		}
		const arrived = [...named.received, ...proxy.received];
		say(`    ${arrived.length} request arrived, that of the push`);
		assert.deepEqual(
			arrived.map((headers) => [headers['x-brand-id'], headers['x-api-key']]),
			[['brand-http', 'key-http-0815']],
		);
		assert.equal(proxy.received.length, 0, 'nothing may reach the proxy');
	} finally {
		await Promise.all([named.close(), proxy.close()]);
	}
}

/** The message of n8n if it refuses. */
async function unlessRefused<T>(work: Promise<T>): Promise<T | string> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof N8nRefusal) return error.message;
		throw error;
	}
}
