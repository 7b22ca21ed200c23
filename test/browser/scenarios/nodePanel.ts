import assert from 'node:assert/strict';
import { messaging } from '../../../scripts/n8n/workflows';
import { captionOf, canvasNode, closeNode, openInLine } from '../editor';
import { eventually } from '../../eventually';
import { Form } from '../form';
import { nodePicture } from '../pictures';
import { always, inEachVersion } from '../scenario';
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

inEachVersion('The node panel finds the node, lists its actions and adds it', async (stage) => {
	const { page } = stage;
	await page.goto('/workflow/new');
	await page.getByTestId('canvas-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('manual');
	const entry = (name: string) =>
		page.getByTestId('item-iterator-item').filter({ has: page.getByText(name, { exact: true }) });
	await entry('Manual Trigger').click();
	await canvasNode(page, start).waitFor();

	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').fill('customer messaging');
	await entry('Customer Messaging').click();
	const creator = page.getByTestId('node-creator');
	await eventually(async () => {
		const names = await creator.getByTestId('node-creator-item-name').allInnerTexts();
		assert.deepEqual(names.sort(), actions);
	});
	const icon = creator.locator('img[src$="customerMessaging.svg"]').first();
	const answer = await page.request.get((await icon.getAttribute('src')) ?? '');
	assert.match(answer.headers()['content-type'] ?? '', /svg/);

	await entry('Send push to user').click();
	// With a credential of each type. Editors choose the last one of their list, or the newest.
	const chosen = page.getByTestId('node-credentials-select').locator('input');
	await eventually(async () => assert.equal(await chosen.inputValue(), 'Sandbox (API key)'));
	// Other versions close a node in their own ways.
	if (!stage.takesPictures) return;
	await closeNode(page);
	const caption = ['Send push to user', 'send: push'];
	await eventually(async () =>
		assert.deepEqual(await captionOf(page, 'Send push to user'), caption),
	);
	assert.equal(await page.getByTestId('edge').count(), 1, 'the trigger leads to the node');
});

always('A credential is created; its test turns red, then green', async (stage) => {
	const { page, sandbox } = stage;
	await openInLine(stage, 'Credentials', messaging('Send push', {}));
	await page.getByTestId('node-credentials-select').click();
	await page.getByTestId('node-credentials-select-item-new').filter({ visible: true }).click();
	await page.getByTestId('node-credentials-config-container').waitFor();
	const dialog = page.getByTestId('editCredential-modal');
	const form = new Form(page, dialog);
	await form.fill({ brandId: 'sandbox-brand', apiKey: 'a-key-that-was-replaced', ...sandbox.urls });
	const save = page.getByTestId('credential-save-button');
	/** Waits for the test too: until it has ended, n8n shows what an earlier one said, and asks before it closes. */
	const saveAndTest = async () => {
		await Promise.all([
			page.waitForResponse((response) => response.url().endsWith('/rest/credentials/test')),
			save.click(),
		]);
		await save.locator('[aria-busy=true]').waitFor({ state: 'hidden' });
	};
	await saveAndTest();

	const { baseUrl } = sandbox.urls;
	await dialog.getByText('More details').click();
	const refusal = dialog.getByText(`: ${baseUrl} answered 401`);
	await refusal.waitFor();
	await nodePicture(page, 'credential-failed', dialog);

	await form.fill({ apiKey: 'sandbox-key' });
	await saveAndTest();
	const passed = page.getByTestId('credentials-config-container-test-success');
	await passed.waitFor();
	assert.equal(await refusal.isVisible(), false);
	await nodePicture(page, 'credential', dialog);
	assert.deepEqual(sandbox.accepted(), [], 'testing a credential sends nothing to anyone');

	// The switch shows the list of the only people whom messages may reach.
	assert.equal(await form.field('onlyRecipients').count(), 0);
	await form.field('limitRecipients').locator('.el-switch').click();
	await form.fill({ onlyRecipients: 'user-1001\n+4915112345678\n@example.com' });
	await nodePicture(page, 'only-these-recipients', dialog);
	await saveAndTest();
	await passed.waitFor();

	await dialog.locator('.el-dialog__close').click();
	await dialog.waitFor({ state: 'hidden' });
	const chosen = page.getByTestId('node-credentials-select').locator('input');
	assert.match(await chosen.inputValue(), /^Customer Messaging account/);
});
