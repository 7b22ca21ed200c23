import assert from 'node:assert/strict';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { ask, type WaitingQuestion } from '../../live/question';
import { picture } from '../pictures';
import type { Stage } from '../stage';
import { inEachVersion } from '../scenario';

const phone = {
	...{ viewport: { width: 390, height: 640 }, isMobile: true, hasTouch: true },
	deviceScaleFactor: 2,
};
const desktop = { viewport: { width: 1000, height: 640 }, colorScheme: 'dark' as const };

const campaign = {
	title: 'Campaign Autumn',
	message:
		'May this go to everyone on web, Android and iOS?\n\nNew season\nThe autumn collection is here, and until Sunday everything of the summer costs half.\nhttps://shop.example.com/autumn',
	approvalOptions: {
		values: {
			approvalType: 'double',
			approveLabel: 'Send it to everyone',
			disapproveLabel: 'Do not send it',
		},
	},
};

inEachVersion('A question is answered by a tap on a phone', async (stage) => {
	const asked = await ask(stage, 'browser-phone', campaign);
	const page = await onDevice(stage, asked, phone);
	if (stage.takesPictures) await picture(page, 'question-phone', [page.locator('html')], 0);
	await page.getByRole('button', { name: 'Send it to everyone' }).tap();
	await page.getByRole('heading', { name: 'Your answer was recorded' }).waitFor();
	await page.getByText('Send it to everyone').waitFor();
	await asked.assertAnswer({ approved: true });
	await page.goto(asked.link);
	await page.getByText('No action required').waitFor();
});

inEachVersion('A question is answered by a text, by keyboard', async (stage) => {
	const asked = await ask(stage, 'browser-text', { responseType: 'freeText' });
	const page = await onDevice(stage, asked, desktop);
	const field = page.getByRole('textbox', { name: 'May it go out to 5000 customers?' });
	await page.keyboard.press('Tab');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	await field.and(page.locator(':user-invalid')).waitFor();
	await asked.assertWaits();
	await field.focus();
	await page.keyboard.type('Yes, but\nonly tomorrow');
	await page.keyboard.press('Tab');
	assert.equal((await page.locator(':focus').innerText()).trim(), 'Send');
	await page.keyboard.press('Enter');
	await page.getByText('only tomorrow').waitFor();
	await asked.assertAnswer({ text: 'Yes, but\nonly tomorrow' });
});

/** Opens the link without scripts, and makes sure that nothing else is loaded and nothing is cut off. */
async function onDevice(
	{ page: editor }: Stage,
	{ link }: WaitingQuestion,
	device: BrowserContextOptions,
): Promise<Page> {
	const browser = editor.context().browser();
	assert.ok(browser, 'there is a browser');
	const context = await browser.newContext({ ...device, javaScriptEnabled: false });
	const page = await context.newPage();
	const loaded: string[] = [];
	page.on('request', (request) => loaded.push(request.url()));
	await page.goto(link);
	const { width = 0 } = page.viewportSize() ?? {};
	for (const part of await page.locator('main, main *').all()) {
		const box = await part.boundingBox();
		assert.ok(!box || (box.x >= 0 && box.x + box.width <= width), 'nothing is cut off');
	}
	const others = loaded.filter((url) => url !== link && !url.endsWith('/favicon.ico'));
	assert.deepEqual(others, [], 'nothing else is loaded');
	return page;
}
