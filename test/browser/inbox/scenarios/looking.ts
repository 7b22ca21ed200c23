import { strict as assert } from 'node:assert';
import path from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { repository } from '../../../../scripts/paths';
import { push, send, sms } from '../../../../sandbox/support/sampleRequests';
import { eventually } from '../../../eventually';
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

const warm = 'Warm colours, soft wool';

/** What is shown of each message of the examples. */
const looks: Array<[title: string, ...words: string[]]> = [
	['2 users', 'C-1001 Asha Rao asha@example.com +919812345670 plan: pro'],
	['3 events', 'C-1003 Item Viewed 2026-11-21 08:50:07 item: Wool scarf, amber'],
	['Acme Shop', 'Fault: error', 'For +447700900102', 'Ihr Termin: morgen um 10 Uhr. Bis dann! ★'],
	[
		'Your receipt',
		...['From Acme Shop <news@shop.example.com> To asha@example.com'],
		...['Subject Your receipt, order 48213', 'Reply to help@shop.example.com', 'Campaign Autumn'],
	],
	[
		'Free delivery',
		...['In a browser', 'Shop now Remind me', 'https://cdn.example.com/weekend.png', 'Not loaded'],
		...['Second button leads to https://shop.example.com/remind', 'For Everyone'],
	],
	['A title that goes on', 'On a phone with Android', 'Why it was refused title must'],
	[
		'Your order is on its way',
		...['On the lock screen of an iPhone', 'For C-1001'],
		...['21 Nov 2026, 18:30:21 (Asia/Tokyo)', 'Leads to https://shop.example.com/orders/48213'],
	],
];

/**
 * Each message as its recipient sees it, with its request and response. No image is loaded, and no link leads
 * anywhere. axe-core finds nothing serious in any state of the page.
 */
