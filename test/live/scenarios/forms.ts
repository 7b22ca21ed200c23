import assert from 'node:assert/strict';
import { messaging } from '../../../scripts/n8n/workflows';
import { outcomesOf, succeeded, type Bench } from '../bench';
import { runRows } from '../rows';

/** What the editor's list of segments shows, with names from the credential and without a request. */
export async function segmentList(bench: Bench): Promise<void> {
	const { client, sandbox, credentialIds } = bench;
	const search = async (credentials: Record<string, string | undefined>, filter?: string) => {
		const [type = '', id = ''] = Object.entries(credentials)[0] ?? [];
		// The editor sends defaults too, and n8n looks for the credential by them.
		const authentication = type === 'customerMessagingApi' ? 'apiKey' : 'partnerToken';
		const parameters = { authentication, resource: 'push', operation: 'broadcastSegment' };
		return await client.searchList(
			{
				...messaging('Push', parameters),
				parameters,
				credentials: { [type]: { id, name: 'Own' } },
			},
			{ parameter: 'segment_id', method: 'searchSegments', filter },
		);
	};

	sandbox.reset();
	const all = [
		{ name: 'Newsletter (ID 7)', value: '7' },
		{ name: 'Running club (ID 4711)', value: '4711' },
		{ name: 'VIP customers (ID 42)', value: '42' },
	];
	const own = { customerMessagingApi: credentialIds['sandbox-api-key'] };
	const token = { customerMessagingPartnerApi: credentialIds['sandbox-partner-token'] };
	assert.deepEqual(await search(own), all);
	assert.deepEqual(await search(own, 'run'), [all[1]]);
	assert.deepEqual(await search(token), all);

	const without = await client.createCredential({
		name: 'Without segments',
		type: 'customerMessagingApi',
		data: { brandId: 'sandbox-brand', apiKey: 'sandbox-key', ...sandbox.urls },
	});
	await assert.rejects(
		search({ customerMessagingApi: without.id }),
		/The credential has no segments\. Enter them there under 'Segments'/,
	);
	assert.deepEqual(sandbox.record, [], 'the list needs no request');
}

/** Attributes as n8n adds them when columns are dragged: of each type, with a value, empty and missing. */
export async function draggedAttributes(bench: Bench): Promise<void> {
	const types = {
		...{ plan: 'string', points: 'number', vip: 'boolean', tags: 'array', address: 'object' },
		...{ 'address.city': 'string', seen: 'string', none: 'string' },
	};
	const assignments = Object.entries(types).map(([name, type]) => ({
		...{ id: name, name, type, value: `={{ $json.${name} }}` },
	}));
	const now = { id: 'now', name: 'now', value: '={{ $json.at.toDateTime() }}', type: 'string' };
	const user = messaging('User', {
		authentication: 'partnerToken',
		resource: 'user',
		operation: 'create',
		userID: '={{ $json.userID }}',
		customAttributes: { assignments: [...assignments, now] },
		options: { sendEmptyValues: true },
	});
	const row = {
		plan: 'pro',
		points: 42,
		vip: false,
		tags: ['a', 1],
		address: { city: 'Pune' },
		seen: '2026-11-23T09:30:00.000Z',
		at: '2026-11-23T09:30:00.000+05:30',
	};
	const run = await succeeded(
		runRows(bench, 'attributes', user, [
			{ ...row, userID: 'A' },
			{ ...row, userID: 'B', plan: '', points: null, tags: '' },
			{ ...row, userID: 'C', points: '42.5' },
		]),
	);
	assert.deepEqual(outcomesOf(run, 'Done'), ['accepted', 'accepted', 'accepted']);

	const { at: _at, ...rest } = row;
	const sent = { ...rest, 'address.city': 'Pune', seen: '2026-11-23T09:30:00+0000' };
	const [arrival, ...others] = run.arrivals;
	assert.deepEqual([arrival?.outcome, others], ['accepted', []]);
	const { authorization, 'x-api-key': key, 'content-type': type } = arrival?.headers ?? {};
	assert.deepEqual(
		[authorization, key, type],
		['Bearer sandbox-token', undefined, 'application/json'],
	);
	const { nv } = arrival?.body as { nv: Array<{ user_attributes: Record<string, unknown> }> };
	const arrived = nv.map(({ user_attributes: { now: at, ...attributes } }) => {
		assert.match(String(at), /^2026-11-23T\d\d:\d\d:00[+-]\d{4}$/, "in the service's format");
		return attributes;
	});
	assert.deepEqual(arrived, [
		sent,
		{ ...sent, plan: '', points: null, tags: null },
		{ ...sent, points: 42.5 },
	]);
}
