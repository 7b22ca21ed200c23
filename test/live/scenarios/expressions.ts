import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { findHost, nodeFor } from '../../../scripts/n8n/hosts';
import { eachRow, messaging } from '../../../scripts/n8n/workflows';
import { repository } from '../../../scripts/paths';
import { randomRow, randomTemplate } from '../../randomExpressions';
import { goingOn } from '../nodes';
import { everywhere } from '../scenario';

const RANDOM_TEMPLATES = 75;

/** The node must read the same values as this version's engine, also of the same types. */
everywhere('Expressions give what n8n gives', async (bench) => {
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
				// Otherwise a text such as null would count as empty.
				options: { previewOnly: true, sendEmptyValues: true, skipTextCheck: true },
			},
			goingOn,
		),
	);
	const names = nodes.map(({ name }) => name);
	const wires = { Webhook: [['Each row']], 'Each row': [names] };
	const stored = await bench.behindWebhook('random', [eachRow, ...nodes], { wires });
	const run = await bench.run(stored, { rows });
	const pairs = random.flatMap((template) => rows.map((row) => [template, row] as const));
	const values = evaluate(bench.version, pairs);
	const items = names.flatMap((name) => run.items(name));
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
});

/** JSON in which times are written as the service does, as well as texts that look like times. */
function withServiceTimes(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value).replaceAll('.000Z"', '+0000"'), withoutSpaces);
}

/** An attribute that is only a space counts as empty. */
function withoutSpaces(key: string, value: unknown): unknown {
	return key === 'value' && typeof value === 'string' && value.trim() === '' ? '' : value;
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
