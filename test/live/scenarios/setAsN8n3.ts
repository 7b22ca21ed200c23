import assert from 'node:assert/strict';
import { executeWorkflow, makeRows, manualTrigger, workflow } from '../../../scripts/n8n/workflows';
import { exampleWorkflows } from '../../../scripts/start/examples';
import { apiKeyCredential } from '../../../scripts/start/sandboxCredentials';
import { say } from '../../../scripts/steps';
import {
	assertEachRowOnce,
	failureText,
	output,
	retry,
	runByWebhook,
	succeeded,
	type Bench,
} from '../bench';
import { createForRows, goingOn, pushNode, replaceNode, runRows } from '../rows';
import { benchAt } from '../services';

const settings = 'N8N_SSRF_ALLOWED_HOSTNAMES, or its address to N8N_SSRF_ALLOWED_IP_RANGES';

/** The addresses of the sandbox by the name that n8n allows. */
const byName = ({ sandbox: { urls } }: Bench): typeof urls => ({
	baseUrl: urls.baseUrl.replace('127.0.0.1', 'localhost'),
	pushUrl: urls.pushUrl.replace('127.0.0.1', 'localhost'),
	mailUrl: urls.mailUrl.replace('127.0.0.1', 'localhost'),
});

async function testAt({ client }: Bench, urls: ReturnType<typeof byName>) {
	const { id: _named, ...credential } = apiKeyCredential(urls);
	const { id } = await client.createCredential(credential);
	return await client.testCredential({ ...credential, id });
}

/** n8n 2 only keeps a person from installing an unverified package by its name. */
export async function tarballLoads(bench: Bench): Promise<void> {
	const { status, message } = await testAt(bench, byName(bench));
	assert.equal(status, 'OK', message);
	const own = await benchAt(bench, byName(bench));
	const rows = makeRows('unverified', 3);
	assertEachRowOnce(await succeeded(runRows(own, 'unverified', pushNode(), rows)), rows);
}

/** Nothing has left, so the run does not wait, and its retry sends everything once the address is allowed. */
export async function refusedByN8n(bench: Bench): Promise<void> {
	const { urls } = bench.sandbox;
	const { status, message } = await testAt(bench, urls);
	assert.equal(status, 'Error');
	assert.match(message, /n8n refuses to connect to http:\/\/127\.0\.0\.1:\d+\. n8n's N8N_SSRF/);
	assert.ok(message.includes(settings), message);

	const rows = makeRows('refused', 25);
	const startedMs = Date.now();
	const run = await succeeded(runRows(bench, 'refused', pushNode({}, goingOn), rows));
	const tookMs = Date.now() - startedMs;
	assert.deepEqual(run.arrivals, []);
	assert.ok(tookMs < 20_000, `it took ${tookMs} ms`);
	const items = output(run.data, 'Push');
	assert.equal(items.length, rows.length);
	for (const { json } of items) {
		const { description = '', ...details } = json.details as Record<string, string>;
		assert.equal(json.error, `n8n refuses to connect to ${urls.pushUrl}, so it was not sent`);
		assert.deepEqual(
			[details.outcome, details.reason, details.code],
			['notSent', 'noConnection', 'N8N_REFUSED'],
		);
		assert.ok(description.includes(settings), description);
		assert.match(description, /Then start the workflow again with the items/);
	}

	const stored = await createForRows(bench, 'refused-stops', pushNode());
	const first = await runByWebhook(bench, stored, { rows });
	assert.equal(first.status, 'error');
	assert.match(failureText(first), /^n8n refuses to connect to http/);
	assert.ok(failureText(first).includes(settings), failureText(first));
	await replaceNode(await benchAt(bench, byName(bench)), stored, pushNode());
	assertEachRowOnce(await succeeded(retry(bench, first, true)), rows);
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
