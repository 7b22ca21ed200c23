import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { exampleWorkflows } from '../../../scripts/start/examples';
import { nodeType } from '../support/engine';
import { keyCredential, run, tokenCredential, useSandbox } from '../support/service';
import { exampleRows } from '../support/values/exampleRows';

const sandbox = useSandbox();
const examples = [...exampleWorkflows({})];

/** The parameters of a node, whose rows come from the node before it, whatever they came from. */
function onRows(parameters: unknown): INodeParameters {
	const written = JSON.stringify(parameters)
		.replace(/\$\('[^']*'\)\.(?:item|first\(\))\.json/g, '$json')
		.replace(/\$fromAI\('(\w+)'[^}]*?\) \}\}/g, '$json.$1 }}');
	const { descriptionType, toolDescription, ...own } = JSON.parse(written) as INodeParameters;
	return own;
}

const nodes = examples.flatMap(([file, workflow]) =>
	workflow.nodes
		.filter(({ type }) => type.startsWith(nodeType))
		.map(({ name, parameters }) => [file, name, onRows(parameters)] as const),
);

const senders = {
	defaultSenders: true,
	...{ emailSenderName: 'Acme', emailSenderAddress: 'news@shop.example.com' },
	...{ emailServiceProviderId: 7, smsSenderName: 'ACME', smsSenderMobile: '+919800000001' },
	smsServiceProviderId: 8,
};

/** What became of a row: how it came out, or why it was refused. */
async function send(parameters: INodeParameters, row: IDataObject): Promise<string[]> {
	sandbox().reset();
	const isOfPartner = parameters.authentication === 'partnerToken';
	const credential = {
		...(isOfPartner ? tokenCredential(sandbox()) : keyCredential(sandbox())),
		...senders,
	};
	const { error, output, failed } = await run(sandbox(), parameters, { rows: [row], credential });
	expect(failed).toEqual([]);
	if (error) return [`${error.message} ${error.description ?? ''}`];
	// A question passes its row on.
	return output.map(({ json: { outcome } }) => (typeof outcome === 'string' ? outcome : 'asked'));
}

/** The row with each of its texts changed in turn. */
function withEach(row: IDataObject, change: (text: string) => string | undefined): IDataObject[] {
	return Object.entries(row).flatMap(([key, value]) => {
		if (typeof value === 'string') return [{ ...row, [key]: change(value) }];
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
		return withEach(value as IDataObject, change).map((inside) => ({ ...row, [key]: inside }));
	});
}

/** Send Once skips what an earlier test has sent, and consent what nobody agreed to. */
const isSent = /^(?:accepted|preview|asked|skipped)$/;
const helps =
	/\b(?:Fill|Write|Leave|Correct|Enter|Take|Choose|Give|Add|Use|Convert|Remove|Did you mean)\b/;

it('There is a row for each example', () => {
	expect(Object.keys(exampleRows).sort()).toEqual(examples.map(([file]) => file).sort());
	expect(new Set(nodes.map(([file]) => file)).size).toBe(examples.length);
});

describe.each(nodes)('In %s, the node %s', (file, _, parameters) => {
	const row = exampleRows[file] ?? {};

	it('sends what the sample holds', async () => {
		for (const outcome of await send(parameters, row)) expect(outcome).toMatch(isSent);
	});

	it('sends a row with extra cells', async () => {
		const extra = { ...row, _1: 'Okafor', 'Column 5': 'x' };
		for (const outcome of await send(parameters, extra)) expect(outcome).toMatch(isSent);
	});

	it.each<[string, (text: string) => string | undefined]>([
		['a stray quotation mark', (text) => `${text} "Benny`],
		['a quotation mark at its beginning', (text) => `"${text}`],
		['a space', () => ' '],
		['nothing', () => ''],
		['no value', () => undefined],
		['NULL', () => 'NULL'],
	])('sends a row with %s, or says what to do', async (_what, change) => {
		for (const odd of withEach(row, change))
			for (const outcome of await send(parameters, odd)) {
				if (isSent.test(outcome)) continue;
				expect([odd, outcome]).toEqual([odd, expect.stringMatching(helps)]);
				expect(outcome).not.toMatch(/Internal error|could not be checked/);
			}
	});
});
