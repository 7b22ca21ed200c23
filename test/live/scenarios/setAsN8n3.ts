import assert from 'node:assert/strict';
import { executeWorkflow, makeRows, manualTrigger, workflow } from '../../../scripts/n8n/workflows';
import { exampleWorkflows } from '../../../scripts/start/examples';
import { apiKeyCredential } from '../../../scripts/start/sandboxCredentials';
import type { Bench } from '../bench';
import { goingOn, pushNode } from '../nodes';
import { asN8n3 } from '../scenario';

const settings = 'N8N_SSRF_ALLOWED_HOSTNAMES, or its address to N8N_SSRF_ALLOWED_IP_RANGES';

/** The addresses of the sandbox by the name that n8n allows. */
function byName({ sandbox: { urls } }: Bench): typeof urls {
	const [baseUrl = '', pushUrl = '', mailUrl = ''] = [urls.baseUrl, urls.pushUrl, urls.mailUrl].map(
		(url) => url.replace('127.0.0.1', 'localhost'),
	);
	return { baseUrl, pushUrl, mailUrl };
}

async function testAt({ client }: Bench, urls: ReturnType<typeof byName>) {
	const { id: _named, ...credential } = apiKeyCredential(urls);
	const { id } = await client.createCredential(credential);
	return await client.testCredential({ ...credential, id });
}

/** Nothing has left, so the run does not wait, and its retry sends everything once the address is allowed. */
asN8n3('An address that n8n refuses is named, with what allows it', async (bench) => {
	const { urls } = bench.sandbox;
	const { status, message } = await testAt(bench, urls);
	assert.equal(status, 'Error');
	assert.match(message, /n8n refuses to connect to http:\/\/127\.0\.0\.1:\d+\. n8n's N8N_SSRF/);
	assert.ok(message.includes(settings), message);

	const rows = makeRows('refused', 25);
	const startedMs = Date.now();
	const run = (await bench.runRows('refused', pushNode({}, goingOn), rows)).succeeded();
	const tookMs = Date.now() - startedMs;
	assert.deepEqual(run.arrivals, []);
	assert.ok(tookMs < 20_000, `it took ${tookMs} ms`);
	assert.deepEqual(run.outcomes('Push'), Array(rows.length).fill('notSent'));
	for (const [error, details] of run.values('Push', 'error', 'details')) {
		assert.equal(error, `No connection to ${urls.pushUrl}, so it was not sent`);
		const { description = '' } = details as Record<string, string>;
		assert.ok(description.includes(settings), description);
	}

	const stored = await bench.forRows('refused-stops', pushNode());
	const first = await bench.run(stored, { rows });
	assert.match(first.failure, /^No connection to http/);
	await (await bench.at(byName(bench))).replaceNode(stored, pushNode());
	(await bench.retry(first, true)).assertEachRowOnce(rows);
});

/** n8n looks through all workflows. One that it must name shows that it does. */
asN8n3("n8n's migration report for n8n 3 names no example", async ({ client, credentialIds }) => {
	const files = [...exampleWorkflows(credentialIds)];
	for (const [, example] of files) await client.createWorkflow(example);
	const called = { __rl: true, mode: 'id', value: 'none' };
	const call = executeWorkflow('Call', { source: 'database', mode: 'each', workflowId: called });
	await client.createWorkflow(workflow('Named', [manualTrigger('By hand'), call], {}));

	const found = await client.migrationReport('v3');
	assert.deepEqual(found, { 'execute-workflow-each-mode-v3': ['Named'] });
	assert.ok(files.length > 10);
});
