import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { messaging } from '../../../scripts/n8n/workflows';
import { openInLine } from '../editor';
import { Form } from '../form';
import { nodePicture } from '../pictures';
import type { Stage } from '../stage';
import { always, nightly } from '../scenario';

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
