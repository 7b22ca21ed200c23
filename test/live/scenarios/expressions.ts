import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { findHost, nodeFor } from '../../../scripts/n8n/hosts';
import {
	eachRow,
	editFields,
	messaging,
	pushToRow,
	webhook,
	workflow,
} from '../../../scripts/n8n/workflows';
import { repository } from '../../../scripts/paths';
import { randomRow, randomTemplate } from '../../randomExpressions';
import { assertSucceeded, create, output, runByWebhook, type Bench } from '../bench';

/** Expressions that the node reads from the item itself, as a unit test shows. */
const templates = [
	'={{ $json.city }}',
	'={{ $json["First Name"] }}',
	'={{ $json.nested.deep }}',
	'=Hello {{ $json["First Name"] }} of {{ $json.city }}!',
	'={{ $json.age }} and {{ $json.none }}',
	'=\n{{ $json.age }}% "off"',
	'={{ $json.town ?? "Paris" }}',
	'=Dear {{ $json.nickname ?? "friend" }},',
	"={{ $json.nickname || $json['First Name'] }}",
	'={{ $json.nickname || $json.nothing || "Hello" }}',
	'={{ ($json.nickname ?? $json.nothing) || ($json.none || 1.5) }}',
	'={{ $json.nested?.missing?.deeper ?? $json.city }}',
	'=Hello {{ $json.nickname ?? "friend" }} of {{\n\t$json.town || $json.city\n}}!',
	'=<{{ $json.missing.name ?? "x" }}{{ $json.nothing }}{{ $json.nickname ?? "" }}>',
	'=p { color: {{ $json.color || "red" }} } {{ $json.vip ?? false }} {{ $json.none ?? 7 }}',
	'=It is }} {{ $json.nickname ?? "{{ fine }" }}',
];

const rows = [
	{
		userID: 'a',
		city: 'Pune',
		'First Name': 'Asha',
		age: 7,
		none: 0,
		nothing: null,
		nested: { deep: 'x' },
	},
	{
		userID: 'b',
		city: '={{ 1 + 1 }}',
		'First Name': '{{ $json.city }}',
		nickname: '',
		vip: true,
		age: 1e21,
		none: -0.5,
		nested: { deep: '\\ `${1}`', missing: { deeper: 'y' } },
	},
	{
		userID: 'c',
		city: '👍🏻 Köln',
		'First Name': 'O\'Brien "Bob"',
		nickname: 'Bobby',
		town: 'Bonn',
		age: 0.1,
		none: 0,
		nested: { deep: ' spaced ', missing: null },
	},
];

/** One of the values looks like an expression. */
const options = { previewOnly: true, skipTextCheck: true };

/** The node must read the same values as n8n's Edit Fields node, and as this version's engine. */
export async function expressionsReadAlike(bench: Bench): Promise<void> {
	const names = templates.map((_, index) => `Template ${index}`);
	const nodes = templates.map((template, index) =>
		messaging(names[index] ?? '', { ...pushToRow, message: template, options }),
	);
	const assignments = templates.map((value, index) => ({
		id: names[index],
		name: names[index],
		type: 'string',
		value,
	}));
	const byN8n = editFields('By n8n', { assignments: { assignments }, options: {} });
	const wires = {
		Webhook: [['Each row']],
		'Each row': [['By n8n', ...names]],
	};
	const stored = await create(
		bench,
		workflow(
			'Expressions',
			[webhook('expressions'), eachRow, byN8n, ...nodes],
			bench.credentialIds,
			wires,
		),
	);
	const run = await runByWebhook(bench, stored, 'expressions', { rows });
	assertSucceeded(run);
	const expected = output(run.data, 'By n8n');
	for (const [index, name] of names.entries()) {
		const messages = output(run.data, name).map(
			({ json }) => (json.body as { message: string }).message,
		);
		assert.deepEqual(
			messages,
			expected.map(({ json }) => json[name]),
			templates[index],
		);
	}
	await randomExpressionsReadAlike(bench);
}

const RANDOM_TEMPLATES = 150;

/** Compares random expressions, also their types, with the engine of this version. */
async function randomExpressionsReadAlike(bench: Bench): Promise<void> {
	const random = fc.sample(randomTemplate, RANDOM_TEMPLATES);
	// Only what JSON can hold comes through a webhook.
	const rows = JSON.parse(JSON.stringify(fc.sample(randomRow, 8))) as object[];
	const nodes = random.map((value, index) =>
		messaging(
			`User ${index}`,
			{
				resource: 'user',
				operation: 'create',
				dataMode: 'defineBelow',
				userID: 'a',
				// Of no type that n8n has, so that the value is not converted.
				customAttributes: { assignments: [{ id: '1', name: 'value', value, type: 'any' }] },
				options: { previewOnly: true, sendEmptyValues: true },
			},
			{ onError: 'continueRegularOutput' },
		),
	);
	const names = nodes.map(({ name }) => name);
	const path = 'random-expressions';
	const wires = { Webhook: [['Each row']], 'Each row': [names] };
	const all = workflow(path, [webhook(path), eachRow, ...nodes], bench.credentialIds, wires);
	const run = await runByWebhook(bench, await create(bench, all), path, { rows });
	const pairs = random.flatMap((template) => rows.map((row) => [template, row] as const));
	const values = evaluate(bench.version, pairs);
	const items = names.flatMap((name) => output(run.data, name));
	assert.equal(items.length, pairs.length);
	let compared = 0;
	for (const [index, pair] of pairs.entries()) {
		const { outcome, body } = items[index]?.json ?? {};
		// n8n refuses some expressions, and the node some of the values. It writes times as the service does.
		if (outcome !== 'preview') continue;
		const { nv } = body as { nv: Array<{ user_attributes?: object }> };
		assert.deepEqual(
			withServiceTimes(nv[0]?.user_attributes ?? {}),
			withServiceTimes(values[index]),
			`${JSON.stringify(pair[0])} for ${JSON.stringify(pair[1])}`,
		);
		compared++;
	}
	assert.ok(compared > pairs.length / 2, `only ${compared} of ${pairs.length} could be compared`);
}

/** JSON in which times are written as the service does, as well as texts that look like times. */
function withServiceTimes(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value).replaceAll('.000Z"', '+0000"'));
}

/** The value of each expression for its row, in n8n's engine. */
function evaluate(version: string, pairs: unknown[]): unknown[] {
	const host = findHost(version);
	const n8n = realpathSync(path.join(host.folder, 'node_modules', 'n8n'));
	const folder = mkdtempSync(path.join(tmpdir(), 'expressions-'));
	try {
		const file = path.join(folder, 'pairs');
		writeFileSync(file, serialize(pairs));
		const program = path.join(repository, 'test', 'live', 'evaluate.cjs');
		// n8n 1.123 is started with the same engine.
		const engine = version.startsWith('1.') ? 'legacy' : 'vm';
		const values: Buffer = execFileSync(nodeFor(host), [program, n8n, engine, file], {
			maxBuffer: 1e9,
		});
		return deserialize(values) as unknown[];
	} finally {
		rmSync(folder, { recursive: true });
	}
}
