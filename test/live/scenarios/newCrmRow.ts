import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import {
	assertSucceeded,
	create,
	output,
	retry,
	runByWebhook,
	type Bench,
	type Run,
} from '../bench';
import { example } from '../examples';

const good = {
	userID: 'C-1001',
	name: 'Asha Rao',
	email: 'asha@example.com',
	mobile: '+447700900101',
	plan: 'pro',
};

export async function newCrmRow(bench: Bench): Promise<void> {
	const workflow = await create(
		bench,
		example(bench, 'new-crm-row-to-users-and-welcome-push.json'),
	);
	await welcomed(bench, workflow);
	await badRow(bench, workflow);
	await onePlatformRefused(bench, workflow);
}

async function welcomed(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const run = await runByWebhook(bench, workflow, 'crm-row', good);
	assertSucceeded(run);
	const paths = run.arrivals.map(({ path }) => path);
	assert.equal(paths[0], '/api/v1/user/create', 'the user comes before the welcome');
	assert.deepEqual(paths.slice(1).sort(), [
		'/api/v1/android/send',
		'/api/v1/ios/send',
		'/api/v1/web/send',
	]);
	for (const { outcome } of run.arrivals) assert.equal(outcome, 'accepted');
	const [user, ...pushes] = run.arrivals.map(({ body }) => body);
	const { userID, ...attributes } = good;
	assert.deepEqual(user, { nv: [{ userID, user_attributes: attributes }] });
	const welcome = {
		user_id: userID,
		title: 'Welcome, Asha Rao!',
		message: 'You are on the pro plan. Have a look around.',
		url: 'https://shop.example.com/welcome?user=C-1001',
	};
	assert.deepEqual(pushes, [welcome, welcome, welcome]);
	assert.equal(output(run.data, 'Done').length, 3);
}

async function badRow(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const bad = { userID: 'C-1002', name: 'Nobody', email: 'not an address' };
	const { status, data, arrivals } = await runByWebhook(bench, workflow, 'crm-row', bad);
	assert.deepEqual(arrivals, [], 'a bad row is not sent');
	const [logged, ...others] = output(data, 'Log');
	assert.deepEqual(others, []);
	const { userID, name, email, outcome, whatHappened } = logged?.json ?? {};
	assert.deepEqual(
		{ userID, name, email, outcome },
		{ ...bad, outcome: 'invalid' },
		'the row is kept',
	);
	assert.equal(status, 'error', 'and the run stands out');
	const advice = 'Retry sends nothing: call the webhook again with this row';
	assert.equal(data.resultData.error?.message, `C-1002: ${String(whatHappened)}. ${advice}`);
}

const third = { ...good, userID: 'C-1003' };

/** Send Once makes it safe to call the webhook again: only the platform that refused gets its push. */
async function sentAgain(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	for (const paths of [['/api/v1/user/create', '/api/v1/ios/send'], ['/api/v1/user/create']]) {
		const again = await runByWebhook(bench, workflow, 'crm-row', third);
		assertSucceeded(again);
		assert.deepEqual(
			again.arrivals.map(({ path }) => path),
			paths,
		);
	}
}

/** n8n begins a retry at Stop and Error, the node that failed, so nothing reaches the service. */
async function retrySendsNothing(bench: Bench, failed: Run): Promise<void> {
	const retried = await retry(bench, failed);
	assert.deepEqual(retried.arrivals, [], 'Retry after an error branch sends nothing');
}

async function onePlatformRefused(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const failed = await runByWebhook(bench, workflow, 'crm-row', third, ({ faults }) => {
		faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } });
	});
	const { status, data, arrivals } = failed;
	assert.equal(arrivals.length, 4, 'none was tried again');
	assert.deepEqual(
		output(data, 'Done').map(({ json }) => json.platform),
		['web', 'android'],
	);
	assert.deepEqual(
		output(data, 'Log').map(({ json }) => [json.userID, json.outcome]),
		[['C-1003', 'rejected']],
	);
	assert.equal(status, 'error');
	await retrySendsNothing(bench, failed);
	await sentAgain(bench, workflow);
}
