import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeJson } from '../../../scripts/n8n/client';
import { exampleWorkflows } from '../../../scripts/start/examples';
import { readByN8n } from '../../unit/support/readByN8n';
import { nodeType } from '../support/engine';
import { useNode } from '../support/node';

const asha = { userID: 'C-1001', name: 'Asha Rao', email: 'asha@example.com' };
const mobile = '+447700900101';
const order = {
	...{ number: 'S-1001', placedAt: '2026-11-20T10:30:00+01:00', total: 129.8, currency: 'EUR' },
	customer: { id: 'C-1001', name: asha.name, email: asha.email },
	items: [{ sku: 'SHOE-42', quantity: 1 }],
};
const campaign = {
	...{ campaign: 'Autumn 2030', title: 'New season', message: 'The autumn collection is here.' },
	...{ url: 'https://shop.example.com/autumn', author: 'author-1001', what: 'Declined.' },
};
const appointment = {
	...{ id: 'A-1038', userID: 'C-1001', name: asha.name, mobile },
	...{ startsAt: '2030-01-15T15:30', remindAt: '2030-01-14T15:30', what: 'Cannot come' },
};
const valued = (texts: Record<string, string>) =>
	Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, { value }]));
const ofAgent = { user_id: 'C-1001', title: 'Your order', message: 'It is on its way' };

/** For each file of `examples/`, the first row of its sample, with what the nodes before add. */
const exampleRows: Readonly<Record<string, IDataObject>> = {
	'ai-agent-asks-before-it-sends.json': ofAgent,
	'ai-agent-messages-one-user.json': ofAgent,
	'announcement-with-preview-and-approval.json': {
		...{ title: 'We are closed on Monday', message: 'Back on Tuesday at 9.' },
		...{ link: 'https://shop.example.com/news', tester: 'tester-1', campaign: 'Monday' },
	},
	'appointment-confirmed-by-sms.json': appointment,
	'campaign-approved-by-push.json': campaign,
	'campaign-report-by-custom-request.json': { campaign_id: 301 },
	'csv-file-by-form-to-users.json': { ...asha, city: 'Pune' },
	'failed-rows-again-next-day.json': { ...asha, order: '1038', details: { platform: 'web' } },
	'google-sheets-row-to-user-event-and-push.json': {
		...{ 'Customer ID': 2001, Name: asha.name, Email: asha.email, Phone: mobile },
		...{ Plan: 'pro', Consent: true, userID: '2001' },
	},
	'hubspot-contact-to-user-event-and-push.json': {
		vid: 1001,
		userID: '1001',
		properties: {
			...valued({ firstname: 'Asha', lastname: 'Rao', email: asha.email, mobilephone: mobile }),
			...valued({ lifecyclestage: 'customer', push_consent: 'true' }),
		},
	},
	'new-crm-row-to-users-and-welcome-push.json': { ...asha, mobile, plan: 'pro' },
	'push-to-users-with-consent.json': { userID: 'U-1001', name: 'Asha', consent: true },
	'rows-claimed-in-postgres.json': {
		...{ user_id: 'U-1001', title: 'Autumn', message: 'Your offer is here' },
		...{ url: 'https://shop.example.com/autumn' },
	},
	'segment-email-every-monday.json': { week: '2026-W48', validUntil: '29 November' },
	'sheet-rows-to-users-in-batches.json': {
		...{ row_number: 2, ...asha, userID: 'S-1001', mobile: '+447700900103', city: 'Pune' },
	},
	'shop-order-to-user-event-and-push.json': order,
	'sms-reminder-day-before-appointment.json': appointment,
	'two-variants-by-user-id.json': { userID: 'U-1001', name: 'Asha', hash: 'a1' },
	'very-large-list-in-parts.json': { userID: 'U-1001', name: 'Asha' },
};

const node = useNode();

type Node = NodeJson & { parameters: INodeParameters };
type Connections = Record<string, { main?: Array<Array<{ node: string }> | null> }>;

const examples = [...exampleWorkflows({})].map(([file, workflow]) => ({
	file,
	row: exampleRows[file] ?? {},
	nodes: workflow.nodes as Node[],
	connections: workflow.connections as Connections,
}));
type Example = (typeof examples)[number];

/** The parameters of a node, whose rows come from the node before it, whatever they came from. */
function onRows(parameters: INodeParameters): INodeParameters {
	const written = JSON.stringify(parameters)
		.replace(/\$\('[^']*'\)\.(?:item|first\(\))\.json/g, '$json')
		.replace(/\$fromAI\('(\w+)'[^}]*?\) \}\}/g, '$json.$1 }}');
	const { descriptionType, toolDescription, ...own } = JSON.parse(written) as INodeParameters;
	return own;
}

const account = {
	...{ emailSenderName: 'Acme', emailSenderAddress: 'news@shop.example.com' },
	...{ smsSenderName: 'ACME', smsSenderMobile: '+919800000001' },
	...{ defaultSenders: true, emailServiceProviderId: 7, smsServiceProviderId: 8 },
	segments: '7 Newsletter\n42 VIP customers\n4711 Running club',
};

/** What became of each row: how it came out, or why it was refused. */
async function send(parameters: INodeParameters, rows: IDataObject[]): Promise<string[]> {
	const { error, output, failed } = await node.run(parameters, {
		rows,
		credential: { ...node.credential, ...account },
		onError: rows.length > 1 ? 'continueErrorOutput' : 'stopWorkflow',
	});
	if (error) return [`${error.message} ${error.description ?? ''}`];
	expect(output.length + failed.length).toBeGreaterThanOrEqual(rows.length);
	// A question passes its row on.
	const outcomes = output.map(({ json: { outcome = 'asked' } }) => outcome as string);
	return [...outcomes, ...failed.map(({ json }) => json.error as string)];
}

