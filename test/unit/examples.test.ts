import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { type INode, type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import type { NodeJson, WorkflowJson } from '../../scripts/n8n/client';
import { examplesFolder } from '../../scripts/paths';

interface Placed extends NodeJson {
	position: [number, number];
	parameters: INodeParameters;
	onError?: string;
}

interface Example extends WorkflowJson {
	nodes: Placed[];
	connections: Record<string, Record<string, Array<Array<{ node: string }> | null>>>;
}

const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));
const textOf = (file: string) => readFileSync(path.join(examplesFolder, file), 'utf8');
const { description } = new CustomerMessaging();

/** Their branches end with a message, an answer, a table, the node itself or a loop, and hold no place for more nodes. */
const withoutEnds = [
	'ai-agent-asks-before-it-sends.json',
	'ai-agent-messages-one-user.json',
	'announcement-with-preview-and-approval.json',
	'campaign-report-by-custom-request.json',
	'every-operation.json',
	'rows-claimed-in-postgres.json',
	'very-large-list-in-parts.json',
];

const isNote = ({ type }: NodeJson) => type === 'n8n-nodes-base.stickyNote';
const isOurs = ({ type }: NodeJson) => type.startsWith('n8n-nodes-customer-messaging.');

test('The overview names each example', () => {
	const overview = textOf('README.md');
	for (const file of files) expect(overview).toContain(`](${file})`);
});

