import { strict as assert } from 'node:assert';
import path from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { repository } from '../../../../scripts/paths';
import { email, push, send, sms } from '../../../../sandbox/support/sampleRequests';
import { eventually } from '../../eventually';
import { letGo } from '../../pictures';
import { sendExamples } from '../examples';
import {
	editor,
	expectTitles,
	expectWords,
	message,
	openMessage,
	panel,
	rows,
	type Stage,
} from '../stage';

/** No serious or critical finding of axe-core in any state of the page. */
export async function accessible({ page, sandbox, colorScheme }: Stage): Promise<void> {
	await page.evaluate(axe.source);
	await expectNoFinding(page, 'empty');
	await sendExamples(sandbox);
	await expectWords(page.locator('.totals'), '8 arrivals');
	for (const title of [
		...['2 users', '3 events', 'Acme Shop', 'Your receipt', 'Free delivery'],
		...['A title that goes on', 'Your order is on its way'],
	]) {
		await openMessage(page, title);
		await expectNoFinding(page, title);
	}
	if (colorScheme === 'light') {
		await letGo(page);
		const file = path.join(repository, 'docs', 'images', 'inbox-light.png');
		await page.screenshot({ path: file, animations: 'disabled' });
	}
	await message(page).getByText('Request secrets masked').click();
	await page.getByRole('button', { name: 'Scheduled' }).click();
	await expectTitles(page, ['Warm colours, soft wool']);
	await expectWords(rows(page), 'for Tue 24 Nov, 18:00');
	await expectNoFinding(page, 'scheduled');
	await page.getByRole('searchbox').fill('nothing like it');
	await expectNoFinding(page, 'nothing found');
	await page.getByRole('button', { name: 'Empty' }).click();
	await expectNoFinding(page, 'dialog');
	assert.equal(sandbox.record.length, 8);
	await page.getByRole('dialog').getByRole('button', { name: 'Empty' }).click();
	await expectWords(page.locator('.totals'), '0 arrivals');
	assert.deepEqual(sandbox.record, []);
}

async function expectNoFinding(page: Page, state: string): Promise<void> {
	// The content of an email belongs to its author, and no script can read it.
	const found = await page.evaluate<axe.AxeResults>(`axe.run({ iframes: false })`);
	const said = found.violations
		.filter(({ impact }) => impact === 'serious' || impact === 'critical')
		.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
	assert.deepEqual(said, [], `${state}: ${said.join('\n')}`);
	assert.ok(found.passes.length > 10);
}

/** Three ways to the first message, for somebody who does not program. */
export async function firstSteps({ page, sandbox, errors }: Stage): Promise<void> {
	const place = page.locator('.introduction');
	const leadsTo = async (name: string) =>
		await place.getByRole('link', { name }).getAttribute('href');
	assert.equal(await leadsTo('Open n8n'), editor);
	assert.equal(await leadsTo('Fill in the announcement'), `${editor}/form/announcement`);

	const sent: Array<{ userID: string; name: string }> = [];
	await page.route('**/sandbox/examples/crm-row', async (route) => {
		sent.push(route.request().postDataJSON() as (typeof sent)[number]);
		await (sent.length === 1
			? route.fulfill({ status: 502, json: { error: 'n8n does not answer at x.' } })
			: route.fulfill({ json: { status: 'ok' } }));
	});
	for (const answer of ['n8n does not answer at x.', 'n8n has the row.']) {
		await place.getByRole('button', { name: 'Send a sample row' }).click();
		await expectWords(place.getByRole('status'), answer);
	}
	// The browser logs the refusal.
	errors.length = 0;
	const [first, second] = sent;
	assert.match(String(first?.userID), /^C-\d+$/);
	assert.notEqual(first?.userID, second?.userID);
	assert.equal(second?.name, 'Asha Rao');

	await send(sandbox, '/api/v1/web/send', push);
	await expectTitles(page, [push.title]);
	assert.equal(await place.count(), 0);
}

export async function filtersAndSearch({ page, sandbox }: Stage): Promise<void> {
	const toMany = { ...push, user_id: undefined };
	const toSome = { ...toMany, title: 'To some', segment_id: 42 };
	sandbox.faults.add({ kind: 'status', status: 503, match: { channel: 'sms' } });
	for (const [to, body] of [
		['web/send', { ...push, title: 'To one' }],
		['ios/broadcast/all', { ...toMany, title: 'To all' }],
		['android/broadcast/segment', toSome],
		['sendMessage', { ...email, subject: 'By mail' }],
		['sendMessage', { ...sms, sender_name: 'By phone' }],
		['web/send', { title: 'Refused' }],
	] as const)
		await send(sandbox, `/api/v1/${to}`, body);
	const all = ['Refused', 'By phone', 'By mail', 'To some', 'To all', 'To one'];
	for (const [name, value, expected] of [
		['Channel', 'email', 'By mail'],
		['Platform', 'ios', 'To all'],
		['Audience', 'segment', 'To some'],
		['Outcome', 'rejected', 'Refused'],
		['Outcome', 'fault', 'By phone'],
	] as const) {
		await expectTitles(page, all);
		const select = page.getByRole('group', { name: 'Filters' }).getByLabel(name);
		await select.selectOption(value);
		await expectTitles(page, [expected]);
		await select.selectOption('');
	}

	const search = page.getByRole('searchbox', { name: 'Search' });
	await openMessage(page, 'By mail');
	for (const words of ['TO  some', 'vip']) {
		await search.fill(words);
		await expectTitles(page, ['To some']);
	}
	await expectWords(message(page).locator('.detail-title'), 'To some');
	await expectWords(rows(page), 'VIP customers (ID 42)');
	await search.fill('nothing like it');
	await page.getByText('Nothing matches.').waitFor();
	await eventually(async () => assert.equal(await message(page).innerText(), ''));
	await page.getByRole('button', { name: 'Clear search and filters' }).click();
	await expectTitles(page, all);
}

