import assert from 'node:assert/strict';
import { executeWorkflow, makeRows, manualTrigger, workflow } from '../../../scripts/n8n/workflows';
import { exampleWorkflows } from '../../../scripts/start/examples';
import { apiKeyCredential, type Addresses } from '../../../scripts/start/sandboxCredentials';
import { say } from '../../../scripts/steps';
import {
	assertEachRowOnce,
	assertSucceeded,
	failureText,
	output,
	retry,
	runByWebhook,
	type Bench,
} from '../bench';
import { createForRows, pushNode } from '../rows';

const settings = 'N8N_SSRF_ALLOWED_HOSTNAMES, or its address to N8N_SSRF_ALLOWED_IP_RANGES';

/** A credential that reaches the sandbox by the name that n8n allows, and the response to its test. */
async function byName(bench: Bench) {
	const { baseUrl, pushUrl, mailUrl } = bench.sandbox.urls;
	const named = (url: string) => url.replace('127.0.0.1', 'localhost');
	return await testedAt(bench, {
		baseUrl: named(baseUrl),
		pushUrl: named(pushUrl),
		mailUrl: named(mailUrl),
	});
}

async function testedAt(bench: Bench, addresses: Addresses) {
	const { client, credentialIds } = bench;
	const { id: key, ...credential } = apiKeyCredential(addresses);
	const { id } = await client.createCredential(credential);
	const test = await client.testCredential({ ...credential, id });
	return { test, own: { ...bench, credentialIds: { ...credentialIds, [key]: id } } };
}

/** n8n 2 only keeps a person from installing an unverified package by its name. */
export async function tarballLoads(bench: Bench): Promise<void> {
	const { test, own } = await byName(bench);
	assert.equal(test.status, 'OK', test.message);
	const stored = await createForRows(own, 'unverified', pushNode());
	const rows = makeRows('unverified', 3);
	const run = await runByWebhook(own, stored, 'unverified', { rows });
	assertSucceeded(run);
	assertEachRowOnce(run, rows);
}

/** Nothing has left, so the run does not wait, and its retry sends everything once the address is allowed. */
export async function refusedByN8n(bench: Bench): Promise<void> {
	const { urls } = bench.sandbox;
	const { test } = await testedAt(bench, urls);
	assert.equal(test.status, 'Error');
	assert.match(
		test.message,
		/n8n refuses to connect to http:\/\/127\.0\.0\.1:\d+\. n8n's N8N_SSRF/,
	);
	assert.ok(test.message.includes(settings), test.message);

	const rows = makeRows('refused', 25);
	const goesOn = await createForRows(
		bench,
		'refused',
		pushNode({}, { onError: 'continueRegularOutput' }),
	);
	const startedMs = Date.now();
	const run = await runByWebhook(bench, goesOn, 'refused', { rows });
	const tookMs = Date.now() - startedMs;
	assertSucceeded(run);
	assert.deepEqual(run.arrivals, []);
	assert.ok(tookMs < 20_000, `it took ${tookMs} ms`);
	const items = output(run.data, 'Push');
	assert.equal(items.length, rows.length);
	for (const { json } of items) {
		const { description, ...details } = json.details as Record<string, string>;
		assert.equal(json.error, `n8n refuses to connect to ${urls.pushUrl}, so it was not sent`);
		assert.deepEqual(
			[details.outcome, details.reason, details.code],
			['notSent', 'noConnection', 'N8N_REFUSED'],
		);
		assert.ok(description?.includes(settings), description);
		assert.match(description ?? '', /Then start the workflow again with the items/);
	}

	const stored = await createForRows(bench, 'refused-stops', pushNode());
	const first = await runByWebhook(bench, stored, 'refused-stops', { rows });
	assert.equal(first.status, 'error');
	assert.match(failureText(first), /^n8n refuses to connect to http/);
	assert.ok(failureText(first).includes(settings), failureText(first));
	const { own } = await byName(bench);
	const allowed = pushNode();
	const { nodes } = workflow('refused-stops', [allowed], own.credentialIds);
	const replaced = stored.nodes.map((node) => (node.name === allowed.name ? nodes[0] : node));
	await bench.client.updateNodes({ ...stored, nodes: replaced as typeof nodes });
	const retried = await retry(bench, first, true);
	assertSucceeded(retried);
	assertEachRowOnce(retried, rows);
}

/** n8n looks through all workflows. One that it must name shows that it does. */
export async function migrationReport({ client, credentialIds }: Bench): Promise<void> {
	const files = [...exampleWorkflows(credentialIds)];
	for (const [, example] of files) await client.createWorkflow(example);
	const called = { __rl: true, mode: 'id', value: 'none' };
	const call = executeWorkflow('Call', { source: 'database', mode: 'each', workflowId: called });
	await client.createWorkflow(workflow('Named', [manualTrigger('By hand'), call], {}));

	const found = await client.migrationReport('v3');
	const named = (name: string) => Object.keys(found).filter((rule) => found[rule]?.includes(name));
	for (const [file, { name }] of files)
		say(`    ${file}: ${named(name).join(', ') || 'not named'}`);
	assert.deepEqual(found, { 'execute-workflow-each-mode-v3': ['Named'] });
	assert.ok(files.length > 10);
}