describe.each(files)('%s', (file) => {
	const text = textOf(file);
	const workflow = JSON.parse(text) as Example;
	const { nodes, connections } = workflow;
	const notes = nodes.filter(isNote);
	const others = nodes.filter((node) => !isNote(node));

	test('explains itself: what it is, how to try it, what to change', () => {
		const [about] = notes;
		expect(about?.name).toBe('About this workflow');
		expect(about?.parameters.content).toMatch(/^## /);
		expect(about?.parameters.content).toMatch(/credential|sandbox/);
		expect(notes.length).toBeGreaterThan(file === 'every-operation.json' ? 0 : 1);
	});

	test('every webhook address that a note names is that of a trigger', () => {
		const named = [...text.matchAll(/localhost:5678\/(webhook|form)\/([\w-]+)/g)].map(
			([, kind, name]) => `${kind}/${name}`,
		);
		const own = others.flatMap(({ type, parameters }) => {
			if (type.endsWith('.webhook')) return [`webhook/${parameters.path as string}`];
			return type.endsWith('.formTrigger')
				? [`form/${(parameters.options as { path: string }).path}`]
				: [];
		});
		expect(named.sort()).toEqual(own.sort());
	});

	test('has unique names and ids, and leads to nodes that are there', () => {
		for (const key of ['name', 'id'] as const) {
			expect(new Set(nodes.map((node) => node[key])).size).toBe(nodes.length);
		}
		const names = new Set(others.map(({ name }) => name));
		const reached = Object.values(connections).flatMap((kinds) =>
			Object.values(kinds).flatMap((outputs) =>
				outputs.flatMap((targets) => (targets ?? []).map(({ node }) => node)),
			),
		);
		for (const name of [...Object.keys(connections), ...reached]) expect(names).toContain(name);
		const starts = /Trigger$|\.webhook$/;
		const alone = others.filter(
			({ name, type }) => !starts.test(type) && !reached.includes(name) && !(name in connections),
		);
		expect(alone).toEqual([]);
	});

	test('does not wait forever for a person', () => {
		const waiting = others.filter(({ type, parameters }) =>
			type.endsWith('.wait') ? parameters.resume === 'form' : type.endsWith('.form'),
		);
		for (const { parameters } of waiting) expect(parameters.limitWaitTime).toBe(true);
		const asking = others.filter(isOurs).map(({ parameters }) => parameters);
		for (const parameters of asking.filter(({ operation }) => operation === 'sendAndWait'))
			expect(parameters).toHaveProperty('options.limitWaitTime.values.limitType');
	});

	test('runs its sample with the large Execute button, without an account elsewhere', () => {
		const webhooks = others.filter(({ type }) => type.endsWith('.webhook'));
		const elsewhere = others.filter(({ type }) => /\.(hubspot|googleSheets)/.test(type));
		const pinned = (workflow.pinData ?? {}) as Record<string, unknown>;
		expect(Object.keys(pinned)).toEqual([...webhooks, ...elsewhere].map(({ name }) => name));
		for (const { name } of webhooks) {
			const [item] = pinned[name] as [{ json: { body: object } }];
			expect([name, Object.keys(item.json)]).toEqual([
				name,
				['headers', 'params', 'query', 'body'],
			]);
			const body = JSON.stringify(item.json.body);
			const samples = others.map(({ parameters }) => parameters.jsonOutput).filter(isStaticJson);
			if (samples.length > 0) expect(samples.map(compactBody)).toContain(body);
		}
	});

	test('lets only what was accepted count as sent', () => {
		const ends = others
			.filter(isOurs)
			.flatMap(({ name }) => (connections[name]?.main?.[0] ?? []).map(({ node }) => node))
			.map((name) => others.find((node) => node.name === name))
			.filter((node) => node?.type.endsWith('.noOp') || node?.type.endsWith('.filter'));
		for (const end of ends) {
			expect([end?.name, end?.type]).toEqual([end?.name, 'n8n-nodes-base.filter']);
			expect(end?.parameters.conditions).toMatchObject({
				conditions: [
					{
						leftValue: '={{ $json.outcome }}',
						rightValue: 'accepted',
						operator: { type: 'string', operation: 'equals' },
					},
					{ leftValue: '={{ $json.test }}', operator: { type: 'object', operation: 'notExists' } },
				],
			});
		}
		expect(ends.length === 0).toBe(withoutEnds.includes(file));
	});

	test('leads back to an earlier node only in a loop, or after a page that waits for a person', () => {
		const next = (name: string) =>
			(connections[name]?.main ?? []).flatMap((targets) => (targets ?? []).map(({ node }) => node));
		const isPage = ({ type, parameters }: Placed) =>
			type.endsWith('.form') && parameters.operation !== 'completion';
		const pages = others.filter(isPage).map(({ name }) => name);
		const loops = others.filter(({ type }) => type.endsWith('.splitInBatches'));
		const visit = (name: string, before: string[]) => {
			if (before.includes(name) && loops.some((loop) => loop.name === name)) return;
			const round = before.slice(before.indexOf(name));
			if (before.includes(name) && round.some((passed) => pages.includes(passed))) return;
			expect(before).not.toContain(name);
			for (const node of next(name)) visit(node, [...before, name]);
		};
		const starts = others.filter(({ type }) => /Trigger$|\.webhook$/.test(type));
		for (const { name } of starts) visit(name, []);
	});

	test('every error output leads somewhere', () => {
		for (const { name, onError } of others.filter(
			(node) => node.onError === 'continueErrorOutput',
		)) {
			expect([name, onError, connections[name]?.main?.[1]?.length]).toEqual([name, onError, 1]);
		}
	});

	test.each(others.filter(isOurs).map((node) => [node.name, node] as const))(
		'%s has only parameters that the node knows',
		(_name, node) => {
			const parameters = withoutToolText(node);
			const own = asOurs(node, parameters);
			expect(
				NodeHelpers.getNodeParametersIssues(description.properties, own, description),
			).toBeNull();
			const shown =
				NodeHelpers.getNodeParameters(
					description.properties,
					parameters,
					true,
					false,
					own,
					description,
				) ?? {};
			expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(parameters)));
			for (const [name, value] of Object.entries(parameters)) {
				const properties = description.properties.filter((property) => property.name === name);
				const visible = properties.find((property) =>
					NodeHelpers.displayParameter(parameters, property, own, description),
				);
				expect(visible).toBeDefined();
				if (visible) expect(unknownOptions(visible, value)).toEqual([]);
			}
		},
	);

	test('holds no secret, no path of a machine and no environment', () => {
		expect(text.match(/\$env|process\.env/)).toBeNull();
		expect(text.match(/\/(home|root|Users|tmp|work)\/|\b[A-Z]:\\/)).toBeNull();
		expect(
			text.match(
				/"(brandId|apiKey|accessToken|x-api-key|authorization)"|Bearer |sandbox-(key|token|brand)"/,
			),
		).toBeNull();
		const kept = others.flatMap(({ credentials }) => Object.values(credentials ?? {}));
		for (const credential of kept) expect(Object.keys(credential).sort()).toEqual(['id', 'name']);
		expect(
			kept.map(({ id }) => id).filter((id) => !/^sandbox-(api-key|partner-token)$/.test(id)),
		).toEqual([]);
	});

	test('writes to example addresses only', () => {
		const hosts = [...text.matchAll(/(?:https?:\/\/|@)([a-z0-9.-]+\.[a-z]+)/gi)].map(
			([, host]) => host ?? '',
		);
		for (const host of hosts) expect(host).toMatch(/(^|\.)example\.com$/);
	});
});

