import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { N8nRefusal, type NodeJson, type StoredWorkflow } from '../../../scripts/n8n/client';
import { freePort } from '../../../scripts/n8n/ports';
import { eachRow, httpRequest, makeRows } from '../../../scripts/n8n/workflows';
import { sandboxCredentials } from '../../../scripts/start/sandboxCredentials';
import { say } from '../../../scripts/steps';
import {
	type LocalServer,
	startServer,
	startServerAnswering,
} from '../../engine/support/localServer';
import { type Bench, call, ended, output, runByWebhook, succeeded } from '../bench';
import { createBehindWebhook, createForRows, pushNode } from '../rows';

/** Tests credentials as the editor's form does when one is saved. What can be wrong has a message of its own each. */
export async function credentialsTested({ client, sandbox }: Bench): Promise<void> {
	const nobody = `http://127.0.0.1:${await freePort()}`;
	sandbox.reset();
	for (const { id: _named, ...credential } of sandboxCredentials(sandbox.urls)) {
		const verdict = async (what: string, changes: object) => {
			const name = `${credential.name}, ${what}`;
			const changed = { ...credential, name, data: { ...credential.data, ...changes } };
			const { id } = await client.createCredential(changed);
			const { status, message } = await client.testCredential({ ...changed, id });
			say(`    ${name}: ${status}: ${message}`);
			assert.ok(!message.includes('not-the-secret'), 'no secret in a message');
			return { status, message };
		};
		assert.equal((await verdict('right', {})).status, 'OK');

		const isKey = credential.type === 'customerMessagingApi';
		const secret = await verdict('wrong secret', {
			[isKey ? 'apiKey' : 'accessToken']: 'not-the-secret',
		});
		// The push host knows no path of the user API.
		const address = await verdict('wrong address', { baseUrl: sandbox.urls.pushUrl });
		const unreachable = await verdict('nobody there', {
			...{ baseUrl: nobody, pushUrl: nobody, mailUrl: nobody },
		});
		const wrong = [secret, address, unreachable];
		assert.deepEqual(
			wrong.map(({ status }) => status),
			['Error', 'Error', 'Error'],
		);
		assert.match(secret.message, /invalid credentials|not accepted|key|token/i);
		assert.match(address.message, /address/i);
		assert.ok(unreachable.message.includes(nobody.replace('http://', '')), `it names ${nobody}`);
		assert.equal(new Set(wrong.map(({ message }) => message)).size, 3, 'three messages');
	}
	assert.deepEqual(sandbox.accepted(), [], 'testing a credential reaches nobody');
}

const type = 'customerMessagingApi';

function using(node: NodeJson, { id, name }: { id: string; name: string }): NodeJson {
	return { ...node, credentials: { [type]: { id, name } } };
}

/** The brand and the key of each request, oldest first. */
const keysAt = ({ received }: LocalServer) =>
	received.map(
		({ headers }) => `${headers['x-brand-id'] as string} ${headers['x-api-key'] as string}`,
	);

/** The address, key and brand of a credential change while 40 pushes are being sent with it. */
export async function credentialEdited(bench: Bench): Promise<void> {
	const { client } = bench;
	const before = await startServer((response) => void sleep(100).then(() => response.end('{}')));
	const after = await startServerAnswering(200, {}, '{}');
	try {
		const dataAt = (when: string, { urls }: LocalServer) => ({
			...{ brandId: `brand-${when}`, apiKey: `key-${when}-0815`, ...urls },
		});
		const data = dataAt('before', before);
		const credential = await client.createCredential({ name: 'Edited', type, data });
		const push = using(pushNode({ options: { concurrency: 2 } }), credential);
		const stored = await createForRows(bench, 'edited-credential', push);
		const id = await call(bench, stored, { rows: makeRows('edited', 40) });
		while (before.requests < 5) await sleep(20);
		await client.updateCredential({ ...credential, type, data: dataAt('after', after) });
		const sentUntilThen = before.requests;
		const run = await succeeded(ended(bench, id));

		say(`    edited after ${sentUntilThen} of ${before.requests} pushes`);
		assert.ok(sentUntilThen < 30, 'the credential must change during the run');
		assert.deepEqual(keysAt(before), Array(40).fill('brand-before key-before-0815'));
		assert.equal(after.requests, 0, 'the run must not go on at another address');
		const shown = JSON.stringify(run.data);
		for (const key of ['key-before-0815', 'key-after-0815', 'brand-after'])
			assert.ok(!shown.includes(key), `the execution must not hold ${key}`);
	} finally {
		await Promise.all([before.close(), after.close()]);
	}
}

/** n8n's HTTP Request node with the credential, as a colleague who may use it but not see it would set it up. */
export async function keyOfHttpRequest(bench: Bench): Promise<void> {
	const proxy = await startServerAnswering(200, {}, '{"status":"success"}');
	const named = await startServerAnswering(200, {}, '{"status":"success"}');
	try {
		const apiKey = '={{ "key-" + "http-0815" }}';
		const data = { brandId: 'brand-http', apiKey, ...named.urls };
		const credential = await bench.client.createCredential({ name: 'Expression', type, data });
		const request = (name: string, options: object = {}, more: object = {}): NodeJson => ({
			...using(
				httpRequest(name, {
					method: 'POST',
					url: `${named.url}/api/v1/sendMessage`,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: type,
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
			request('Plain'),
			request('Proxied', { proxy: proxy.url, allowUnauthorizedCerts: true }),
			request(
				'Foreign Host',
				{},
				{ sendHeaders: true, headerParameters: { parameters: [header] } },
			),
		];
		const push = using(pushNode(), credential);
		const save = async (nodes: NodeJson[]) =>
			await createBehindWebhook(bench, 'http-request', [eachRow, push, ...nodes]);
		const saved = await save(requests).catch((error: unknown) => {
			if (!(error instanceof N8nRefusal)) throw error;
			say(`    n8n does not save it: ${error.message}`);
			assert.match(error.message, /Plain.* cannot use credential type .{1,2}customerMessagingApi/);
			return undefined;
		});
		const stored: StoredWorkflow = saved ?? (await save([]));
		const run = await succeeded(runByWebhook(bench, stored, { rows: makeRows('http', 1) }));
		const told = (node: string) => JSON.stringify(output(run.data, node).map(({ json }) => json));
		assert.match(told('Push'), /accepted/);
		for (const { name } of saved ? requests : [])
			assert.match(told(name), /This credential works in the Customer Messaging node only\. For/);
		assert.deepEqual(keysAt(named), ['brand-http key-http-0815'], 'only the push arrived');
		assert.equal(proxy.requests, 0, 'nothing may reach the proxy');
	} finally {
		await Promise.all([named.close(), proxy.close()]);
	}
}
