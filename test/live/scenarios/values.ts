import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messaging } from '../../../scripts/n8n/workflows';
import { apiKeyCredential } from '../../../scripts/start/sandbox-credentials';
import { assertSucceeded, output, runByWebhook, type Bench } from '../bench';
import { createForRows } from '../rows';

/** The built-in library for phone numbers is loaded by the first of these rows. */
export async function numbersAsWritten(bench: Bench): Promise<void> {
	const createUser = {
		resource: 'user',
		operation: 'create',
		userID: '={{ $json.userID }}',
		email: '={{ $json.email }}',
		mobile: '={{ $json.mobile }}',
		options: { defaultCountry: 'DE' },
	};
	const stored = await createForRows(bench, 'values', messaging('Create user', createUser));
	const rows = [
		{ userID: 'a', mobile: '0170/123 45 67', email: 'info@münchen.example' },
		{ userID: 'b', mobile: '\u202a+45 12 34 56 78\u202c', email: 'r&d@example.com' },
		{ userID: 'c', mobile: '0044 (0)20 7946 0958', email: 'info@xn--e1afmkfd.xn--p1ai' },
	];
	const run = await runByWebhook(bench, stored, 'values', { rows });
	assertSucceeded(run);
	const [{ body } = { body: {} }] = run.arrivals;
	const { nv } = body as { nv: Array<{ user_attributes: object }> };
	assert.deepEqual(
		nv.map(({ user_attributes }) => user_attributes),
		[
			{ email: 'info@xn--mnchen-3ya.example', mobile: '+491701234567' },
			{ email: 'r&d@example.com', mobile: '+4512345678' },
			{ email: 'info@xn--e1afmkfd.xn--p1ai', mobile: '+442079460958' },
		],
	);
}

/** The sandbox parses what it receives, so a server that keeps the bytes takes its place. */
export async function largeIntegers(bench: Bench): Promise<void> {
	const large = '9223372036854775807';
	const received: string[] = [];
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			received.push(body);
			response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":${large}}`);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	try {
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const credential = apiKeyCredential({ baseUrl: url, pushUrl: url, mailUrl: url });
		const { id: sandboxId, ...rest } = credential;
		const { id } = await bench.client.createCredential({ ...rest, name: 'Bytes' });
		const post = {
			resource: 'customRequest',
			operation: 'post',
			host: 'baseUrl',
			api: 'event',
			path: '/api/v1/event/create',
			body: '={ "id": {{ $json.id }} }',
			options: { includeRequest: true },
		};
		const own = { ...bench, credentialIds: { ...bench.credentialIds, [sandboxId]: id } };
		const stored = await createForRows(own, 'large', messaging('Post', post));
		const run = await runByWebhook(bench, stored, 'large', { rows: [{ id: large }] });
		assertSucceeded(run);
		assert.deepEqual(received, [`{"id":${large}}`]);
		const [{ json } = { json: {} }] = output(run.data, 'Post');
		assert.deepEqual(json.response, { id: large });
		assert.deepEqual(json.request, {
			method: 'POST',
			url: `${url}${post.path}`,
			body: { id: large },
		});
	} finally {
		server.closeAllConnections();
		server.close();
	}
}
