import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nRefusal, NodeJson } from '../../../scripts/n8n/client';
import { httpRequest, makeRows } from '../../../scripts/n8n/workflows';
import { sandboxCredentials } from '../../../scripts/start/sandboxCredentials';
import {
	type LocalServer,
	startServer,
	startServerAnswering,
} from '../../engine/support/localServer';
import { goingOn, pushNode } from '../nodes';
import { everywhere, newest } from '../scenario';

/** As the editor's form tests one when it is saved. */
everywhere(
	'A right credential passes, and one with a wrong secret does not',
	async ({ client, sandbox }) => {
		sandbox.reset();
		for (const { id: _named, ...credential } of sandboxCredentials(sandbox.urls)) {
			const secret = credential.type === 'customerMessagingApi' ? 'apiKey' : 'accessToken';
			for (const [changes, wanted, says] of [
				[{}, 'OK', /./],
				[{ [secret]: 'not-the-secret' }, 'Error', /Invalid credentials: /],
			] as const) {
				const changed = { ...credential, data: { ...credential.data, ...changes } };
				const { id } = await client.createCredential(changed);
				const { status, message } = await client.testCredential({ ...changed, id });
				assert.equal(status, wanted);
				assert.match(message, says);
				assert.ok(!message.includes('not-the-secret'), 'no secret in a message');
			}
		}
		assert.deepEqual(sandbox.accepted(), [], 'testing a credential reaches nobody');
	},
);

const type = 'customerMessagingApi';
const using = (node: NodeJson, { id, name }: { id: string; name: string }): NodeJson => ({
	...node,
	credentials: { [type]: { id, name } },
});

const keysAt = ({ received }: LocalServer) =>
	received.map(
		({ headers }) => `${headers['x-brand-id'] as string} ${headers['x-api-key'] as string}`,
	);

/** The address, key and brand of a credential change while 40 pushes are being sent with it. */
newest('A credential edited during a run changes nothing in that run', async (bench) => {
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
		const stored = await bench.forRows('edited-credential', push);
		const id = await bench.call(stored, { rows: makeRows('edited', 40) });
		while (before.requests < 5) await sleep(20);
		await client.updateCredential({ ...credential, type, data: dataAt('after', after) });
		const sentUntilThen = before.requests;
		assert.ok(sentUntilThen < 30, `${sentUntilThen} were sent before the change`);
		const shown = JSON.stringify((await bench.ended(id)).succeeded().data);
		assert.deepEqual(keysAt(before), Array(40).fill('brand-before key-before-0815'));
		assert.equal(after.requests, 0, 'the run must not go on at another address');
		for (const key of ['key-before-0815', 'key-after-0815', 'brand-after'])
			assert.ok(!shown.includes(key), `the execution must not hold ${key}`);
	} finally {
		await Promise.all([before.close(), after.close()]);
	}
});

/** As a colleague who may use the credential but not see it would set it up. Some versions of n8n do not even save it. */
newest('HTTP Request cannot use the credential', async (bench) => {
	const server = await startServerAnswering(200, {}, '{"status":"success"}');
	try {
		const data = { brandId: 'brand-http', apiKey: 'key-http-0815', ...server.urls };
		const credential = await bench.client.createCredential({ name: 'Borrowed', type, data });
		const request = httpRequest('Request', {
			...{ method: 'POST', url: 'http://push.example.com/', options: { proxy: server.url } },
			...{ authentication: 'predefinedCredentialType', nodeCredentialType: type },
		});
		const node = { ...using(request, credential), ...goingOn };
		const saved = await bench.forRows('http-request', node).catch(({ message }: N8nRefusal) => {
			assert.match(message, /Request.* cannot use credential type .{1,2}customerMessagingApi/);
		});
		if (saved) {
			const run = (await bench.run(saved, { rows: makeRows('http', 1) })).succeeded();
			const told = /This credential works in the Customer Messaging node only\. For/;
			assert.match(JSON.stringify(run.values('Done', 'error')), told);
		}
		assert.equal(server.requests, 0);
	} finally {
		await server.close();
	}
});

everywhere('A credential that differs by item sends nothing', async (bench) => {
	const server = await startServerAnswering(200, {}, '{"status":"success"}');
	try {
		const data = { brandId: '={{ $json.brand }}', apiKey: 'key-by-item-0815', ...server.urls };
		const credential = await bench.client.createCredential({ name: 'By item', type, data });
		const toBrands = async (name: string, brands: string[]) => {
			const rows = makeRows(name, brands.length).map((row, at) => ({ ...row, brand: brands[at] }));
			const run = await bench.runRows(name, using(pushNode({}, goingOn), credential), rows);
			return run.succeeded().values('Done', 'error');
		};
		for (const [error] of await toBrands('brands-by-item', ['a', 'b', 'b']))
			assert.match(String(error), /^For item 1, the credential gives other values, /);
		assert.equal(server.requests, 0);
		await toBrands('brands-that-agree', ['a', 'a', 'a']);
		assert.deepEqual(keysAt(server), Array(3).fill('a key-by-item-0815'));
	} finally {
		await server.close();
	}
});
