import assert from 'node:assert/strict';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import { withCredentials } from '../../../scripts/start/examples';
import { assertSucceeded, create, output, runByWebhook, type Bench } from '../bench';

interface Row {
	userID: string;
	name: string;
	email: string;
}

const BAD = [1, 3, 8, 13, 14, 15, 20, 25, 30, 35, 40, 41];

/** 30 good rows and 12 bad ones among them, each bad one with an email that is none. */
const rows: Row[] = Array.from({ length: 42 }, (_, index) => ({
	userID: `R-${index}`,
	name: `Row ${index}`,
	email: BAD.includes(index) ? `row ${index} has none` : `row${index}@example.com`,
}));

const main = (node: string) => [{ node, type: 'main', index: 0 }];

function rowsToUsers({ credentialIds }: Bench, path: string, onError: string, authentication = 'apiKey'): WorkflowJson {
	const credentials = {
		customerMessagingApi: { id: 'sandbox-api-key', name: 'Sandbox (API key)' },
		customerMessagingPartnerApi: { id: 'sandbox-partner-token', name: 'Sandbox (partner token)' },
	};
	const workflow: WorkflowJson = {
		name: path,
		settings: { executionOrder: 'v1' },
		nodes: [
			{
				id: 'rows', name: 'Rows', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0], webhookId: path,
				parameters: { httpMethod: 'POST', path, options: {} },
			},
			{
				id: 'each', name: 'Each row', type: 'n8n-nodes-base.splitOut', typeVersion: 1, position: [200, 0],
				parameters: { fieldToSplitOut: 'body.rows', options: {} },
			},
			{
				id: 'create', name: 'Create user', type: 'n8n-nodes-customer-messaging.customerMessaging', typeVersion: 1, position: [400, 0],
				parameters: { authentication, resource: 'user', operation: 'create', dataMode: 'autoMapInputData', userIdField: 'userID' },
				credentials, onError,
			},
			{ id: 'created', name: 'Created', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [600, 0], parameters: {} },
			{ id: 'refused', name: 'Refused', type: 'n8n-nodes-base.noOp', typeVersion: 1, position: [600, 200], parameters: {} },
		],
		connections: {
			Rows: { main: [main('Each row')] },
			'Each row': { main: [main('Create user')] },
			'Create user': { main: [main('Created'), main('Refused')] },
		},
	};
	return withCredentials(workflow, credentialIds);
}

export async function stopOnError(bench: Bench): Promise<void> {
	const workflow = await create(bench, rowsToUsers(bench, 'rows-stop', 'stopWorkflow'));
	const { status, data, arrivals } = await runByWebhook(bench, workflow, 'rows-stop', { rows });
	assert.equal(status, 'error');
	assert.deepEqual(arrivals, [], 'with bad rows among them, nothing at all is sent');
	const { message = '', description = '' } = data.resultData.error ?? {};
	const text = `${message}\n${description}`;
	for (const index of BAD) assert.match(text, new RegExp(`\\b${index}\\b`), `the bad row ${index} is named in:\n${text}`);
}

export async function errorOutput(bench: Bench): Promise<void> {
	const workflow = await create(bench, rowsToUsers(bench, 'rows-go-on', 'continueErrorOutput'));
	const run = await runByWebhook(bench, workflow, 'rows-go-on', { rows });
	assertSucceeded(run);
	const good = rows.filter((_, index) => !BAD.includes(index));
	const sent = run.arrivals.flatMap(({ body }) => (body as { nv: Array<{ userID: string }> }).nv);
	assert.deepEqual(sent.map(({ userID }) => userID), good.map(({ userID }) => userID));
	assert.deepEqual(output(run.data, 'Created').map(({ json }) => json.userID), good.map(({ userID }) => userID));
	const refused = output(run.data, 'Refused').map(({ json }) => json);
	assert.deepEqual(refused.map(({ userID, name, email }) => ({ userID, name, email })), BAD.map((index) => rows[index]), 'each with its own fields');
	for (const { error } of refused) assert.ok(error, 'each says why');
}

export async function partnerToken(bench: Bench): Promise<void> {
	const workflow = await create(bench, rowsToUsers(bench, 'rows-partner', 'stopWorkflow', 'partnerToken'));
	const run = await runByWebhook(bench, workflow, 'rows-partner', { rows: rows.slice(4, 6) });
	assertSucceeded(run);
	assert.equal(run.arrivals.length, 1);
	const headers = run.arrivals[0]?.headers ?? {};
	assert.equal(run.arrivals[0]?.outcome, 'accepted');
	assert.equal(headers.authorization, 'Bearer sandbox-token');
	assert.equal(headers['content-type'], 'application/json');
	assert.equal(headers['x-api-key'], undefined);
}
