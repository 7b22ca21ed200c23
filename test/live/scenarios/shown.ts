import assert from 'node:assert/strict';
import {
	eachRow,
	editFields,
	extractFromFile,
	messaging,
	pushToAll,
} from '../../../scripts/n8n/workflows';
import { outputSchemas } from '../../outputSchemas';
import { type Bench, outcomesOf, output, requestsOf, runByWebhook, succeeded } from '../bench';
import { createBehindWebhook, goingOn, pushNode, runRows } from '../rows';

/** The schemas by which the editor lists the fields of an output before the first run. */
export async function outputBeforeTheRun({ client }: Bench): Promise<void> {
	const folder = '/schemas/n8n-nodes-customer-messaging.customerMessaging/1.0.0';
	for (const [operation, schema] of outputSchemas)
		assert.deepEqual(await client.file(`${folder}/${operation}.json`), schema, operation);
}

interface ServedType {
	name: string;
	builderHint?: { searchHint: string };
}

/** What n8n's AI workflow builder reads of the node. The builder itself does not run without a network. */
export async function hintsForTheBuilder({ client }: Bench): Promise<void> {
	const types = await client.file<ServedType[]>('/types/nodes.json');
	const served = types.find(
		({ name }) => name === 'n8n-nodes-customer-messaging.customerMessaging',
	);
	assert.ok(served);
	const { searchHint = '' } = served.builderHint ?? {};
	assert.match(searchHint, /outcome.*error output.*Send Once with an order number/);
}

/** A later node reads a preview, wherever n8n keeps binary data. */
export async function previewIsRead(bench: Bench, mode: string): Promise<void> {
	const stored = await createBehindWebhook(bench, `preview-${mode}`, [
		messaging('Preview', { ...pushToAll, options: { previewOnly: true } }),
		extractFromFile('Read', { operation: 'text', binaryPropertyName: 'preview', options: {} }),
	]);
	const run = await succeeded(runByWebhook(bench, stored, {}));
	assert.deepEqual(run.arrivals, []);
	const files = output(run.data, 'Preview').map(({ binary }) => binary?.preview?.fileName);
	assert.deepEqual(files, ['item-0-web.html', 'item-0-android.html', 'item-0-ios.html']);
	const read = output(run.data, 'Read');
	assert.equal(read.length, files.length);
	for (const { json } of read)
		assert.match(String(json.data), /^<!doctype html>[^]*The autumn collection is here\./, mode);
}

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

/** Attributes as n8n adds them when columns are dragged: with a value, empty and missing. */
export async function draggedAttributes(bench: Bench): Promise<void> {
	const types = { plan: 'string', points: 'number', vip: 'boolean', tags: 'array', none: 'string' };
	const assignments = Object.entries(types).map(([name, type]) => ({
		...{ id: name, name, type, value: `={{ $json.${name} }}` },
	}));
	const user = messaging('User', {
		authentication: 'partnerToken',
		resource: 'user',
		operation: 'create',
		userID: '={{ $json.userID }}',
		customAttributes: { assignments },
		options: { sendEmptyValues: true },
	});
	const row = { userID: 'A', plan: 'pro', points: '42.5', vip: false, tags: ['a', 1] };
	const emptied = { userID: 'B', plan: '', points: null, vip: false, tags: '' };
	const run = await succeeded(runRows(bench, 'attributes', user, [row, emptied]));
	assert.deepEqual(outcomesOf(run, 'Done'), ['accepted', 'accepted']);
	const [arrival, ...others] = run.arrivals;
	assert.deepEqual([arrival?.outcome, others], ['accepted', []]);
	const { authorization, 'x-api-key': key, 'content-type': type } = arrival?.headers ?? {};
	assert.deepEqual(
		[authorization, key, type],
		['Bearer sandbox-token', undefined, 'application/json'],
	);
	const { nv } = arrival?.body as { nv: unknown[] };
	assert.deepEqual(nv, [
		{ userID: 'A', user_attributes: { plan: 'pro', points: 42.5, vip: false, tags: ['a', 1] } },
		{ userID: 'B', user_attributes: { plan: '', points: null, vip: false, tags: null } },
	]);
}

/** What comes from a Code node: items of which n8n does not know their rows, and dates as they are. */
export async function afterCode(bench: Bench): Promise<void> {
	await brokenPairing(bench);
	await datesOfCode(bench);
}

const codeNode = (jsCode: string) => ({
	...editFields('Code', { jsCode }),
	...{ type: 'n8n-nodes-base.code', typeVersion: 2 },
});

async function brokenPairing(bench: Bench): Promise<void> {
	const fewer = codeNode('return $input.all().slice(1).map(({ json }) => ({ json }));');
	const push = pushNode({ title: "=Hi {{ $('Each row').item.json.Name || 'friend' }}" }, goingOn);
	const stored = await createBehindWebhook(bench, 'broken-pairing', [eachRow, fewer, push]);
	const rows = ['C-1', 'C-2', 'C-3'].map((userID) => ({ userID, Name: 'Ann' }));
	const run = await runByWebhook(bench, stored, { rows });
	assert.deepEqual(run.arrivals, []);
	const errors = output(run.data, 'Push').map(({ json }) => String(json.error));
	assert.equal(errors.length, 2);
	for (const error of errors)
		assert.match(error, /n8n may not know which \$\('Each row'\)\.item belongs to this item/);
}

async function datesOfCode(bench: Bench): Promise<void> {
	const code = codeNode(`return [
		{ json: { when: new Date('2026-11-24T09:30:00Z') } },
		{ json: { when: DateTime.fromISO('2026-11-24T10:30:00+01:00') } },
	];`);
	const event = messaging('Events', {
		...{ resource: 'event', operation: 'track', event_name: 'Bought', userID: 'C-1' },
		...{ event_time: '={{ $json.when }}', scheduleTimezone: 'UTC' },
	});
	const stored = await createBehindWebhook(bench, 'raw-date', [code, event]);
	const [arrived] = requestsOf(await runByWebhook(bench, stored, {}));
	const { nv } = arrived?.body as { nv: Array<{ event_time: string }> };
	const times = nv.map(({ event_time }) => event_time);
	assert.deepEqual(times, ['2026-11-24 09:30:00', '2026-11-24 09:30:00']);
}
