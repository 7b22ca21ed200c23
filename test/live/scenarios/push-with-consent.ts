import assert from 'node:assert/strict';
import type { StoredWorkflow, WorkflowJson } from '../../../scripts/n8n/client';
import {
	assertSucceeded,
	create,
	output,
	runByHand,
	runByWebhook,
	usersReached,
	type Bench,
	type Run,
} from '../bench';
import { example, parametersOf, withNode } from '../examples';

const FILE = 'push-to-users-with-consent.json';
const USES_TABLE = ['With consent', 'Without consent', 'Store consent'];
const everyPlatform = (ids: string[]) => ids.flatMap((id) => [id, id, id]);
const withoutConsent = ({ data }: Run) =>
	output(data, 'Nothing to send').map(({ json }) => json.userID);

export async function pushWithConsent(bench: Bench): Promise<void> {
	const workflow = await create(bench, await withTable(bench));
	await byHand(bench, workflow);
	const say = async (userID: string, consent: unknown) =>
		assertSucceeded(await runByWebhook(bench, workflow, 'push-consent', { userID, consent }));
	await say('P-1', true);
	await say('P-2', false);
	await say('P-3', 'true');
	await say('P-4', false);
	await say('P-4', true);
	await say('P-5', true);
	await say('P-5', false);

	const ids = ['P-1', 'P-2', 'P-3', 'P-4', 'P-5', 'P-6', undefined, ''];
	const rows = ids.map((userID) => ({ userID, name: 'Asha' }));
	const run = await runByWebhook(bench, workflow, 'push-with-consent', { rows });
	assertSucceeded(run);
	assert.deepEqual(
		usersReached(run).sort(),
		everyPlatform(['P-1', 'P-4']),
		'only who said yes last',
	);
	assert.equal(output(run.data, 'Sent').length, 6);
	assert.deepEqual(withoutConsent(run), ['P-2', 'P-3', 'P-5', 'P-6', undefined, '']);

	await unreadableTable(bench);
}

/** In n8n 1, a person makes the table and chooses it. In later versions, the workflow makes it. */
async function withTable(bench: Bench): Promise<WorkflowJson> {
	const workflow = example(bench, FILE);
	const run = await runByHand(bench, await bench.client.createWorkflow(workflow), 'Set up once');
	if (!bench.version.startsWith('1.')) {
		assertSucceeded(run);
		return workflow;
	}
	assert.equal(run.status, 'error');
	const id = await bench.client.createDataTable('push-consent', [
		{ name: 'userID', type: 'string' },
		{ name: 'consent', type: 'boolean' },
	]);
	return tableChosen(workflow, { __rl: true, mode: 'list', value: id });
}

/** As its note says: nobody gets the push before a user has agreed. */
async function byHand(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const before = await runByHand(bench, workflow, 'Rows by webhook');
	assertSucceeded(before);
	assert.deepEqual(before.arrivals, []);
	assert.deepEqual(withoutConsent(before), ['U-1001', 'U-1002', 'U-1003']);
	assertSucceeded(await runByHand(bench, workflow, 'Consent by webhook'));
	const after = await runByHand(bench, workflow, 'Rows by webhook');
	assertSucceeded(after);
	assert.deepEqual(usersReached(after), everyPlatform(['U-1001']));
}

/** The run fails, and nobody is reached. */
async function unreadableTable(bench: Bench): Promise<void> {
	const missing = tableChosen(example(bench, FILE), {
		__rl: true,
		mode: 'id',
		value: 'nosuchtable',
	});
	const run = await runByHand(bench, await bench.client.createWorkflow(missing), 'Rows by webhook');
	assert.equal(run.status, 'error');
	assert.deepEqual(run.arrivals, []);
}

function tableChosen(workflow: WorkflowJson, dataTableId: object): WorkflowJson {
	return USES_TABLE.reduce(
		(changed, name) =>
			withNode(changed, name, {
				parameters: { ...parametersOf(changed, name), dataTableId },
			}),
		workflow,
	);
}