type Change = (text: string) => string | undefined;
const changes: Change[] = [(text) => `${text} "Benny`, () => ' ', () => 'NULL'];

/** The row with each of its texts changed in turn. */
function withEach(row: IDataObject, change: Change): IDataObject[] {
	return Object.entries(row).flatMap(([key, value]) => {
		if (typeof value === 'string') return [{ ...row, [key]: change(value) }];
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
		return withEach(value as IDataObject, change).map((inside) => ({ ...row, [key]: inside }));
	});
}

/** Send Once skips what an earlier test has sent, and consent what nobody agreed to. */
const isSent = /^(?:accepted|preview|asked|skipped)$/;
const helps =
	/^(?!.*(?:Internal error|could not be checked)).*\b(?:Fill|Write|Leave|Correct|Enter|Take|Choose|Give|Add|Use|Compute|Remove|Did you mean)\b/s;

function expectHelp(outcomes: string[]): void {
	expect(outcomes.filter((outcome) => !isSent.test(outcome) && !helps.test(outcome))).toEqual([]);
}

describe.each(examples)('In $file', ({ row, nodes }) => {
	const tested = nodes.filter(({ type }) => type.startsWith(nodeType));

	it.each(tested)('$name sends the sample, and an odd cell or says what to do', async (node) => {
		const parameters = onRows(node.parameters);
		const outcomes = await send(parameters, [{ ...row, _1: 'Okafor', 'Column 5': 'x' }]);
		expect(outcomes.length).toBeGreaterThan(0);
		for (const outcome of outcomes) expect(outcome).toMatch(isSent);
		const others = changes.flatMap((change) => withEach(row, change));
		const asks = parameters.operation === 'sendAndWait';
		// A column that no row has is not the same as a cell that is empty in one.
		for (const one of [...withEach(row, () => undefined), ...(asks ? others : [])])
			expectHelp(await send(parameters, [one]));
		if (asks || others.length === 0) return;
		// Broadcasts are only shown, because each would wait for the one before.
		const previewOnly = /^broadcast/.test(parameters.operation as string);
		const options = { ...(parameters.options as object), maxMessages: 999, previewOnly };
		expectHelp(await send({ ...parameters, maxBroadcasts: 999, options }, others));
	});
});

/** The values of a sample that tell who somebody is. */
function people(value: unknown): string[] {
	if (typeof value === 'object') return Object.values(value ?? {}).flatMap(people);
	if (typeof value !== 'string') return [];
	return /^[A-Z]-\d{4}$|^\+\d{8,}$|@|^Asha/.test(value) ? [value] : [];
}

function reachedFrom(example: Example, start: string, known = new Set<string>()): Set<string> {
	const outputs = example.connections[start]?.main ?? [];
	for (const { node } of outputs.flatMap((targets) => targets ?? []))
		if (!known.has(node)) reachedFrom(example, node, known.add(node));
	return known;
}

// These others send to fixed people, or have pinned data alone.
const ofSamples = examples.filter(({ file }) => !/^every-operation|^ai-agent/.test(file));
it.each(ofSamples)('$file has no sample behind a trigger', (example) => {
	const isTrigger = /(?<!\.manual)Trigger$|\.webhook$/;
	const triggers = example.nodes.filter(({ type }) => isTrigger.test(type));
	const reached = new Set(triggers.flatMap(({ name }) => [...reachedFrom(example, name)]));
	const held = example.nodes.filter(
		({ name, parameters }) =>
			reached.has(name) &&
			people(example.row).some((one) => JSON.stringify(parameters).includes(one)),
	);
	expect(held.map(({ name }) => name)).toEqual([]);
});

/** The nodes that a note says something else can take the place of. */
function replaceable({ nodes }: Example): string[] {
	return nodes
		.flatMap(({ parameters: { content } }) => (typeof content === 'string' ? [content] : []))
		.flatMap((note) => note.match(/\bplace of (?:\*[^*]+\*(?:, | and )?)+/g) ?? [])
		.flatMap((found) => Array.from(found.matchAll(/\*([^*]+)\*/g), ([, name = '']) => name))
		.filter((name) => nodes.some((node) => node.name === name));
}

const each = (one: Example) => replaceable(one).map((name) => ({ ...one, name }));
it.each(examples.flatMap(each))('$file reads nothing by the name of $name', ({ name, nodes }) => {
	const readers = nodes.filter(({ parameters }) =>
		JSON.stringify(parameters).includes(`$('${name}')`),
	);
	expect(readers.map((node) => node.name)).toEqual([]);
});

const ofForm = { submittedAt: '2030-01-15T15:30:00.000+01:00', formMode: 'production' };
const takingRows = examples.filter(({ file }) => /^(?:new-crm-row|shop-order)/.test(file));
it.each(takingRows)('$file reads rows of a webhook, a form and a sheet', (example) => {
	const { row, nodes, connections } = example;
	const trigger = nodes.find(({ type }) => type.endsWith('.webhook'))?.name ?? '';
	const [next] = connections[trigger]?.main?.[0] ?? [];
	const read = nodes.find(({ name }) => name === next?.node);
	const call = { headers: {}, params: {}, query: {}, body: row };
	for (const item of [call, { ...row, ...ofForm }, { row_number: 2, ...row }])
		expect(JSON.parse(readByN8n(read?.parameters.jsonOutput, item) as string)).toMatchObject(row);
});
