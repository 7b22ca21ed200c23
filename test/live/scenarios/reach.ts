import assert from 'node:assert/strict';
import { manualTrigger, messaging, noOp, workflow } from '../../../scripts/n8n/workflows';
import { apiKeyCredential } from '../../../scripts/start/sandbox-credentials';
import { assertSucceeded, create, output, runByHand, runByWebhook, type Bench } from '../bench';
import { createForRows, createForRowsOrByHand } from '../rows';

const email = {
	resource: 'email',
	senderFrom: 'define',
	sender_name: 'Acme',
	sender_email: 'news@acme.example',
	serviceproviderID: 7,
	subject: 'Spring sale',
	campaign_name: 'Spring sale',
	content: '<p>It begins today.</p>',
};

/** Rows whose segment is 42, missing, empty and null. Without a segment, the email would go to everyone. */
export async function emptySegment(bench: Bench): Promise<void> {
	const toSegment = {
		...email,
		operation: 'broadcastAll',
		maxBroadcasts: 9,
		additionalFields: { segment_id: '={{ $json.segment }}' },
	};
	const node = { ...messaging('Broadcast', toSegment), onError: 'continueRegularOutput' };
	const stored = await createForRows(bench, 'empty-segment', node);
	const rows = [{ segment: 42 }, {}, { segment: '' }, { segment: null }];
	const run = await runByWebhook(bench, stored, 'empty-segment', { rows });
	assert.deepEqual(
		run.arrivals.map(({ body }) => (body as { segment_id?: number }).segment_id),
		[42],
	);
	const errors = output(run.data, 'Done').map(({ json }) => json.error);
	const refused =
		"Segment is empty, and without it the message could reach more people. Fill it in, or remove 'Segment'";
	assert.deepEqual(errors, [undefined, refused, refused, refused]);
}

/** A test goes to one person, so keys that could name others are left out, unless an option keeps them. */
export async function testReachesNobodyElse(bench: Bench): Promise<void> {
	const { name, type, data } = apiKeyCredential(bench.sandbox.urls);
	const recipient = { testRecipient: true, testEmail: 'me@example.com' };
	const { id } = await bench.client.createCredential({
		name,
		type,
		data: { ...data, ...recipient },
	});
	const ids = { ...bench.credentialIds, 'sandbox-api-key': id };
	const extraBodyFields = '{ "email_bcc": "all@example.com", "user_ids": ["1"], "user_id": "2" }';
	for (const extraFieldsInTests of [false, true]) {
		const parameters = {
			...email,
			operation: 'broadcastAll',
			testRuns: 'testRecipient',
			additionalFields: { extraBodyFields },
			options: { extraFieldsInTests },
		};
		const nodes = [manualTrigger('By hand'), messaging('Broadcast', parameters), noOp('Done')];
		const stored = await create(bench, workflow('test-others', nodes, ids)).catch(async () =>
			bench.client.createWorkflow(workflow('test-others', nodes, ids)),
		);
		const run = await runByHand(bench, stored, 'By hand');
		assertSucceeded(run);
		const [arrival, ...others] = run.arrivals;
		assert.deepEqual(others, []);
		const body = arrival?.body as Record<string, unknown>;
		assert.equal(body.email, 'me@example.com');
		assert.equal(body.user_id, undefined, 'never another recipient');
		const extra = extraFieldsInTests ? ['all@example.com', ['1']] : [undefined, undefined];
		assert.deepEqual([body.email_bcc, body.user_ids], extra);
	}
}

/** Rows to single persons and to a campaign in one run. */
export async function campaignsAreGuarded(bench: Bench): Promise<void> {
	const mixed = {
		...email,
		operation: 'send',
		recipientBy: '={{ $json.by ?? "campaign_id" }}',
		email: '={{ $json.to }}',
		campaign_id: '={{ $json.to ?? 5501 }}',
	};
	const stored = await createForRowsOrByHand(bench, 'campaigns', messaging('Send', mixed));
	const byHand = await runByHand(bench, stored, 'By hand');
	assertSucceeded(byHand);
	assert.deepEqual(byHand.arrivals, []);
	assert.equal(output(byHand.data, 'Done')[0]?.json.outcome, 'preview');

	const person = (to: string) => ({ by: 'email', to });
	const rows = [person('anna@example.com'), { to: 5501 }, person('ben@example.com')];
	const run = await runByWebhook(bench, stored, 'campaigns', { rows });
	assertSucceeded(run);
	assert.equal(run.arrivals.length, 3);

	const many = await runByWebhook(bench, stored, 'campaigns', { rows: [...rows, { to: 5501 }] });
	assert.equal(many.status, 'error');
	assert.deepEqual(many.arrivals, []);
	assert.match(many.data.resultData.error?.message ?? '', /2 broadcasts to campaign 5501/);
}
