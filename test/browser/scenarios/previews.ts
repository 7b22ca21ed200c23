import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
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
	const shownOn = { light: 'rgb(255, 255, 255)', dark: 'rgb(18, 18, 18)' };
	for (const [file, parameters, ...words] of [
		['preview-push', pushWeb, 'Spring sale', 'Shop now', 'Leads to'],
		['preview-sms', reminder, 'Part 1 of 2', 'Part 2 of 2', 'GSM-7'],
		['preview-email', newsletter, 'The garden is waking up', 'Shop the sale'],
	] as const) {
		const shown = await view(stage, parameters);
		for (const text of words) await shown.getByText(text).first().waitFor();
		// The page's own style is applied, and not only its text shown. An email is on white, as mail programs show it.
		const isEmail = file === 'preview-email';
		for (const colorScheme of ['dark', 'light'] as const) {
			await page.emulateMedia({ colorScheme });
			const part = isEmail ? 'documentElement' : 'body';
			const code = `getComputedStyle(document.${part}).backgroundColor`;
			const background = await shown.locator('body').evaluate(code);
			assert.equal(background, shownOn[isEmail ? 'light' : colorScheme]);
		}
		if (!stage.takesPictures) continue;
		await page.setViewportSize({ ...viewport, height: 1100 });
		await nodePicture(page, file);
		await page.setViewportSize(viewport);
	}
	assert.deepEqual(sandbox.record, []);
});

/** n8n's viewer, whose frame has no sandbox in some versions, removes what runs, and the node what loads. */
inEachVersion('A preview of hostile texts runs and loads nothing in the viewer', async (stage) => {
	const { page } = stage;
	const { url, knocks, close } = await trap();
	const events: string[] = [];
	page.on('dialog', (dialog) => {
		// The editor asks before it discards what an earlier scenario has changed.
		if (dialog.type() !== 'beforeunload') events.push(dialog.message());
	});
	const text = inText(url);
	for (const [parameters, words] of [
		[{ ...pushWeb, title: text, message: text }, text],
		[{ ...reminder, message: text, sender_name: text }, text.slice(0, 40)],
		[{ ...newsletter, subject: text, content: inMail(url).replace('\0', '') }, 'Still here'],
	] as const) {
		const frame = await view(stage, parameters);
		await frame.getByText(words).first().waitFor();
		assert.equal(await frame.locator('script, svg, iframe, form, link, [src]').count(), 0);
		assert.equal(await frame.locator('[onclick], [onload], [onerror], [onmouseover]').count(), 0);
	}
	assert.equal(await page.evaluate('window.pwned'), undefined);
	assert.deepEqual([knocks(), events], [0, []]);
	close();
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
