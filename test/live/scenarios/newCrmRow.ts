import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import {
	output,
	pathsOf,
	requestsOf,
	retry,
	runByWebhook,
	succeeded,
	valuesOf,
	type Bench,
} from '../bench';
import { createExample } from '../examples';

const attributes = {
	name: 'Asha Rao',
	email: 'asha@example.com',
	mobile: '+447700900101',
	plan: 'pro',
};

export async function newCrmRow(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'new-crm-row-to-users-and-welcome-push.json');
	const userID = 'C-1001';
	const run = await succeeded(runByWebhook(bench, workflow, { userID, ...attributes }));
	for (const { outcome } of run.arrivals) assert.equal(outcome, 'accepted');
	const [user, ...pushes] = requestsOf(run);
	assert.deepEqual(
		user,
		{ path: '/api/v1/user/create', body: { nv: [{ userID, user_attributes: attributes }] } },
		'the user comes before the welcome',
	);
	assert.deepEqual(
		pushes.sort((one, other) => one.path.localeCompare(other.path)),
		['android', 'ios', 'web'].map((platform) => ({
			path: `/api/v1/${platform}/send`,
			body: {
				user_id: userID,
				title: 'Welcome, Asha Rao!',
				message: 'You are on the pro plan. Have a look around.',
				url: 'https://shop.example.com/welcome?user=C-1001',
			},
		})),
	);
	assert.equal(output(run.data, 'Done').length, 3);

	await badRow(bench, workflow);
	await onePlatformRefused(bench, workflow);
}

async function badRow(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const bad = { userID: 'C-1002', name: 'Nobody', email: 'not an address' };
	const run = await runByWebhook(bench, workflow, bad);
	assert.deepEqual(run.arrivals, [], 'a bad row is not sent');
	const [[whatHappened, ...kept] = [], ...others] = valuesOf(
		run,
		'Log',
		...['whatHappened', 'outcome', ...Object.keys(bad)],
	);
	assert.deepEqual(others, []);
	assert.deepEqual(kept, ['invalid', ...Object.values(bad)], 'the row is kept');
	assert.equal(run.status, 'error', 'and the run stands out');
	const advice = 'Retry sends nothing: call the webhook again with this row';
	assert.equal(run.data.resultData.error?.message, `C-1002: ${String(whatHappened)}. ${advice}`);
}

async function onePlatformRefused(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const row = { userID: 'C-1003', ...attributes };
	const failed = await runByWebhook(bench, workflow, row, ({ faults }) =>
		faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } }),
	);
	assert.equal(failed.arrivals.length, 4, 'none was tried again');
	assert.deepEqual(valuesOf(failed, 'Done', 'platform'), [['web'], ['android']]);
	assert.deepEqual(valuesOf(failed, 'Log', 'userID', 'outcome'), [['C-1003', 'rejected']]);
	assert.equal(failed.status, 'error');

	// n8n begins a retry at Stop and Error, the node that failed, so nothing reaches the service.
	const { arrivals } = await retry(bench, failed);
	assert.deepEqual(arrivals, [], 'Retry after an error branch sends nothing');

	// Send Once makes it safe to call the webhook again: only the platform that refused gets its push.
	for (const paths of [['/api/v1/user/create', '/api/v1/ios/send'], ['/api/v1/user/create']]) {
		const again = await succeeded(runByWebhook(bench, workflow, row));
		assert.deepEqual(pathsOf(again), paths);
	}
}
