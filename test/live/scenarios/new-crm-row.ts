import assert from 'node:assert/strict';
import { assertSucceeded, create, output, runByWebhook, type Bench } from '../bench';
import { example } from './every-operation';

export async function newCrmRow(bench: Bench): Promise<void> {
	const workflow = await create(bench, example(bench, 'new-crm-row-to-users-and-welcome-push.json'));
	const good = { userID: 'C-1001', name: 'Asha Rao', email: 'asha@example.com', mobile: '+919812345678', plan: 'pro' };
	const run = await runByWebhook(bench, workflow, 'crm-row', good);
	assertSucceeded(run);
	const paths = run.arrivals.map(({ path }) => path);
	assert.equal(paths[0], '/api/v1/user/create', 'the user comes before the welcome');
	assert.deepEqual(paths.slice(1).sort(), ['/api/v1/android/send', '/api/v1/ios/send', '/api/v1/web/send']);
	for (const { outcome } of run.arrivals) assert.equal(outcome, 'accepted');
	const [user, push] = run.arrivals.map(({ body }) => body as Record<string, unknown>);
	const { userID, ...attributes } = good;
	assert.deepEqual(user, { nv: [{ userID, user_attributes: attributes }] });
	assert.equal(push?.title, 'Welcome, Asha Rao!');
	assert.equal(output(run.data, 'Done').length, 3);

	const bad = { userID: 'C-1002', name: 'Nobody', email: 'not an address' };
	const refused = await runByWebhook(bench, workflow, 'crm-row', bad);
	assertSucceeded(refused);
	assert.deepEqual(refused.arrivals, [], 'a bad row is not sent');
	const [logged, ...others] = output(refused.data, 'Log');
	assert.deepEqual(others, []);
	const { userID: id, name, email } = logged?.json ?? {};
	assert.deepEqual({ userID: id, name, email }, bad, 'the row is kept');
	assert.equal(logged?.json.outcome, 'invalid');
	assert.ok(String(logged?.json.whatHappened).length > 10);
}