export async function accessible({ page, sandbox, colorScheme }: Stage): Promise<void> {
	await page.evaluate(axe.source);
	await expectNoFinding(page, 'empty');
	await sendExamples(sandbox);
	const totals = page.getByRole('status').filter({ hasText: 'arrival' });
	await expectWords(totals, '8 arrivals');
	await page.getByRole('listbox').press('End');
	await expectWords(message(page).locator('.detail-title'), '2 users');
	for (const [title, ...words] of looks) {
		const shown = await openMessage(page, title);
		await expectWords(shown, ...words);
		assert.equal(await shown.locator('img, a').count(), 0);
		await expectNoFinding(page, title);
		if (title !== 'Your receipt') continue;
		const frame = shown.locator('iframe');
		assert.equal(await frame.getAttribute('sandbox'), '');
		assert.match(await frame.contentFrame().locator('body').innerText(), /Thank you/);
	}
	if (colorScheme === 'light') {
		await letGo(page);
		const file = path.join(repository, 'docs', 'images', 'inbox-light.png');
		await page.screenshot({ path: file, animations: 'disabled' });
	}
	for (const summary of ['Response 200', 'Request secrets masked'])
		await message(page).getByText(summary).click();
	await expectWords(
		message(page),
		...['API key of sandbox-brand: 497 requests left', '"status": "ok"', 'POST /api/v1/ios/send'],
		...['x-brand-id: sandbox-brand', 'x-api-key: sand…', '"title": "Your order is on its way"'],
	);
	assert.ok(!(await message(page).innerHTML()).includes('sandbox-key'));
	await expectNoFinding(page, 'request');
	await page.getByRole('button', { name: 'Scheduled' }).click();
	await expectTitles(page, [warm]);
	await expectWords(rows(page), 'for Tue 24 Nov, 18:00');
	await expectNoFinding(page, 'scheduled');
	await page.getByRole('searchbox').fill('nothing like it');
	await expectNoFinding(page, 'nothing found');
	await page.getByRole('button', { name: 'Empty' }).click();
	await expectNoFinding(page, 'dialog');
	assert.equal(sandbox.record.length, 8);
	await page.getByRole('dialog').getByRole('button', { name: 'Empty' }).click();
	await expectWords(totals, '0 arrivals');
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

export async function filtersAndSearch({ page, sandbox }: Stage): Promise<void> {
	await sendExamples(sandbox);
	const titles = rows(page).locator('.row-title');
	for (const [name, value, ...expected] of [
		['Channel', 'email', 'Your receipt, order 48213', warm],
		['Platform', 'ios', 'Your order is on its way'],
		['Audience', 'everyone', 'Free delivery this weekend'],
		[
			'Outcome',
			'rejected',
			'A title that goes on and on until no lock screen in the world has room for it',
		],
		['Outcome', 'fault', 'Acme Shop'],
	] as const) {
		await eventually(async () => assert.equal(await titles.count(), 8));
		const select = page.getByRole('group', { name: 'Filters' }).getByLabel(name);
		await select.selectOption(value);
		await expectTitles(page, expected);
		await select.selectOption('');
	}

	const search = page.getByRole('searchbox', { name: 'Search' });
	await openMessage(page, 'Acme Shop');
	for (const words of ['WOOL  warm', 'vip customers']) {
		await search.fill(words);
		await expectTitles(page, [warm]);
	}
	await expectWords(message(page).locator('.detail-title'), warm);
	await expectWords(rows(page), 'VIP customers (ID 42)');
	await search.fill('nothing like it');
	await page.getByText('Nothing matches.').waitFor();
	await eventually(async () => assert.equal(await message(page).innerText(), ''));
	await page.getByRole('button', { name: 'Clear search and filters' }).click();
	await eventually(async () => assert.equal(await titles.count(), 8));
}

/** A fault is switched on, makes a request fail, and is switched off again. */
export async function faults({ page, sandbox }: Stage): Promise<void> {
	await panel(page).getByLabel('Channel of the fault').selectOption('push');
	await panel(page).getByLabel('Status').fill('502');
	await panel(page).getByRole('button', { name: 'Switch on' }).click();
	await expectWords(panel(page), '502, Push, applied 0 times');
	assert.equal(await send(sandbox, '/api/v1/sendMessage', sms), 200);
	assert.equal(await send(sandbox, '/api/v1/web/send', push), 502);
	await expectWords(panel(page), 'applied 1 time', 'SMS: 499 of 500');

	await panel(page).getByRole('button', { name: 'Switch off: The response is an error' }).click();
	await expectWords(panel(page), 'None: the service responds as it should.');
	assert.equal(await send(sandbox, '/api/v1/web/send', push), 200);
}

/** Three ways to the first message, for somebody who does not program, and scenes that send several. */
export async function rowsThroughN8n({ page, sandbox }: Stage): Promise<void> {
	const introduction = page.locator('.introduction');
	const leadsTo = async (name: string) =>
		await introduction.getByRole('link', { name }).getAttribute('href');
	assert.equal(await leadsTo('Open n8n'), editor);
	assert.equal(await leadsTo('Fill in the announcement'), `${editor}/form/announcement`);

	let sent: string[] = [];
	await page.route('**/sandbox/examples/*', async (route) => {
		sent.push(String(route.request().postData()));
		await route.fulfill({ json: { status: 'ok' } });
	});
	await introduction.getByRole('button', { name: 'Send a sample row' }).click();
	await expectWords(introduction.getByRole('status'), 'n8n has the row.');
	assert.match(String(sent), /"userID":"C-\d+","name":"Asha Rao"/);
	await send(sandbox, '/api/v1/web/send', push);
	await expectTitles(page, [push.title]);
	assert.equal(await introduction.count(), 0);

	const scenes = panel(page).getByRole('region', { name: 'Scenes' });
	for (const [name, count, limit, statuses] of [
		['A welcome push', 1, 500, []],
		['A limit of 5 a minute', 3, 5, []],
		['Service down', 1, 500, [503]],
	] as const) {
		sent = [];
		await scenes.getByRole('button', { name }).click();
		// No two rows are of one user.
		await eventually(() => assert.equal(new Set(sent).size, count));
		assert.equal(sandbox.settings.limits.push, limit);
		const found = sandbox.faults.list().map((fault) => 'status' in fault && fault.status);
		assert.deepEqual(found, statuses);
	}
	await expectWords(panel(page), '503, until');
	await scenes.getByRole('button', { name: 'Back to normal' }).click();
	await eventually(() => assert.deepEqual(sandbox.faults.list(), []));
}