describe('The list in parts counts', () => {
	const { nodes } = JSON.parse(textOf('very-large-list-in-parts.json')) as Example;
	const { parameters } = nodes.find(({ name }) => name === 'Count') ?? {};
	const { assignments } = parameters?.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	const code = assignments.find(({ name }) => name === 'leftOut')?.value ?? '';
	type Rows = ReadonlyArray<{ user_id?: string; userID?: string; outcome?: string }>;
	const leftOut = (read: Rows, ends: Rows): unknown => {
		const items: Record<string, Rows> = { 'Read the rows': read, Parts: ends };
		const all = (name: string) => () => items[name]?.map((json) => ({ json }));
		return runInNewContext(code.replace(/^=\{\{|\}\}$/g, ''), {
			$: (name: string) => ({ all: all(name) }),
		});
	};
	const read = [{ userID: 'U-1' }, { userID: ' U-2' }, { userID: '' }];
	const ends = [
		{ user_id: 'U-1', outcome: 'accepted' },
		{ user_id: 'U-1', outcome: 'skipped' },
		{ userID: 'U-2', outcome: 'rejected' },
		{ userID: '', outcome: 'invalid' },
	];

	test('nobody as left out where each row has an outcome', () => {
		expect(leftOut(read, ends)).toBe(0);
	});

	test('those of a second list that came into the loop', () => {
		expect(leftOut(read, [...ends, { userID: 'U-8' }, { userID: 'U-9' }])).toBe(2);
	});

	test('those who were read and never came out', () => {
		expect(leftOut([...read, { userID: 'U-8' }, { userID: 'U-8' }], ends)).toBe(1);
	});
});

function isStaticJson(value: unknown): value is string {
	return typeof value === 'string' && value.startsWith('{');
}

function compactBody(sample: string): string {
	return JSON.stringify((JSON.parse(sample) as { body: object }).body);
}

/** n8n adds these two parameters to every tool. */
function withoutToolText({ type, parameters }: Placed): INodeParameters {
	if (!type.endsWith('Tool')) return parameters;
	const { descriptionType: _kind, toolDescription: _text, ...own } = parameters;
	return own;
}

function asOurs(node: Placed, parameters: INodeParameters): INode {
	return {
		id: node.name,
		name: node.name,
		type: node.type,
		typeVersion: 1,
		position: node.position,
		parameters,
	};
}

/** The chosen options and added fields that the form does not offer. */
function unknownOptions(property: INodeProperties, value: unknown): unknown[] {
	if (typeof value === 'string' && value.startsWith('=')) return [];
	const offered = (property.options ?? []).map((option) =>
		'value' in option ? option.value : option.name,
	);
	if (property.type === 'options' && !property.typeOptions?.loadOptionsMethod)
		return offered.includes(value as string) ? [] : [value];
	if (property.type === 'multiOptions')
		return (value as string[]).filter((one) => !offered.includes(one));
	if (property.type === 'collection' || property.type === 'fixedCollection') {
		return Object.keys(value as object).filter((name) => !offered.includes(name));
	}
	return [];
}
