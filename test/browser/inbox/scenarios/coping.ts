import { strict as assert } from 'node:assert';
import { eventually } from '../../eventually';
import { expectTitles, expectWords, panel } from '../reading';
import { push, send, sms } from '../../../../sandbox/support/sampleRequests';
import type { Stage } from '../stage';

export const editor = 'http://localhost:5678';

/** Three ways to the first message, for somebody who does not program. Addresses and keys are folded. */
export async function firstSteps({ page, sandbox, errors }: Stage): Promise<void> {
	const place = page.locator('.introduction');
	await expectWords(place, 'Open n8n', 'Fill in the announcement', 'Send a sample row');
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
	await place.getByRole('button', { name: 'Send a sample row' }).click();
	await expectWords(place.getByRole('status'), 'n8n does not answer at x.');
	// The browser logs the refusal.
	errors.length = 0;
	await place.getByRole('button', { name: 'Send a sample row' }).click();
	await expectWords(place.getByRole('status'), 'n8n has the row.');
	const [first, second] = sent;
	assert.match(String(first?.userID), /^C-\d+$/);
	assert.notEqual(first?.userID, second?.userID);
	assert.equal(second?.name, 'Asha Rao');

	await send(sandbox, '/api/v1/web/send', push);
	await expectTitles(page, [push.title]);
	await eventually(async () => assert.equal(await place.count(), 0));
}

/** A fault is switched on, makes a request fail, and is switched off again. */
export async function faults({ page, sandbox }: Stage): Promise<void> {
	await panel(page).getByLabel('What goes wrong').selectOption('status');
	await panel(page).getByLabel('Channel of the fault').selectOption('push');
	await panel(page).getByLabel('Status').fill('502');
	await panel(page).getByRole('button', { name: 'Switch on' }).click();
	await expectWords(panel(page), '502, Push, applied 0 times');
	await eventually(() => assert.equal(sandbox.faults.list().length, 1));

	assert.equal(await send(sandbox, '/api/v1/sendMessage', sms), 200);
	assert.equal(await send(sandbox, '/api/v1/web/send', push), 502);
	await expectWords(panel(page), 'applied 1 time');

	await panel(page).getByRole('button', { name: 'Switch off: The response is an error' }).click();
	await expectWords(panel(page), 'None: the service responds as it should.');
	// The page shows a click before the sandbox confirms it.
	await eventually(() => assert.deepEqual(sandbox.faults.list(), []));
	assert.equal(await send(sandbox, '/api/v1/web/send', push), 200);
}

/** A scene changes the service, sends its rows, and says what to expect. */
export async function scenes({ page, sandbox }: Stage): Promise<void> {
	const place = panel(page).getByRole('region', { name: 'Scenes' });
	let rows = 0;
	await page.route('**/sandbox/examples/*', async (route) => {
		rows++;
		await route.fulfill({ json: { status: 'ok' } });
	});
	const played = async (name: string, count: number) => {
		rows = 0;
		await place.getByRole('button', { name }).click();
		await eventually(() => assert.equal(rows, count));
		const { limits } = sandbox.settings;
		const faults = sandbox.faults.list().map((fault) => 'status' in fault && fault.status);
		return { limit: limits.push, faults };
	};
	assert.deepEqual(await played('A welcome push', 1), { limit: 500, faults: [] });
	assert.deepEqual(await played('A limit of 5 a minute', 3), { limit: 5, faults: [] });
	assert.deepEqual(await played('Service down', 1), { limit: 500, faults: [503] });
	await expectWords(panel(page), '503, until');

	await place.getByRole('button', { name: 'Back to normal' }).click();
	await eventually(() => assert.deepEqual(sandbox.faults.list(), []));
}