const rich = {
	...push,
	image_url: 'https://cdn.example.com/weekend.png',
	button_one_title: 'Shop now',
	button_two_title: 'Remind me',
	button_two_url: 'https://shop.example.com/remind',
};

/** A push on each platform in its own surroundings. Its image is named and not loaded, and no link leads anywhere. */
export async function pushes({ page, sandbox }: Stage): Promise<void> {
	for (const [platform, caption] of [
		['web', 'In a browser'],
		['android', 'On a phone with Android'],
		['ios', 'On the lock screen of an iPhone'],
	] as const) {
		await send(sandbox, `/api/v1/${platform}/send`, { ...rich, title: `On ${platform}` });
		const shown = await openMessage(page, `On ${platform}`);
		const device = shown.locator(`.device.${platform}`);
		await expectWords(device, `On ${platform}`, rich.message, 'Shop now', 'Remind me');
		await expectWords(device, rich.image_url, 'Not loaded');
		await expectWords(shown, caption, 'For C-1001', rich.button_two_url, `Leads to ${rich.url}`);
		assert.equal(await shown.locator('img, a').count(), 0);
	}
}

/** An email with its envelope, the request as it was sent, with secrets masked, and the response. */
export async function mail({ page, sandbox, errors }: Stage): Promise<void> {
	const content = `${email.content}<img alt="A scarf" src="https://cdn.example.com/scarf.jpg">`;
	const more = { reply_to: 'help@shop.example.com', email_cc: 'ben@example.com', content };
	await send(sandbox, '/api/v1/sendMessage?from=test', { ...email, ...more });
	const shown = await openMessage(page, 'Our autumn sale');
	await expectWords(
		shown.locator('.envelope'),
		...['From Acme Shop <news@shop.example.com>', 'To asha@example.com'],
		...['Subject Our autumn sale', 'Reply to help@shop.example.com', 'Copy to ben@example.com'],
		'Campaign Autumn',
	);
	const frame = shown.locator('iframe');
	assert.equal(await frame.getAttribute('sandbox'), '');
	assert.equal(await frame.contentFrame().locator('h1').innerText(), 'Autumn sale');
	// The browser logs that the policy kept it from loading the image.
	if (errors.every((text) => text.includes('"img-src data:"'))) errors.length = 0;

	await shown.getByText('Response 200').click();
	const left = 'API key of sandbox-brand: 499 requests left in this window';
	await expectWords(shown, '"status": "ok"', left);
	await shown.getByText('Request secrets masked').click();
	const part = (name: string) => shown.getByRole('region', { name: `${name} of the request` });
	await expectWords(part('Head'), 'POST /api/v1/sendMessage?from=test');
	await expectWords(part('Head'), 'x-brand-id: sandbox-brand', 'x-api-key: sand…');
	await expectWords(part('Body'), '"subject": "Our autumn sale"', '"schedule_time": 900');
	assert.ok(!(await message(page).innerHTML()).includes('sandbox-key'));
}

/** A fault is switched on, makes a request fail, and is switched off again. */
export async function faults({ page, sandbox }: Stage): Promise<void> {
	await panel(page).getByLabel('Channel of the fault').selectOption('push');
	await panel(page).getByLabel('Status').fill('502');
	await panel(page).getByRole('button', { name: 'Switch on' }).click();
	await expectWords(panel(page), '502, Push, applied 0 times');
	assert.equal(await send(sandbox, '/api/v1/sendMessage', sms), 200);
	assert.equal(await send(sandbox, '/api/v1/web/send', push), 502);
	await expectWords(panel(page), 'applied 1 time', 'Push: 499 of 500');

	await panel(page).getByRole('button', { name: 'Switch off: The response is an error' }).click();
	await expectWords(panel(page), 'None: the service responds as it should.');
	assert.equal(await send(sandbox, '/api/v1/web/send', push), 200);
}

/** A scene changes the service, sends its rows, and says what to expect. */
export async function scenes({ page, sandbox }: Stage): Promise<void> {
	const place = panel(page).getByRole('region', { name: 'Scenes' });
	let sent = 0;
	await page.route('**/sandbox/examples/*', async (route) => {
		sent++;
		await route.fulfill({ json: { status: 'ok' } });
	});
	for (const [name, count, limit, statuses] of [
		['A welcome push', 1, 500, []],
		['A limit of 5 a minute', 3, 5, []],
		['Service down', 1, 500, [503]],
	] as const) {
		sent = 0;
		await place.getByRole('button', { name }).click();
		await eventually(() => assert.equal(sent, count));
		assert.equal(sandbox.settings.limits.push, limit);
		const found = sandbox.faults.list().map((fault) => 'status' in fault && fault.status);
		assert.deepEqual(found, statuses);
	}
	await expectWords(panel(page), '503, until');
	await place.getByRole('button', { name: 'Back to normal' }).click();
	await eventually(() => assert.deepEqual(sandbox.faults.list(), []));
}
