import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { apiKeyCredential } from '../../../scripts/start/sandbox-credentials';
import { manualTrigger, messaging, noOp, webhook, workflow } from '../../../scripts/n8n/workflows';
import {
	assertSucceeded,
	create,
	output,
	retry,
	runByWebhook,
	type Bench,
	type Run,
} from '../bench';

const words = {
	title: 'New season',
	message: 'The autumn collection is here.',
	url: 'https://shop.example.com/autumn',
};

const toAll = {
	resource: 'push',
	operation: 'broadcastAll',
	platforms: ['web', 'ios'],
	...words,
	testRuns: 'testRecipient',
};

/** Started by hand, a run reaches only the test recipient, also in a retry. Started by its trigger, it reaches everyone. */
export async function testRecipient(bench: Bench): Promise<void> {
	const nodes = [
		manualTrigger('By hand'),
		webhook('test-recipient'),
		messaging('Broadcast', toAll),
		noOp('Done'),
	];
	const wires = { 'By hand': [['Broadcast']], Webhook: [['Broadcast']], Broadcast: [['Done']] };
	const ids = { ...bench.credentialIds, 'sandbox-api-key': await credentialWithRecipient(bench) };
	const stored = await create(bench, workflow('test-recipient', nodes, ids, wires));

	const byHand = await refusedOnce(bench, stored);
	assert.equal(byHand.status, 'error');
	assert.deepEqual(byHand.arrivals.map(arrival).sort(byPath), [test('ios'), test('web')]);

	const retried = await retry(bench, byHand);
	assertSucceeded(retried);
	assert.deepEqual(retried.arrivals.map(arrival), [test('ios')]);
	assert.deepEqual(
		output(retried.data, 'Done').map(({ json: { outcome, operation, sentBefore } }) => [
			outcome,
			operation,
			sentBefore,
		]),
		[
			['accepted', 'send', true],
			['accepted', 'send', undefined],
		],
	);

	const real = await runByWebhook(bench, stored, 'test-recipient', {});
	assertSucceeded(real);
	assert.deepEqual(real.arrivals.map(({ path }) => path).sort(), [
		'/api/v1/ios/broadcast/all',
		'/api/v1/web/broadcast/all',
	]);
}

async function credentialWithRecipient({ client, sandbox }: Bench): Promise<string> {
	const { name, type, data } = apiKeyCredential(sandbox.urls);
	const recipient = { testRecipient: true, testUserId: 'me-1001' };
	return (await client.createCredential({ name, type, data: { ...data, ...recipient } })).id;
}

/** Starts the workflow by hand; the service refuses the first push to iOS. */
async function refusedOnce({ client, sandbox }: Bench, stored: StoredWorkflow): Promise<Run> {
	sandbox.reset();
	sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' }, first: 1 });
	const id = await client.runByHand(stored, 'By hand');
	const execution = await client.finished(id);
	return { id, ...execution, arrivals: [...sandbox.record] };
}

const byPath = (one: { path: string }, other: { path: string }) => (one.path < other.path ? -1 : 1);
const arrival = ({ path, body }: Run['arrivals'][number]) => ({ path, body });
const test = (platform: string) => ({
	path: `/api/v1/${platform}/send`,
	body: { user_id: 'me-1001', ...words },
});
