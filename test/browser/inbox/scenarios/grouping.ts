import { strict as assert } from 'node:assert';
import { push, send } from '../../../../sandbox/support/sampleRequests';
import { eventually } from '../../eventually';
import { expectWords, message, openMessage } from '../reading';
import type { Stage } from '../stage';

/** The ID of a user leads to all that is known of the user, and from there to each arrival. */
export async function pageOfUser({ page, sandbox }: Stage): Promise<void> {
	const nv = [{ userID: 'C-1001', user_attributes: { name: 'Asha Rao', plan: 'pro' } }];
	await send(sandbox, '/api/v1/user/create', { nv });
	await send(sandbox, '/api/v1/event/create', {
		nv: [{ userID: 'C-1001', event_name: 'Order Placed' }],
	});
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'Thank you' });
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'Come back', time: 86_400 });
	const shown = await openMessage(page, 'Thank you');
	await shown.getByRole('button', { name: 'C-1001' }).click();

	const user = message(page).getByRole('article', { name: 'User C-1001' });
	await eventually(async () =>
		assert.equal(await page.evaluate('document.activeElement.textContent'), 'C-1001'),
	);
	const part = (name: string) => user.getByRole('region', { name, exact: true });
	await expectWords(part('Created'), 'First created', 'name Asha Rao', 'plan pro');
	await expectWords(part('Scheduled'), 'Come back Push · Web Accepted');
	await expectWords(part('Messages'), 'Thank you Push · Web Accepted');
	await expectWords(part('Events'), 'Order Placed');
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'One more' });
	await expectWords(part('Messages'), 'One more');

	await user.getByRole('button', { name: 'Back to the message' }).click();
	await expectWords(message(page).locator('.detail-title'), 'Thank you');
	await shown.getByRole('button', { name: 'C-1001' }).click();
	// A message that the search leaves out ends the search.
	const search = page.getByRole('searchbox');
	await search.fill('thank you');
	await part('Scheduled').getByRole('button', { name: 'Come back' }).click();
	await expectWords(message(page).locator('.detail-title'), 'Come back');
	assert.equal(await search.inputValue(), '');
}
