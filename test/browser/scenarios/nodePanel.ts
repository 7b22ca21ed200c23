import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { captionOf, canvasNode, closeNode } from '../editor';
import { eventually } from '../eventually';
import { start } from '../workflows';
import { always, inEachVersion } from '../scenario';

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
			'Push: Send to user',
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
