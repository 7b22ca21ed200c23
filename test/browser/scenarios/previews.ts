import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';
import { messaging } from '../../../scripts/n8n/workflows';
import { apiKeyCredential } from '../../../scripts/start/sandboxCredentials';
import { executeStep, openInLine, outputPanel, waitForHint, widenOutput } from '../editor';
import { inMail, inText, trap } from '../inbox/scenarios/hostile';
import { nodePicture } from '../pictures';
import { viewport, type Stage } from '../stage';
import { sale } from '../workflows';
import { always, inEachVersion } from '../scenario';

const pushWeb = {
	operation: 'broadcastAll',
	platforms: ['web'],
	...sale,
	additionalFields: {
		hero_image_url: 'https://cdn.example.com/spring-sale.jpg',
		button_one_title: 'Shop now',
		button_two_title: 'Opening hours',
		button_two_url: 'https://shop.example.com/hours',
	},
};

const reminder = {
	...{ resource: 'sms', operation: 'send', recipientBy: 'mobile', mobile: '+4915112345678' },
	...{ senderFrom: 'define', sender_name: 'Acme Dental', sender_mobile: '+4930123456' },
	...{ campaign_name: 'Reminder', serviceproviderID: 8 },
	message:
		'Hello Asha, your appointment is tomorrow at 10:00. Please bring your insurance card and come ten minutes early: the entrance on Main Street is closed, so use the one in the yard. Your team at Acme Dental',
};

const newsletter = {
	...{ resource: 'email', operation: 'broadcastSegment' },
	segment_id: { __rl: true, mode: 'id', value: '42' },
	...{ senderFrom: 'define', sender_name: 'Acme Garden', sender_email: 'news@shop.example.com' },
	...{ subject: 'The garden is waking up', campaign_name: 'Spring sale', serviceproviderID: 7 },
	additionalFields: { reply_to: 'help@shop.example.com', email_cc: 'team@shop.example.com' },
	content: `<div style="max-width: 560px; margin: 0 auto; padding: 24px; background-color: #f6f3ee">
<img src="https://cdn.example.com/garden.jpg" alt="A garden in spring">
<h1 style="color: #2d6a4f; text-align: center">The garden is waking up</h1>
<p>Dear @{name}@,</p><p>until <b>Sunday</b> everything for your garden is <b style="color: #c1121f">20% off</b>.</p>
<p style="text-align: center"><a href="https://shop.example.com/sale" style="display: inline-block; padding: 12px 26px; border-radius: 6px; background: #2d6a4f; color: #ffffff; text-decoration: none">Shop the sale</a></p>
<p><small>No more of these? <a href="https://shop.example.com/unsubscribe">Unsubscribe</a></small></p></div>`,
};

/** Previews one node's messages, and opens the first page in n8n's viewer. */
async function view(stage: Stage, parameters: Record<string, unknown>): Promise<FrameLocator> {
	const { page } = stage;
	const options = { previewOnly: true };
	await openInLine(stage, 'Preview', messaging('Preview', { ...parameters, options }));
	await executeStep(page, 'success');
	await widenOutput(page);
	await outputPanel(page).getByTestId('radio-button-binary').click();
	await outputPanel(page).getByTestId('ndv-view-binary-data').first().click();
	const frame = page.locator('iframe.__html-display');
	await frame.waitFor();
	return frame.contentFrame();
}

