import { strict as assert } from 'node:assert';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { eventually } from '../../eventually';
import { sendExamples } from '../examples';
import {
	expectTitles,
	expectWords,
	list,
	message,
	openMessage,
	panel,
	rows,
	titles,
} from '../reading';
import { sendMany } from '../../../../sandbox/support/sampleRequests';
import type { Stage } from '../stage';

/** All by keyboard: one tab stop for the list, arrows within it, Enter to open. */
export async function keyboard({ page, sandbox }: Stage): Promise<void> {
	await sendMany(sandbox, 40);
	await eventually(async () =>
		assert.equal(await rows(page).first().getAttribute('aria-setsize'), '40'),
	);
	const order = await titles(page);
	await page.getByRole('group', { name: 'Filters' }).getByLabel('Outcome').focus();
	// Between them and the list are the switch for checks and, while something is unread, a button.
	const focused = async () =>
		await page.evaluate<string | null>('document.activeElement.getAttribute("role")');
	for (let tab = 0; tab < 4 && (await focused()) !== 'listbox'; tab++)
		await page.keyboard.press('Tab');
	assert.equal(await focused(), 'listbox');

	const active = async () => {
		const id = await list(page).getAttribute('aria-activedescendant');
		const row = page.locator(`#${id}`);
		assert.equal(await row.getAttribute('aria-selected'), 'true');
		return {
			position: Number(await row.getAttribute('aria-posinset')),
			title: await row.locator('.row-title').innerText(),
		};
	};
	await page.keyboard.press('Home');
	assert.deepEqual(await active(), { position: 1, title: order[0] });
	for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
	assert.deepEqual(await active(), { position: 2, title: order[1] });
	await expectWords(message(page).locator('.detail-title'), String(order[1]));
	await page.keyboard.press('End');
	assert.equal((await active()).position, 40);

	// The row meant stays in the document when it is scrolled out of sight.
	await list(page).evaluate((element: { scrollTop: number }) => (element.scrollTop = 0));
	await eventually(async () =>
		assert.equal(await rows(page).first().getAttribute('aria-posinset'), '1'),
	);
	assert.equal((await active()).position, 40);
}

export async function phone({ page, sandbox }: Stage): Promise<void> {
	await sendExamples(sandbox);
	await eventually(async () => assert.ok((await rows(page).count()) > 5));
	const fits = async () => {
		const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
		assert.ok(width <= 360, 'wider than the phone');
	};
	await fits();
	assert.equal(await message(page).isVisible(), false);

	for (const title of [
		'Your order is on its way',
		'Your receipt',
		'3 events',
		'Warm colours',
		'Free delivery',
	]) {
		await openMessage(page, title);
		assert.equal(await list(page).isVisible(), false);
		await fits();
		await page.getByRole('button', { name: 'Back to the list' }).click();
	}
	await page.getByRole('button', { name: 'Scheduled' }).click();
	await expectTitles(page, ['Acme Shop', 'Back in stock', 'Warm colours, soft wool']);
	await page.getByRole('button', { name: 'Limits and faults' }).click();
	await panel(page).waitFor();
	await fits();
}

/** No serious or critical finding of axe-core in any state of the page. */
export async function accessible({ page, sandbox }: Stage): Promise<void> {
	await page.evaluate(axe.source);
	await expectNoFinding(page, 'empty');
	await sendExamples(sandbox);
	await expectWords(page.locator('.totals'), '11 arrivals');
	for (const title of [
		...['Your order is on its way', 'Your receipt', 'Back in stock', 'Free delivery'],
		...['A title that goes on', '3 events'],
	]) {
		await openMessage(page, title);
		await expectNoFinding(page, title);
	}
	await list(page).press('End');
	await expectWords(message(page), '4 users');
	await message(page).getByText('Request secrets masked').click();
	await expectNoFinding(page, 'users and request');
	await rows(page).filter({ hasText: 'Doors open' }).click();
	await expectWords(message(page), 'Doors open');
	await expectNoFinding(page, 'SMS');
	await openMessage(page, 'Your order is on its way');
	await message(page).getByRole('button', { name: 'C-1001' }).click();
	await expectWords(message(page), 'First created');
	await expectNoFinding(page, 'user');
	await page.getByRole('button', { name: 'Scheduled' }).click();
	await expectNoFinding(page, 'scheduled');
	await page.getByRole('searchbox').fill('nothing like it');
	await expectNoFinding(page, 'nothing found');
	await page.getByRole('button', { name: 'Empty' }).click();
	await expectNoFinding(page, 'dialog');
	assert.equal(sandbox.record.length, 11);
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
