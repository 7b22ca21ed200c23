import { strict as assert } from 'node:assert';
import path from 'node:path';
import { repository } from '../../../../scripts/paths';
import { email, push, send, sms } from '../../../../sandbox/support/sampleRequests';
import { eventually } from '../../eventually';
import { letGo } from '../../pictures';
import { sendExamples } from '../examples';
import { expectTitles, expectWords, message, openMessage, rows, sendPushes } from '../reading';
import { type Stage } from '../stage';

const rich = {
	...push,
	title: 'Free delivery',
	message: 'Until Sunday at midnight',
	image_url: 'https://cdn.example.com/weekend.png',
	button_one_title: 'Shop now',
	button_two_title: 'Remind me',
	button_two_url: 'https://shop.example.com/remind',
};

export async function filtersAndSearch({ page, sandbox }: Stage): Promise<void> {
	await sendPushes(sandbox, { title: 'To one' });
	const toMany = { ...push, user_id: undefined };
	const toAll = { ...toMany, title: 'To all' };
	const toSome = { ...toMany, title: 'To some', segment_id: 42 };
	await send(sandbox, '/api/v1/ios/broadcast/all', toAll);
	await send(sandbox, '/api/v1/android/broadcast/segment', toSome);
	await send(sandbox, '/api/v1/sendMessage', { ...email, subject: 'By mail' });
	sandbox.faults.add({ kind: 'status', status: 503, match: { channel: 'sms' } });
	await send(sandbox, '/api/v1/sendMessage', { ...sms, sender_name: 'By phone' });
	await send(sandbox, '/api/v1/web/send', { title: 'Refused' });
	const all = ['Refused', 'By phone', 'By mail', 'To some', 'To all', 'To one'];
	await expectTitles(page, all);

	const choices: Array<[string, string, string[]]> = [
		['Channel', 'email', ['By mail']],
		['Platform', 'ios', ['To all']],
		['Audience', 'segment', ['To some']],
		['Outcome', 'rejected', ['Refused']],
		['Outcome', 'fault', ['By phone']],
	];
	for (const [name, value, expected] of choices) {
		const select = page.getByRole('group', { name: 'Filters' }).getByLabel(name);
		await select.selectOption(value);
		await expectTitles(page, expected);
		await select.selectOption('');
	}
	await expectTitles(page, all);

	const search = page.getByRole('searchbox', { name: 'Search' });
	const shown = message(page).locator('.detail-title');
	await openMessage(page, 'By mail');
	await search.fill('TO  some');
	await expectTitles(page, ['To some']);
	await expectWords(shown, 'To some');
	await search.fill('vip');
	await expectTitles(page, ['To some']);
	await expectWords(rows(page), 'VIP customers (ID 42)');
	await search.fill('nothing like it');
	await page.getByText('Nothing matches.').waitFor();
	await eventually(async () => assert.equal(await shown.count(), 0));
	await page.getByRole('button', { name: 'Clear search and filters' }).click();
	await expectTitles(page, all);
}

/** A push on each platform in its own surroundings. Its image is named and not loaded, and no link leads anywhere. */
export async function pushes({ page, sandbox }: Stage): Promise<void> {
	for (const platform of ['web', 'android', 'ios'])
		await send(sandbox, `/api/v1/${platform}/send`, { ...rich, title: `On ${platform}` });
	await expectTitles(page, ['On ios', 'On android', 'On web']);

	const captions = {
		web: 'In a browser',
		android: 'On a phone with Android',
		ios: 'On the lock screen of an iPhone',
	};
	for (const [platform, caption] of Object.entries(captions)) {
		const shown = await openMessage(page, `On ${platform}`);
		const device = shown.locator(`.device.${platform}`);
		await expectWords(device, `On ${platform}`, rich.message, 'Shop now', 'Remind me');
		await expectWords(device, rich.image_url, 'Not loaded');
		await expectWords(shown, caption, 'For C-1001', rich.button_two_url);
		await expectWords(shown, 'Leads to https://shop.example.com/');
		assert.equal(await shown.locator('img').count(), 0);
		assert.equal(await shown.getByRole('link').count(), 0);
	}
}

export async function mail({ page, sandbox, errors }: Stage): Promise<void> {
	for (const own of [
		{ reply_to: 'help@shop.example.com', email_cc: 'ben@example.com' },
		{ subject: 'With an image', content: illustrated },
	])
		await send(sandbox, '/api/v1/sendMessage', { ...email, ...own });

	const shown = await openMessage(page, 'Our autumn sale');
	await expectWords(
		shown.locator('.envelope'),
		...['From Acme Shop <news@shop.example.com>', 'To asha@example.com'],
		...['Subject Our autumn sale', 'Reply to help@shop.example.com', 'Copy to ben@example.com'],
		'Campaign Autumn',
	);
	const frame = shown.locator('iframe');
	assert.equal(await frame.getAttribute('sandbox'), 'allow-same-origin');
	assert.equal(await frame.contentFrame().locator('h1').innerText(), 'Autumn sale');

	const image = (await openMessage(page, 'With an image')).locator('iframe').contentFrame();
	await expectWords(
		image.locator('.not-loaded'),
		'Image: Wool scarf https://cdn.example.com/scarf.jpg Not loaded in this preview',
	);
	assert.equal(await image.locator('img').count(), 1, 'the image in the email itself');
	await expectWords(message(page).locator('.mail-links'), 'Shop now https://shop.example.com/');
	// The browser logs that the policy kept it from loading an image.
	if (errors.every((text) => text.includes('"img-src data:"'))) errors.length = 0;
}

const illustrated = `<img src="https://cdn.example.com/scarf.jpg" alt="Wool scarf">
<img alt="A dot" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<p><a href="https://shop.example.com/">Shop now</a></p>`;

/** The request as it was sent, with secrets masked, and the response. */
export async function exchange({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/web/send?from=test', push);
	const shown = await openMessage(page, 'Hello');
	await shown.getByText('Response 200').click();
	const left = 'API key of sandbox-brand: 499 requests left in this window';
	await expectWords(shown, '"status": "ok"', left);
	await shown.getByText('Request secrets masked').click();
	const part = (name: string) => shown.getByRole('region', { name: `${name} of the request` });
	await expectWords(part('Head'), 'POST /api/v1/web/send?from=test');
	await expectWords(part('Head'), 'x-brand-id: sandbox-brand', 'x-api-key: sand…');
	await expectWords(part('Body'), '"user_id": "C-1001"', '"title": "Hello"');
	assert.ok(!(await message(page).innerHTML()).includes('sandbox-key'));
}

/** The clock of the picture. */
export const frozenAt = '2026-11-21T09:30:00Z';

export async function inboxPicture({ page, sandbox }: Stage): Promise<void> {
	await sendExamples(sandbox, new Date(frozenAt));
	await expectWords(page.locator('.totals'), '11 arrivals');
	await openMessage(page, 'Your order is on its way');
	await letGo(page);
	const file = path.join(repository, 'docs', 'images', 'inbox-light.png');
	await page.screenshot({ path: file, animations: 'disabled' });
}