inEachVersion('A preview shows a push, an SMS and an email in the viewer', async (stage) => {
	const { page, sandbox } = stage;
	for (const [file, parameters, words] of [
		['preview-push', pushWeb, ['Spring sale', 'Shop now', 'Leads to']],
		['preview-sms', reminder, ['Part 1 of 2', 'Part 2 of 2', 'GSM-7']],
		['preview-email', newsletter, ['The garden is waking up', 'Shop the sale']],
	] as const) {
		const shown = await view(stage, parameters);
		for (const text of words) await shown.getByText(text).first().waitFor();
		// The page's own style is applied, and not only its text shown.
		const body = shown.locator('body');
		const background = async (of: 'body' | 'documentElement') =>
			await body.evaluate(`getComputedStyle(document.${of}).backgroundColor`);
		if (file === 'preview-email') {
			// It is on white, as mail programs show it.
			assert.equal(await background('documentElement'), 'rgb(255, 255, 255)');
		} else {
			assert.equal(await background('body'), 'rgb(255, 255, 255)');
			await page.emulateMedia({ colorScheme: 'dark' });
			assert.equal(await background('body'), 'rgb(18, 18, 18)');
			await page.emulateMedia({ colorScheme: 'light' });
			await assertFits(shown);
		}
		if (stage.takesPictures) await tallPicture(page, file);
	}
	assert.deepEqual(sandbox.record, []);
});

async function tallPicture(page: Page, file: string): Promise<void> {
	await page.setViewportSize({ ...viewport, height: 1100 });
	try {
		await nodePicture(page, file);
	} finally {
		await page.setViewportSize(viewport);
	}
}

const NARROW = 300;

/** In a narrow output panel, nothing is cut off. */
async function assertFits(shown: FrameLocator): Promise<void> {
	const widest = await shown.locator('body').evaluate(`
		document.body.style.width = '${NARROW}px';
		const { left } = document.body.getBoundingClientRect();
		const edges = [...document.querySelectorAll('.phone *, .desk *, .fact, .fact *')].map((one) => one.getBoundingClientRect().right - left);
		document.body.style.width = '';
		Math.max(0, ...edges)`);
	assert.ok(Number(widest) <= NARROW, `something reaches to ${String(widest)}`);
}

/** n8n's viewer, whose frame has no sandbox in some versions, removes what runs, and the node what loads. */
inEachVersion('A preview of hostile texts runs and loads nothing in the viewer', async (stage) => {
	const { page } = stage;
	const { url, knocks, close } = await trap();
	const events: string[] = [];
	const requested = (request: { url(): string }) => {
		if (request.url().startsWith(url)) events.push(request.url());
	};
	const shown = (dialog: { message(): string }) => void events.push(dialog.message());
	page.on('request', requested).on('dialog', shown);
	try {
		const text = inText(url);
		const cases = [
			[{ ...pushWeb, title: text, message: text }, text],
			[{ ...reminder, message: text, sender_name: text }, text.slice(0, 40)],
			[{ ...newsletter, subject: text, content: inMail(url).replace('\0', '') }, 'Still here'],
		] as const;
		for (const [parameters, words] of cases) {
			const frame = await view(stage, parameters);
			await frame.getByText(words).first().waitFor();
			assert.equal(await frame.locator('script, svg, iframe, form, link, [src]').count(), 0);
			assert.equal(await frame.locator('[onclick], [onload], [onerror], [onmouseover]').count(), 0);
		}
		assert.equal(await page.evaluate('window.pwned'), undefined);
		assert.equal(knocks(), 0);
		assert.deepEqual(events, []);
	} finally {
		page.off('request', requested).off('dialog', shown);
		close();
	}
});

always('A test goes to the test recipient, and the hint says so', async (stage) => {
	const { page, client, sandbox } = stage;
	const { id: _, ...credential } = apiKeyCredential(sandbox.urls);
	const name = 'Sandbox with a test recipient';
	const data = { ...credential.data, testRecipient: true, testUserId: 'me-1001' };
	const { id } = await client.createCredential({ ...credential, name, data });
	const to = { operation: 'broadcastAll', platforms: ['web', 'android'] };
	const parameters = { ...to, ...sale, testRuns: 'testRecipient' };
	const node = messaging('Spring sale', parameters, {
		credentials: { customerMessagingApi: { id, name } },
	});
	await openInLine(stage, 'Test to yourself', node);
	await executeStep(page, 'success');
	await waitForHint(page, 'Test sent to me-1001 on web, android. Nobody else got it');
	await widenOutput(page);
	await nodePicture(page, 'test-recipient');
});
