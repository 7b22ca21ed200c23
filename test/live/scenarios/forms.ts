import assert from 'node:assert/strict';
import { assertSucceeded, create, output, runByWebhook, type Bench, type Run } from '../bench';
import { eachRow, messaging, noOp, webhook, workflow } from '../../../scripts/n8n/workflows';

/** What the editor's list of segments shows, with names from the credential and without a request. */
export async function segmentList(bench: Bench): Promise<void> {
	const { client, sandbox, credentialIds } = bench;
	// The editor sends defaults too, and n8n looks for the credential by them.
	const parameters = {
		authentication: 'apiKey',
		resource: 'push',
		operation: 'broadcastSegment',
	};
	const node = messaging('Push', parameters);
	const own = { id: credentialIds['sandbox-api-key'] ?? '', name: 'Sandbox (API key)' };
	const token = {
		id: credentialIds['sandbox-partner-token'] ?? '',
		name: 'Sandbox (partner token)',
	};
	const search = async (
		given: Record<string, unknown>,
		credentials: Record<string, { id: string; name: string }>,
		filter?: string,
	) =>
		await client.searchList(
			{ ...node, parameters: given, credentials },
			{ parameter: 'segment_id', method: 'searchSegments', filter },
		);

	sandbox.reset();
	const all = [
		{ name: 'Newsletter (ID 7)', value: '7' },
		{ name: 'Running club (ID 4711)', value: '4711' },
		{ name: 'VIP customers (ID 42)', value: '42' },
	];
	assert.deepEqual(await search(parameters, { customerMessagingApi: own }), all);
	assert.deepEqual(await search(parameters, { customerMessagingApi: own }, 'run'), [all[1]]);
	const byToken = { ...parameters, authentication: 'partnerToken' };
	assert.deepEqual(await search(byToken, { customerMessagingPartnerApi: token }), all);

	const without = await credentialWithout(bench, 'Without segments');
	await assert.rejects(
		search(parameters, { customerMessagingApi: without }),
		/The credential has no segments\. Enter them there under 'Segments'/,
	);
	assert.deepEqual(sandbox.record, [], 'the list needs no request');
}

/** Attributes as n8n adds them when columns are dragged: of each type, with a value, empty and missing. */
export async function draggedAttributes(bench: Bench): Promise<void> {
	const columns: Array<[string, string]> = [
		['plan', 'string'],
		['points', 'number'],
		['vip', 'boolean'],
		['tags', 'array'],
		['address', 'object'],
		['address.city', 'string'],
		['seen', 'string'],
		['none', 'string'],
	];
	const assignments = columns.map(([name, type]) => ({
		id: name,
		name,
		value: `={{ $json.${name} }}`,
		type,
	}));
	const now = { id: 'now', name: 'now', value: '={{ $json.at.toDateTime() }}', type: 'string' };
	const user = {
		resource: 'user',
		operation: 'create',
		userID: '={{ $json.userID }}',
		customAttributes: { assignments: [...assignments, now] },
		options: { sendEmptyValues: true },
	};
	const row = {
		plan: 'pro',
		points: 42,
		vip: false,
		tags: ['a', 1],
		address: { city: 'Pune' },
		seen: '2026-11-23T09:30:00.000Z',
		at: '2026-11-23T09:30:00.000+05:30',
	};
	const emptied = { ...row, userID: 'B', plan: '', points: null, tags: '' };
	const rows = [{ ...row, userID: 'A' }, emptied, { ...row, userID: 'C', points: '42.5' }];
	const run = await runRows(bench, 'attributes', rows, [messaging('User', user)]);
	assertSucceeded(run);

	const [arrival] = run.arrivals;
	assert.equal(arrival?.outcome, 'accepted');
	const sent = {
		plan: 'pro',
		points: 42,
		vip: false,
		tags: ['a', 1],
		address: { city: 'Pune' },
		'address.city': 'Pune',
		seen: '2026-11-23T09:30:00+0000',
	};
	const { nv } = arrival.body as {
		nv: Array<{ userID: string; user_attributes: Record<string, unknown> }>;
	};
	const [a, b, c] = nv.map(({ user_attributes: { now: at, ...attributes } }) => {
		assert.match(String(at), /^2026-11-23T\d\d:\d\d:00[+-]\d{4}$/, "in the service's format");
		return attributes;
	});
	assert.deepEqual(a, sent);
	assert.deepEqual(b, { ...sent, plan: '', points: null, tags: null });
	assert.deepEqual(c, { ...sent, points: 42.5 });
}

async function credentialWithout({ client, sandbox }: Bench, name: string) {
	const { id } = await client.createCredential({
		name,
		type: 'customerMessagingApi',
		data: { brandId: 'sandbox-brand', apiKey: 'sandbox-key', ...sandbox.urls },
	});
	return { id, name };
}

async function runRows(
	bench: Bench,
	path: string,
	rows: object[],
	nodes: Array<ReturnType<typeof messaging>>,
): Promise<Run> {
	const names = nodes.map(({ name }) => name);
	const wires = {
		Webhook: [['Each row']],
		'Each row': [names],
		...Object.fromEntries(names.map((name) => [name, [['Done']]])),
	};
	const all = [webhook(path), eachRow, ...nodes, noOp('Done')];
	const stored = await create(bench, workflow(path, all, bench.credentialIds, wires));
	const run = await runByWebhook(bench, stored, path, { rows });
	if (run.status === 'success')
		assert.ok(output(run.data, 'Done').every(({ json }) => json.outcome === 'accepted'));
	return run;
}
