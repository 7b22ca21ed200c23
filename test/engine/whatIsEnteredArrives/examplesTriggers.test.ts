import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeJson } from '../../../scripts/n8n/client';
import { exampleWorkflows } from '../../../scripts/start/examples';
import { readByN8n } from '../../unit/support/readByN8n';
import { nodeType } from '../support/engine';
import { keyCredential, run, useSandbox } from '../support/service';
import { exampleRows } from '../support/values/exampleRows';

const sandbox = useSandbox();

type Node = NodeJson & { parameters: INodeParameters };
type Connections = Record<string, { main?: Array<Array<{ node: string }> | null> }>;

const examples = [...exampleWorkflows({})].map(([file, workflow]) => ({
	file,
	nodes: workflow.nodes as Node[],
	connections: workflow.connections as Connections,
}));
type Example = (typeof examples)[number];

const isTrigger = ({ type }: Node) => /Trigger$|\.webhook$/.test(type);
const isManual = ({ type }: Node) => type.endsWith('.manualTrigger');

function after({ nodes, connections }: Example, name: string): Node[] {
	const names = (connections[name]?.main?.[0] ?? []).map(({ node }) => node);
	return nodes.filter((node) => names.includes(node.name));
}

/** All nodes that a start leads to. */
function reachedFrom(example: Example, start: string, known = new Set<string>()): Set<string> {
	const outputs = example.connections[start]?.main ?? [];
	for (const { node } of outputs.flatMap((targets) => targets ?? []))
		if (!known.has(node)) reachedFrom(example, node, known.add(node));
	return known;
}

/** The values of a sample that tell who somebody is. */
function people(value: unknown): string[] {
	if (typeof value === 'string')
		return /^[A-Z]-\d{4}$|^\+\d{8,}$|@|^Asha/.test(value) ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(people);
}

describe.each(examples.map((example) => [example.file, example] as const))(
	'%s',
	(file, example) => {
		const { nodes } = example;
		const sampled = people(exampleRows[file]);
		const triggers = nodes.filter((node) => isTrigger(node) && !isManual(node));

		it('holds its sample where only a start by hand leads', () => {
			// These send to fixed people, or have pinned data alone.
			if (/^every-operation|^ai-agent/.test(file)) return;
			for (const { name } of triggers) {
				const reached = reachedFrom(example, name);
				const held = nodes
					.filter((node) => reached.has(node.name))
					.filter(({ parameters }) =>
						sampled.some((one) => JSON.stringify(parameters).includes(one)),
					);
				expect(held.map((node) => node.name)).toEqual([]);
			}
		});
	},
);

/** The nodes that a note says something else can take the place of. */
function replaceable({ nodes }: Example): string[] {
	const notes = nodes.flatMap(({ parameters: { content } }) =>
		typeof content === 'string' ? [content] : [],
	);
	return notes
		.flatMap((note) => note.match(/\bplace of (?:\*[^*]+\*(?:, | and )?)+/g) ?? [])
		.flatMap((found) => Array.from(found.matchAll(/\*([^*]+)\*/g), ([, name = '']) => name))
		.filter((name) => nodes.some((node) => node.name === name));
}

it.each(
	examples.flatMap((example) =>
		replaceable(example).map((name) => [example.file, name, example] as const),
	),
)('%s reads nothing by the name of %s, which can be replaced', (_file, name, { nodes }) => {
	const readers = nodes.filter(({ parameters }) =>
		JSON.stringify(parameters).includes(`$('${name}')`),
	);
	expect(readers.map((node) => node.name)).toEqual([]);
});

/** The items that reach the nodes behind a trigger, each with the node; none where a node before would stop. */
function walk(example: Example, start: string, item: IDataObject): Array<[Node, IDataObject]> {
	return after(example, start).flatMap((node): Array<[Node, IDataObject]> => {
		if (node.type.startsWith(nodeType)) return [[node, item]];
		const { parameters } = node;
		if (node.type.endsWith('.splitOut')) {
			const path = (parameters.fieldToSplitOut as string).split('.');
			const list = path.reduce<unknown>(
				(value, key) => (value as IDataObject | undefined)?.[key],
				item,
			);
			return Array.isArray(list)
				? list.flatMap((one) => walk(example, node.name, one as IDataObject))
				: [];
		}
		if (!node.type.endsWith('.set') || parameters.mode !== 'raw') return [];
		const given = readByN8n(parameters.jsonOutput, item);
		// The node stops with an error.
		if (typeof given !== 'string' || !given.startsWith('{')) return [];
		return walk(example, node.name, JSON.parse(given) as IDataObject);
	});
}

const ofForm = { submittedAt: '2030-01-15T15:30:00.000+01:00', formMode: 'production' };

/** What a row looks like behind each kind of trigger. */
const kinds: ReadonlyArray<[kind: string, item: (row: IDataObject) => IDataObject]> = [
	['a webhook', (row) => ({ headers: {}, params: {}, query: {}, body: row })],
	['a form', (row) => ({ ...row, ...ofForm })],
	['a sheet', (row) => ({ row_number: 2, ...row })],
	['a schedule', () => ({ timestamp: '2030-01-15T15:30:00.000+01:00', Year: '2030' })],
	['a form without an answer', () => ofForm],
	['nothing', () => ({})],
];

const byWebhook = examples.flatMap((example) =>
	example.nodes
		.filter(({ type }) => type.endsWith('.webhook'))
		.flatMap(({ name }) =>
			kinds.map(([kind, item]) => [example.file, name, kind, example, item] as const),
		),
);

/** The row of an example, of other people. */
function ofOthers(value: unknown): unknown {
	if (typeof value === 'string')
		return value
			.replace(/^([A-Z])-\d{4}$/, '$1-77')
			.replace(/^\+\d+$/, '+491713920005')
			.replace(/Asha Rao|Asha/, 'Ben')
			.replace('asha@', 'ben@');
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(ofOthers);
	return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, ofOthers(one)]));
}

it.each(byWebhook)(
	'%s reaches nobody of its sample with another trigger in place of %s: %s',
	async (file, trigger, kind, example, item) => {
		const row = ofOthers(exampleRows[file]) as IDataObject;
		const reached = walk(example, trigger, item(row));
		for (const [{ parameters }, json] of reached) {
			await run(sandbox(), parameters, {
				rows: [json],
				credential: keyCredential(sandbox()),
				onError: 'continueRegularOutput',
			});
		}
		const sent = JSON.stringify(sandbox().record.map(({ body }) => body));
		for (const one of people(exampleRows[file])) expect(sent).not.toContain(one);
		const takesRows = /^(?:new-crm-row|shop-order)/.test(file);
		if (takesRows && ['a webhook', 'a form', 'a sheet'].includes(kind))
			expect(sent).toContain('"userID":"C-77"');
		if (takesRows && !['a webhook', 'a form', 'a sheet'].includes(kind)) expect(sent).toBe('[]');
	},
);
