import assert from 'node:assert/strict';
import type { N8nRefusal, NodeJson } from '../../../scripts/n8n/client';
import { httpRequest, makeRows } from '../../../scripts/n8n/workflows';
import { sandboxCredentials } from '../../../scripts/start/sandboxCredentials';
import { startServerAnswering } from '../../engine/support/localServer';
import { goingOn, pushNode } from '../nodes';
import { everywhere, newest } from '../scenario';

const SECRET = 'not-the-secret';

/** As the editor's form tests one when it is saved. */
everywhere('A right credential passes, and one with a wrong secret does not', async (bench) => {
	const { client, sandbox } = bench;
	sandbox.reset();
	for (const { id: _named, ...credential } of sandboxCredentials(sandbox.urls)) {
		const { id } = await client.createCredential(credential);
		const test = async (data: object) =>
			await client.testCredential({ ...credential, id, data: { ...credential.data, ...data } });
		assert.equal((await test({})).status, 'OK');
		const { status, message } = await test({ apiKey: SECRET, accessToken: SECRET });
		assert.equal(status, 'Error');
		assert.match(message, /Invalid credentials: /);
		assert.ok(!message.includes(SECRET), 'no secret in a message');
	}
	assert.deepEqual(sandbox.accepted(), [], 'testing a credential reaches nobody');
});

const type = 'customerMessagingApi';
const using = (node: NodeJson, { id, name }: { id: string; name: string }): NodeJson => ({
	...node,
	credentials: { [type]: { id, name } },
});

/** As a colleague who may use the credential but not see it would set it up. Some versions of n8n do not even save it. */
newest('HTTP Request cannot use the credential', async (bench) => {
	const server = await startServerAnswering(200, {}, '{"status":"success"}');
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
});

everywhere('A credential that differs by item sends nothing', async (bench) => {
	const server = await startServerAnswering(200, {}, '{"status":"success"}');
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
	const keys = server.received.map(({ headers }) => [headers['x-brand-id'], headers['x-api-key']]);
	assert.deepEqual(keys, Array(3).fill(['a', 'key-by-item-0815']));
});
