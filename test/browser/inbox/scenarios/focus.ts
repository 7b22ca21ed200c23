import { strict as assert } from 'node:assert';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../eventually';
import { expectOnlyFailedRequests, hold } from '../holding';
import { expectTitles, expectWords, list, message, panel, rows } from '../reading';
import { push, send, sendMany } from '../../../../sandbox/support/sampleRequests';
import type { Stage } from '../stage';

/** Waits until the place has the keyboard focus. */
async function expectFocus(place: Locator): Promise<void> {
	await eventually(async () => assert.ok(await hasFocus(place), 'the focus is elsewhere'));
}

async function hasFocus(place: Locator): Promise<boolean> {
	return await place.evaluate(
		(element: { ownerDocument: { activeElement: unknown } }) =>
			element.ownerDocument.activeElement === element,
	);
}

async function pressOn(page: Page, button: Locator): Promise<void> {
	await button.focus();
	await page.keyboard.press('Enter');
}

/** The focus moves to the next fault, from the last one to the previous one, and to the heading if none is left. */
export async function afterSwitchOff({ page, sandbox }: Stage): Promise<void> {
	for (const kind of ['hang', 'html', 'resetBeforeAccept'] as const) sandbox.faults.add({ kind });
	const off = (name: string) => panel(page).getByRole('button', { name: `Switch off: ${name}` });
	await off('The response is a web page').waitFor();
	await pressOn(page, off('The response is a web page'));
	await off('The response is a web page').waitFor({ state: 'detached' });
	await expectFocus(off('The connection breaks'));
	await page.keyboard.press('Enter');
	await off('The connection breaks').waitFor({ state: 'detached' });
	await expectFocus(off('No response'));
	await page.keyboard.press('Enter');
	await eventually(() => assert.deepEqual(sandbox.faults.list(), []));
	await expectWords(panel(page), 'None: the service responds as it should.');
	await expectFocus(panel(page).getByRole('heading', { name: 'Faults' }));
}

export async function afterEmpty({ page, sandbox, errors }: Stage): Promise<void> {
	await sendMany(sandbox, 3);
	await expectWords(page.locator('.totals'), '3 arrivals');
	const empty = page.locator('.header-actions').getByRole('button', { name: 'Empty' });
	const dialog = page.getByRole('dialog');

	(
		await hold(page, '/sandbox/record', { status: 400, json: { error: 'Not while it is raining' } })
	).release();
	await pressOn(page, empty);
	await pressOn(page, dialog.getByRole('button', { name: 'Empty' }));
	await expectWords(dialog, 'Not while it is raining');
	expectOnlyFailedRequests(errors);
	(await hold(page, '/sandbox/record')).release();

	await pressOn(page, dialog.getByRole('button', { name: 'Empty' }));
	await page.getByText('Nothing has arrived yet.').waitFor();
	await nextFrames(page);
	assert.ok(await hasFocus(empty));

	// There is nothing to ask about.
	await page.keyboard.press('Enter');
	assert.equal(await dialog.count(), 0);
}

export async function afterClear({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/web/send', push);
	await expectTitles(page, ['Hello']);
	await page.getByRole('searchbox').fill('nothing like it');
	await pressOn(page, page.getByRole('button', { name: 'Clear search and filters' }));
	await expectTitles(page, ['Hello']);
	await expectFocus(page.getByRole('searchbox'));
}

/** Where only one column is shown, the focus goes with it. */
export async function afterBack({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/web/send', push);
	await rows(page).first().waitFor();
	await list(page).focus();
	await page.keyboard.press('Home');
	await page.keyboard.press('Enter');
	await message(page).waitFor();
	await expectFocus(message(page));
	await pressOn(page, page.getByRole('button', { name: 'Back to the list' }));
	await list(page).waitFor();
	await expectFocus(list(page));
}

/** With its next frame, the browser removes the focus from elements that can no longer have it. */
async function nextFrames(page: Page): Promise<void> {
	await page.evaluate(
		'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
	);
}
