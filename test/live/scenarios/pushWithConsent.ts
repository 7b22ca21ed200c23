import assert from 'node:assert/strict';
import { output, runByHand, runByWebhook, succeeded, usersReached, type Bench } from '../bench';
import { createExample } from '../examples';

const everyPlatform = (ids: string[]) => ids.flatMap((id) => [id, id, id]);

/** The example sends to nobody who has not agreed. */
export async function pushWithConsent(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'push-to-users-with-consent.json');
	const byHand = await succeeded(runByHand(bench, workflow, 'Rows by webhook'));
	assert.deepEqual(usersReached(byHand), everyPlatform(['U-1001']));

	const values = [true, 'yes', 1, false, 'no', 0, '', null, undefined];
	const rows = values.map((consent, index) => ({ userID: `P-${index}`, name: 'Asha', consent }));
	const run = await succeeded(runByWebhook(bench, workflow, { rows }));
	assert.deepEqual(usersReached(run).sort(), everyPlatform(['P-0', 'P-1', 'P-2']));
	assert.equal(output(run.data, 'Sent').length, 9);
	const skipped = output(run.data, 'Send push').filter(({ json }) => json.reason === 'noConsent');
	assert.equal(skipped.length, 18);

	const unclear = [{ userID: 'P-1', name: 'Asha', consent: 'subscribed' }];
	const refused = await runByWebhook(bench, workflow, { rows: unclear });
	assert.deepEqual(refused.arrivals, []);
	assert.match(String(output(refused.data, 'Not sent')[0]?.json.whatHappened), /'subscribed'/);
}
