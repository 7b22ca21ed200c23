import { strict as assert } from 'node:assert';
import { changeHeader } from '../../../../sandbox/terms';
import { eventually } from '../../eventually';
import { expectOnlyFailedRequests, hold, update } from '../holding';
import { expectWords, panel } from '../reading';
import type { Stage } from '../stage';

const settings = '/sandbox/settings';
const header = ({ page }: Stage) =>
	panel(page).getByLabel('Responses say how many requests are left');

/** The sandbox sends its state before it responds. The click still counts. */
export async function heldSwitch(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	const { release, requests } = await hold(page, settings);
	await header(stage).click();
	await eventually(() => assert.equal(requests.length, 1));
	await update(stage, 321);
	assert.equal(await header(stage).isChecked(), false);
	assert.equal(sandbox.settings.sendRateLimitHeader, true);

	release();
	await eventually(() => assert.equal(sandbox.settings.sendRateLimitHeader, false));
	await update(stage, 322);
	assert.equal(await header(stage).isChecked(), false);
}

/** The response arrives before older events, which must not undo the click. */
export async function lateEvents(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	const change = async (patch: object) => {
		const options = {
			method: 'PUT',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(patch),
		};
		return Number((await fetch(sandbox.url + settings, options)).headers.get(changeHeader));
	};
	const lastChange = await change({});
	const { release } = await hold(page, settings, {
		json: {},
		headers: { [changeHeader]: String(lastChange + 1) },
	});
	release();
	const answered = page.waitForResponse(`**${settings}`);
	await header(stage).click();
	await answered;
	await update(stage, 321);
	assert.equal(await header(stage).isChecked(), false);

	// The event with that number confirms it. What it says is shown, even if another page has changed it meanwhile.
	assert.equal(await change({ sendRateLimitHeader: true }), lastChange + 1);
	await eventually(async () => assert.equal(await header(stage).isChecked(), true));
}

/** A refused change is reverted, and the page shows the reason. */
export async function refusedSwitch(stage: Stage): Promise<void> {
	const { page, errors } = stage;
	const { release } = await hold(page, settings, {
		status: 400,
		json: { error: 'Not while it is raining' },
	});
	await header(stage).click();
	await update(stage, 321);
	assert.equal(await header(stage).isChecked(), false);
	release();
	await expectWords(panel(page).getByRole('alert').last(), 'Not while it is raining');
	assert.equal(await header(stage).isChecked(), true);
	expectOnlyFailedRequests(errors);
}

/** Each press of an arrow key continues from the one before, however late the sandbox responds. */
export async function fastEdits({ page, sandbox }: Stage): Promise<void> {
	const { release, requests } = await hold(page, settings);
	const field = panel(page).getByLabel('Push', { exact: true });
	await field.focus();
	for (let press = 0; press < 10; press++) await page.keyboard.press('ArrowUp');
	assert.equal(await field.inputValue(), '510');
	release();
	await eventually(() => assert.equal(sandbox.settings.limits.push, 510));
	assert.equal(await field.inputValue(), '510');
	const sent = requests.map(
		(request) => (request.postDataJSON() as { limits: { push: number } }).limits.push,
	);
	assert.deepEqual(sent, [501, 502, 503, 504, 505, 506, 507, 508, 509, 510]);
}
