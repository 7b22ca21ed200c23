import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { messaging } from '../../../scripts/n8n/workflows';
import { captionOf, canvasNode, closeNode, openInLine } from '../editor';
import { eventually } from '../eventually';
import { Form } from '../form';
import { nodePicture } from '../pictures';
import { always, inEachVersion, nightly } from '../scenario';
import type { Stage } from '../stage';
import { start } from '../workflows';

const actions = [
	...['Broadcast SMS campaign', 'Broadcast SMS to everyone', 'Broadcast SMS to segment'],
	...['Broadcast email campaign', 'Broadcast email to everyone', 'Broadcast email to segment'],
	...['Broadcast push to everyone', 'Broadcast push to segment'],
	...['Create or update user', 'Post custom request'],
	...['Send SMS and wait for response', 'Send SMS to user'],
	...['Send email and wait for response', 'Send email to user'],
	...['Send push and wait for response', 'Send push to user', 'Track event'],
];

/** Opens a new workflow and adds its trigger. */
async function beginWorkflow(page: Page): Promise<void> {
	await page.goto('/workflow/new');
	await page.getByTestId('canvas-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('manual');
	await entry(page, 'Manual Trigger').click();
	await canvasNode(page, start).waitFor();
}

/** With a credential of each type. Editors choose the last one of their list, or the newest. */
inEachVersion('A new node takes the credential with the API key', async ({ page }) => {
	await beginWorkflow(page);
	await openActions(page);
	await entry(page, 'Send push to user').click();
	const chosen = page.getByTestId('node-credentials-select').locator('input');
	await eventually(async () => assert.equal(await chosen.inputValue(), 'Sandbox (API key)'));
});

always('The node panel finds the node, lists its actions and adds it', async ({ page }) => {
	await beginWorkflow(page);

	await openActions(page);
	const creator = page.getByTestId('node-creator');
	await eventually(async () => {
		const names = await creator.getByTestId('node-creator-item-name').allInnerTexts();
		assert.deepEqual(names.sort(), actions);
	});
	const icon = creator.locator('img[src$="customerMessaging.svg"]').first();
	const answer = await page.request.get((await icon.getAttribute('src')) ?? '');
	assert.match(answer.headers()['content-type'] ?? '', /svg/);

	await entry(page, 'Send push to user').click();
	await page.getByTestId('ndv').getByTestId('node-parameters').waitFor();
	await closeNode(page);
	await eventually(async () => {
		assert.deepEqual(await captionOf(page, 'Send push to user'), [
			'Send push to user',
			'send: push',
		]);
	});
	assert.equal(await page.getByTestId('edge').count(), 1, 'the trigger leads to the node');
});

/** Searches for the node and opens the list of what it can do. */
async function openActions(page: Page): Promise<void> {
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('customer messaging');
	await entry(page, 'Customer Messaging').click();
	await entry(page, 'Send push to user').waitFor();
}

function entry(page: Page, name: string) {
	return page
		.getByTestId('item-iterator-item')
		.filter({ has: page.getByText(name, { exact: true }) });
}

const dialog = 'editCredential-modal';

always('A credential is created; its test turns red, then green', async (stage) => {
	const { page, sandbox } = stage;
	await openDialog(stage);
	const form = new Form(page, dialog);
	await form.fill({ brandId: 'sandbox-brand', apiKey: 'a-key-that-was-replaced', ...sandbox.urls });
	await save(page);

	const { baseUrl } = sandbox.urls;
	await page.getByTestId(dialog).getByText('More details').click();
	const refusal = page.getByTestId(dialog).getByText(`: ${baseUrl} answered 401`);
	await refusal.waitFor();
	await nodePicture(page, 'credential-failed', dialog);

	await form.fill({ apiKey: 'sandbox-key' });
	await saveGood(page);
	assert.equal(await refusal.isVisible(), false);
	await nodePicture(page, 'credential', dialog);

	assert.deepEqual(sandbox.accepted(), [], 'testing a credential sends nothing to anyone');
	await page.getByTestId(dialog).locator('.el-dialog__close').click();
	await page.getByTestId(dialog).waitFor({ state: 'hidden' });
	const chosen = page.getByTestId('node-credentials-select').locator('input');
	assert.match(await chosen.inputValue(), /^Customer Messaging account/);
});

/** The switch shows the list of the only people whom messages may reach. */
nightly('Safety limits: the credential limits recipients to a list', async (stage) => {
	const { page, sandbox } = stage;
	await openDialog(stage);
	const form = new Form(page, dialog);
	await form.fill({ brandId: 'sandbox-brand', apiKey: 'sandbox-key', ...sandbox.urls });
	assert.equal(await form.field('onlyRecipients').count(), 0);
	await form.field('limitRecipients').locator('.el-switch').click();
	await form.fill({ onlyRecipients: 'user-1001\n+4915112345678\n@example.com' });
	await nodePicture(page, 'only-these-recipients', dialog);
	await saveGood(page);
});

async function openDialog(stage: Stage): Promise<void> {
	const { page } = stage;
	await openInLine(stage, 'Credentials', messaging('Send push', {}));
	await page.getByTestId('node-credentials-select').click();
	await page.getByTestId('node-credentials-select-item-new').filter({ visible: true }).click();
	await page.getByTestId('node-credentials-config-container').waitFor();
}

const save = async (page: Page) => await page.getByTestId('credential-save-button').click();

async function saveGood(page: Page): Promise<void> {
	await save(page);
	await page.getByTestId('credentials-config-container-test-success').waitFor();
}
