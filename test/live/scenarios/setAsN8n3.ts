import assert from 'node:assert/strict';
import type { Credential } from '../../../scripts/n8n/client';
import { makeRows } from '../../../scripts/n8n/workflows';
import { apiKeyCredential } from '../../../scripts/start/sandboxCredentials';
import { pushNode } from '../nodes';
import { usersOf } from '../run';
import { asN8n3 } from '../scenario';

const settings = 'N8N_SSRF_ALLOWED_HOSTNAMES, or its address to N8N_SSRF_ALLOWED_IP_RANGES';

/** Nothing has left, so the run does not wait, and its retry sends everything once the address is allowed. */
asN8n3('An address that n8n refuses is named, with what allows it', async (bench) => {
	const { client, credentialIds, sandbox } = bench;
	const { urls } = sandbox;
	const credential = { ...apiKeyCredential(urls), id: credentialIds['sandbox-api-key'] ?? '' };
	const { status, message } = await client.testCredential(credential);
	assert.equal(status, 'Error');
	assert.match(message, /n8n refuses to connect to http:\/\/127\.0\.0\.1:\d+\. n8n's N8N_SSRF/);
	assert.ok(message.includes(settings), message);

	const rows = makeRows('refused', 25);
	const startedMs = Date.now();
	const run = await bench.runRows('refused', pushNode(), rows);
	const tookMs = Date.now() - startedMs;
	assert.deepEqual([run.status, run.arrivals], ['error', []]);
	assert.ok(tookMs < 20_000, `it took ${tookMs} ms`);
	assert.ok(run.failure.startsWith(`No connection to ${urls.pushUrl}, so it was not sent`));
	assert.ok(run.failure.includes(settings), run.failure);

	const byName = JSON.stringify(credential).replaceAll('127.0.0.1', 'localhost');
	await client.updateCredential(JSON.parse(byName) as Credential);
	const retry = (await bench.retry(run)).succeeded();
	assert.deepEqual(retry.reached.sort(), usersOf(rows).sort(), 'each row once');
	assert.deepEqual(retry.outcomes(), Array(rows.length).fill('accepted'));
});
