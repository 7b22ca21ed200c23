import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { exampleWorkflows } from '../../../scripts/start/examples';
import { canvasNode, openWorkflow } from '../editor';
import { eventually } from '../eventually';
import type { Stage } from '../stage';

const file = 'new-crm-row-to-users-and-welcome-push.json';

/** Its sample needs a Data Table, which is made when it is started by hand. */
const needsTable = 'push-to-users-with-consent.json';

/** n8n chooses the trigger of the button by itself, and prefers a webhook to a trigger by hand. */
export async function runSamples(stage: Stage): Promise<void> {
	const { page, sandbox, credentialIds } = stage;
	const samples = [...exampleWorkflows(credentialIds)].filter(
		([name, { pinData }]) => Object.keys(pinData ?? {}).length > 0 && name !== needsTable,
	);
	assert.ok(samples.length >= 8, `${samples.length} examples have a sample`);
	for (const [name, workflow] of samples) {
		sandbox.reset();
		await openWorkflow(stage, workflow);
		await page.getByTestId('execute-workflow-button').click();
		await eventually(
			() => assert.ok(sandbox.accepted().length > 0, `${name} sends its sample`),
			60_000,
		);
	}
}

const words = {
	Title: 'New season',
	Message: 'The autumn collection is here.',
	URL: 'https://shop.example.com/autumn',
	'Campaign Name': 'Autumn',
	'User ID': 'me-1001',
};

/** The form as a person fills it in, up to each page that ends it. */
export async function announce(stage: Stage): Promise<void> {
	const { page, client, sandbox, credentialIds } = stage;
	const workflow = exampleWorkflows(credentialIds).get(
		'announcement-with-preview-and-approval.json',
	);
	assert.ok(workflow, 'the example is there');
	await client.activate(await client.createWorkflow(workflow));

	await fillIn(page, { ...words, Title: 'T'.repeat(71) });
	await page.getByText('This cannot be sent').waitFor();
	await page.getByText('Title has 71 characters').waitFor();
	await page.getByRole('link', { name: 'Fill in the form again' }).click();

	await fillIn(page, words);
	await decide(page, 'Reject it');
	await page.getByText('You rejected it. Only the test went out.').waitFor();
	await page.getByRole('link', { name: 'Fill in the form again' }).click();

	await fillIn(page, words);
	await decide(page, 'Send it to everyone');
	await page.getByText('It was sent to everyone').waitFor();
	const broadcasts = sandbox.record.filter(({ path }) => path.endsWith('/broadcast/all'));
	assert.equal(broadcasts.length, 3, 'only the yes reaches everyone');
}

async function fillIn(page: Page, values: Record<string, string>): Promise<void> {
	await page.goto('/form/announcement');
	for (const [label, value] of Object.entries(values))
		await page.getByLabel(label).first().fill(value);
	await page.getByRole('button', { name: 'Show preview' }).click();
}

async function decide(page: Page, decision: string): Promise<void> {
	await page.getByText('Is this right?').waitFor();
	await page.getByLabel('Decision').selectOption(decision);
	await page.getByRole('button', { name: 'Submit' }).click();
}

export async function openExample(stage: Stage): Promise<void> {
	const { page, sandbox, credentialIds } = stage;
	const workflow = exampleWorkflows(credentialIds).get(file);
	assert.ok(workflow, `${file} is there`);
	await openWorkflow(stage, workflow);

	const nodes = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	for (const { name } of nodes) await canvasNode(page, name).waitFor();
	const notes = page.getByTestId('sticky');
	assert.equal(await notes.count(), workflow.nodes.length - nodes.length);
	await notes.getByRole('heading', { name: 'New CRM row → user and welcome push' }).waitFor();
	await notes.getByText('One user per row.').waitFor();
	assert.equal(await page.getByTestId('node-issues').count(), 0, 'no node shows a warning');

	await page.getByTestId('zoom-to-fit').click();
	const byHand = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	assert.ok(byHand, 'there is a trigger to try it by hand');
	await canvasNode(page, byHand.name).hover();
	await page.getByTestId(`execute-workflow-button-${byHand.name}`).click();
	await canvasNode(page, 'Done')
		.getByTestId('canvas-node-status-success')
		.waitFor({ timeout: 60_000 });
	assert.deepEqual(
		sandbox
			.accepted()
			.map(({ path }) => path)
			.sort(),
		['/api/v1/android/send', '/api/v1/ios/send', '/api/v1/user/create', '/api/v1/web/send'],
	);
}
