import { strict as assert } from 'node:assert';
import { eventually } from '../../eventually';
import { hold, update } from '../holding';
import { expectWords, panel } from '../reading';
import type { Stage } from '../stage';

/** A wrong limit is not sent. Its field says why, and shows the sandbox's value again once it is left. */
export async function wrongLimit({ page, sandbox }: Stage): Promise<void> {
	const { release, requests } = await hold(page, '/sandbox/settings');
	release();
	const field = panel(page).getByLabel('Push', { exact: true });
	await field.fill('-5');
	await field.press('Enter');
	await expectWords(panel(page), 'Enter a whole number of 0 or more.');
	await update({ page, sandbox }, 321);
	assert.equal(await field.inputValue(), '-5');

	await field.press('Tab');
	await eventually(async () => assert.equal(await field.inputValue(), '500'));
	assert.equal(await panel(page).getByText('Enter a whole number').count(), 0);
	assert.deepEqual(requests, []);
}

/** While a field is wrong, no fault is switched on, not even with the field's earlier value. */
export async function wrongFault({ page, sandbox }: Stage): Promise<void> {
	const { release, requests } = await hold(page, '/sandbox/faults');
	release();
	const field = panel(page).getByLabel('Status');
	const on = panel(page).getByRole('button', { name: 'Switch on' });
	for (const wrong of ['999', '503.5', '']) {
		await field.fill(wrong);
		await on.focus();
		await page.keyboard.press('Enter');
		await expectWords(panel(page), 'Enter a whole number from 200 to 599.');
		await eventually(async () =>
			assert.equal(await page.evaluate('document.activeElement.validity?.valid'), false),
		);
		assert.equal(await field.inputValue(), wrong);
	}

	await field.fill('502');
	await field.press('Enter');
	await expectWords(panel(page), '502, applied 0 times');
	assert.equal(await panel(page).getByText('Enter a whole number').count(), 0);
	await eventually(() =>
		assert.deepEqual(
			sandbox.faults.list().map((fault) => 'status' in fault && fault.status),
			[502],
		),
	);
	assert.equal(requests.length, 1);
}
