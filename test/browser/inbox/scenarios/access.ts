import { strict as assert } from 'node:assert';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { sendExamples } from '../examples';
import { expectWords, list, message, openMessage, rows } from '../reading';
import type { Stage } from '../stage';

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
