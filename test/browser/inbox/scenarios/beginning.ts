import { strict as assert } from 'node:assert';
import { eventually } from '../../eventually';
import { expectTitles, expectWords } from '../reading';
import { push, send } from '../../../../sandbox/support/sampleRequests';
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

	assert.equal(await place.getByText('sandbox-key').isVisible(), false);
	await place.getByText('For developers').click();
	await expectWords(place, 'sandbox-key', sandbox.url);

	const sent: unknown[] = [];
	await page.route('**/sandbox/examples/crm-row', async (route) => {
		sent.push(route.request().postDataJSON());
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
	const [first, second] = sent as Array<{ userID: string; name: string }>;
	assert.match(String(first?.userID), /^C-\d+$/);
	assert.notEqual(first?.userID, second?.userID);
	assert.equal(second?.name, 'Asha Rao');

	await send(sandbox, '/api/v1/web/send', push);
	await expectTitles(page, [push.title]);
	await eventually(async () => assert.equal(await place.count(), 0));
}
