import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { closeNode, openNode, openWorkflow } from '../editor';
import { Form } from '../form';
import { letGo, picture } from '../pictures';
import type { Stage } from '../stage';
import { inLine, messagingNode } from '../workflows';

const dialog = 'editCredential-modal';

export async function createCredential(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	await openDialog(stage);
	const form = new Form(page, dialog);
	await form.fill({ brandId: 'sandbox-brand', apiKey: 'a-key-that-was-replaced', ...sandbox.urls });
	await save(page);

	const { baseUrl } = sandbox.urls;
	await page.getByTestId(dialog).getByText('More details').click();
	const refusal = page
		.getByTestId(dialog)
		.getByText(`Invalid credentials: ${baseUrl} answered 401`);
	await refusal.waitFor();
	await letGo(page);
	await picture(page, 'credential-failed', [page.getByTestId(dialog)], 0);

	await form.fill({ apiKey: 'sandbox-key' });
	await save(page);
	await page.getByTestId('credentials-config-container-test-success').waitFor();
	assert.equal(await refusal.isVisible(), false);
	await letGo(page);
	await picture(page, 'credential', [page.getByTestId(dialog)], 0);

	assert.deepEqual(sandbox.accepted(), [], 'testing a credential sends nothing to anyone');
	await closeDialog(page);
	const chosen = page.getByTestId('node-credentials-select').locator('input');
	assert.match(await chosen.inputValue(), /^Customer Messaging account/);
	await closeNode(page);
}

export async function partnerCredential(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	await openDialog(stage);
	const form = new Form(page, dialog);
	await page
		.getByTestId('node-auth-type-selector')
		.getByText('Partner Token', { exact: true })
		.click();
	await form.field('accessToken').waitFor();
	assert.equal(await form.field('brandId').count(), 0);
	assert.equal(await form.field('apiKey').count(), 0);
	await page.getByTestId(dialog).getByText('Customer Messaging Partner API').first().waitFor();

	await form.fill({ accessToken: 'sandbox-token', ...sandbox.urls });
	await save(page);
	await page.getByTestId('credentials-config-container-test-success').waitFor();
	await closeDialog(page);
	await closeNode(page);
}

/** The switch shows the list of the only people whom messages may reach. */
export async function limitRecipients(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	await openDialog(stage);
	const form = new Form(page, dialog);
	await form.fill({ brandId: 'sandbox-brand', apiKey: 'sandbox-key', ...sandbox.urls });
	assert.equal(await form.field('onlyRecipients').count(), 0);
	await form.field('limitRecipients').locator('.el-switch').click();
	await form.fill({ onlyRecipients: 'user-1001\n+4915112345678\n@example.com' });
	await letGo(page);
	await picture(page, 'only-these-recipients', [page.getByTestId(dialog)], 0);
	await save(page);
	await page.getByTestId('credentials-config-container-test-success').waitFor();
	await closeDialog(page);
	await closeNode(page);
}

async function openDialog(stage: Stage): Promise<void> {
	const { page } = stage;
	await openWorkflow(stage, inLine('Credentials', messagingNode(stage, 'Send push', {})));
	await openNode(page, 'Send push');
	await page.getByTestId('node-credentials-select').click();
	await page.getByTestId('node-credentials-select-item-new').filter({ visible: true }).click();
	await page.getByTestId('node-credentials-config-container').waitFor();
}

async function save(page: Page): Promise<void> {
	await page.getByTestId('credential-save-button').click();
}

async function closeDialog(page: Page): Promise<void> {
	await page.getByTestId(dialog).locator('.el-dialog__close').click();
	await page.getByTestId(dialog).waitFor({ state: 'hidden' });
}
