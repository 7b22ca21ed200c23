import assert from 'node:assert/strict';
import {
	assertSucceeded,
	create,
	output,
	runByWebhook,
	usersReached,
	type Bench,
	type WebhookRun,
} from '../bench';
import {
	eachRow,
	messaging,
	noOp,
	pushToRow,
	webhook,
	workflow,
} from '../../../scripts/n8n/workflows';

const rows = [
	{ userID: 'gap-named', name: 'Ann', customer: { name: 'Ann' } },
	{ userID: 'gap-empty', name: '', customer: { name: '' } },
	{ userID: 'gap-missing' },
];
/** Titles with one plain placeholder, and what a message suggests to write instead. */
const titles = [
	['$json.name', "$json.name || 'friend'"],
	['$json.name.trim()', "$json.name?.trim() || 'friend'"],
	['$json.customer.name', "$json.customer?.name || 'friend'"],
	["$('Each row').item.json.customer.name", "$('Each row').item.json.customer?.name || 'friend'"],
] as const;

async function pushTo(bench: Bench, path: string, title: string): Promise<WebhookRun> {
	const nodes = [
		webhook(path),
		eachRow,
		noOp('Next'),
		messaging('Push', { ...pushToRow, title }, { onError: 'continueErrorOutput' }),
		noOp('Sent'),
		noOp('Refused'),
	];
	const wires = {
		Webhook: [['Each row']],
		'Each row': [['Next']],
		Next: [['Push']],
		Push: [['Sent'], ['Refused']],
	};
	const stored = await create(bench, workflow(path, nodes, bench.credentialIds, wires));
	const run = await runByWebhook(bench, stored, path, { rows });
	assertSucceeded(run);
	return run;
}

/** A row without a name is refused, and the fallback that the message suggests lets it pass. */
export async function emptyPlaceholders(bench: Bench): Promise<void> {
	for (const [index, [code, better]] of titles.entries()) {
		const run = await pushTo(bench, `gaps-${index}`, `=Welcome, {{ ${code} }}!`);
		assert.deepEqual(usersReached(run), ['gap-named'], code);
		const message = `Title: {{ ${code} }} is empty. Write {{ ${better} }}, or turn on 'Skip Text Check'`;
		assert.deepEqual(
			output(run.data, 'Refused').map(({ json }) => [json.userID, json.error]),
			[
				['gap-empty', message],
				['gap-missing', message],
			],
		);

		const corrected = await pushTo(bench, `gaps-filled-${index}`, `=Welcome, {{ ${better} }}!`);
		assert.deepEqual(
			corrected.arrivals.map(({ body }) => (body as { title: string }).title),
			['Welcome, Ann!', 'Welcome, friend!', 'Welcome, friend!'],
			better,
		);
	}
}
