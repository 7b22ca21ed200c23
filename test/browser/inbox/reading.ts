import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import type { Sandbox } from '../../../sandbox/index';
import { push, send } from '../../../sandbox/support/sampleRequests';
import { eventually } from '../eventually';

export const list = (page: Page): Locator => page.getByRole('listbox');
export const rows = (page: Page): Locator => list(page).getByRole('option');
export const message = (page: Page): Locator =>
	page.getByRole('region', { name: 'Message', exact: true });
export const panel = (page: Page): Locator =>
	page.getByRole('complementary', { name: 'Limits and faults' });

/** Sends pushes to the web, each with these fields of its own. */
export async function sendPushes(sandbox: Sandbox, ...pushes: object[]): Promise<void> {
	for (const own of pushes) await send(sandbox, '/api/v1/web/send', { ...push, ...own });
}

/** The titles in the list, from the top. */
export async function titles(page: Page): Promise<string[]> {
	return await rows(page).locator('.row-title').allInnerTexts();
}

export async function expectTitles(page: Page, expected: string[]): Promise<void> {
	await eventually(async () => assert.deepEqual(await titles(page), expected));
}

/** Opens the one row with this title, and waits until it is shown. */
export async function openMessage(page: Page, title: string): Promise<Locator> {
	await rows(page).filter({ hasText: title }).first().click();
	const shown = message(page).getByRole('article');
	await eventually(async () =>
		assert.ok((await shown.locator('.detail-title').innerText()).includes(title.slice(0, 40))),
	);
	return shown;
}

/** Waits until an element has these words, with white space collapsed. */
export async function expectWords(place: Locator, ...words: string[]): Promise<void> {
	await eventually(async () => {
		const text = (await place.innerText()).replace(/\s+/g, ' ').trim();
		for (const word of words)
			assert.ok(text.includes(word), `"${word}" is not in: ${text.slice(0, 1500)}`);
	});
}
