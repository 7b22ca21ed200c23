import assert from 'node:assert/strict';
import { makeRows } from '../../../scripts/n8n/workflows';
import {
	assertSucceeded,
	failureText,
	hintsOf,
	output,
	outcomesOf,
	retry,
	runByWebhook,
	usersReached,
	type Bench,
} from '../bench';
import { createForRows, pushNode } from '../rows';

/** A query that hands over each row twice reaches everybody once, also by a retry. */
export async function sameMessageOnce(bench: Bench): Promise<void> {
	const path = 'same-messages';
	const stored = await createForRows(bench, path, pushNode({ options: { concurrency: 1 } }));
	const once = makeRows('same', 5);
	const rows = [...once, ...once];
	const last = once.at(-1)?.userID ?? '';
	const failed = await runByWebhook(bench, stored, path, { rows }, ({ faults }) => {
		faults.add({ kind: 'status', status: 400, match: { bodyText: last }, first: 1 });
	});
	assert.equal(failed.status, 'error');
	const retried = await retry(bench, failed);
	assertSucceeded(retried);
	assert.deepEqual(usersReached(retried), [last]);
	assert.deepEqual(outcomesOf(retried), [
		...once.map(() => 'accepted'),
		...once.map(() => 'skipped'),
	]);
	const skipped = output(retried.data, 'Push').slice(5);
	assert.deepEqual(
		skipped.map(({ json }) => [json.reason, json.firstItem]),
		[0, 1, 2, 3, 4].map((item) => ['sameMessage', item]),
	);
	assert.match(JSON.stringify(hintsOf(retried)), /5 messages were skipped because this run/);
}

/** Too many rows send nothing; over the rounds of a loop, what was sent before counts too. */
export async function maxMessages(bench: Bench): Promise<void> {
	const path = 'max-messages';
	const stored = await createForRows(bench, path, pushNode({ options: { maxMessages: 5 } }));
	const refused = await runByWebhook(bench, stored, path, { rows: makeRows('many', 6) });
	assert.equal(refused.status, 'error');
	assert.deepEqual(refused.arrivals, []);
	assert.match(failureText(refused), /would send 6 messages, and Max Messages is 5/);
	const passed = await runByWebhook(bench, stored, path, { rows: makeRows('few', 5) });
	assertSucceeded(passed);
	assert.equal(passed.arrivals.length, 5);
}

/** A credential that is limited to some people reaches nobody else. */
export async function onlyTheseRecipients(bench: Bench): Promise<void> {
	const path = 'only-recipients';
	const { client, sandbox } = bench;
	const credential = await client.createCredential({
		name: 'Limited',
		type: 'customerMessagingApi',
		data: {
			brandId: 'sandbox-brand',
			apiKey: 'sandbox-key',
			...sandbox.urls,
			limitRecipients: true,
			onlyRecipients: 'allowed-1, someone@example.com\n+4915112345678',
		},
	});
	const node = { ...pushNode(), credentials: { customerMessagingApi: credential } };
	const stored = await createForRows(bench, path, node);
	const rows = [{ userID: 'allowed-1' }, { userID: 'other-1' }, { userID: 'other-2' }];
	const run = await runByWebhook(bench, stored, path, { rows });
	assertSucceeded(run);
	assert.deepEqual(usersReached(run), ['allowed-1']);
	assert.deepEqual(outcomesOf(run), ['accepted', 'skipped', 'skipped']);
	assert.match(JSON.stringify(hintsOf(run)), /2 messages were skipped .*Only These Recipients/);
}
