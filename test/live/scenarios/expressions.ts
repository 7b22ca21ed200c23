import assert from 'node:assert/strict';
import { assertSucceeded, create, output, runByWebhook, type Bench } from '../bench';
import { eachRow, messaging, pushToRow, webhook, workflow } from '../../../scripts/n8n/workflows';

/** Expressions that the node reads from the item itself, and the same ones in a form that it leaves to n8n. */
const pairs: Array<[direct: string, byN8n: string]> = [
	['={{ $json.city }}', '={{ [$json.city][0] }}'],
	['={{ $json["First Name"] }}', '={{ [$json["First Name"]][0] }}'],
	['={{ $json.nested.deep }}', '={{ [$json.nested.deep][0] }}'],
	[
		'=Hello {{ $json["First Name"] }} of {{ $json.city }}!',
		'=Hello {{ [$json["First Name"]][0] }} of {{ [$json.city][0] }}!',
	],
	['={{ $json.age }} and {{ $json.none }}', '={{ [$json.age][0] }} and {{ [$json.none][0] }}'],
	['=\n{{ $json.age }}% "off"', '=\n{{ [$json.age][0] }}% "off"'],
];

const rows = [
	{ userID: 'a', city: 'Pune', 'First Name': 'Asha', age: 7, none: 0, nested: { deep: 'x' } },
	{
		userID: 'b',
		city: '={{ 1 + 1 }}',
		'First Name': '{{ $json.city }}',
		age: 1e21,
		none: -0.5,
		nested: { deep: '\\ `${1}`' },
	},
	{
		userID: 'c',
		city: '👍🏻 Köln',
		'First Name': 'O\'Brien "Bob"',
		age: 0.1,
		none: 0,
		nested: { deep: ' spaced ' },
	},
];

/** One of the values looks like an expression. */
const options = { previewOnly: true, skipTextCheck: true };

/** The node must read the same values as this version of n8n. */
export async function expressionsReadAlike(bench: Bench): Promise<void> {
	const nodes = pairs.map(([title, message], index) =>
		messaging(`Pair ${index}`, { ...pushToRow, title, message, options }),
	);
	const wires = {
		Webhook: [['Each row']],
		'Each row': [nodes.map(({ name }) => name)],
	};
	const stored = await create(
		bench,
		workflow(
			'Expressions',
			[webhook('expressions'), eachRow, ...nodes],
			bench.credentialIds,
			wires,
		),
	);
	const run = await runByWebhook(bench, stored, 'expressions', { rows });
	assertSucceeded(run);
	for (const { name } of nodes) {
		const bodies = output(run.data, name).map(
			({ json }) => json.body as { title: string; message: string },
		);
		assert.equal(bodies.length, rows.length, name);
		for (const { title, message } of bodies) assert.equal(title, message, name);
	}
}
