import { strict as assert } from 'node:assert';
import { push, send } from '../../../../sandbox/support/sampleRequests';
import { eventually } from '../../eventually';
import { expectTitles, expectWords, message, openMessage, rows } from '../reading';
import type { Stage } from '../stage';

const campaign = { ...push, user_id: undefined, title: 'Autumn sale' };

/** The platforms of a campaign are one entry. What goes to many people has a colour of its own. */
export async function campaigns({ page, sandbox }: Stage): Promise<void> {
	sandbox.faults.add({ kind: 'status', status: 503, match: { platform: 'android' }, first: 1 });
	for (const platform of ['web', 'android', 'ios'])
		await send(sandbox, `/api/v1/${platform}/broadcast/all`, campaign);
	await send(sandbox, '/api/v1/ios/broadcast/segment', { ...campaign, segment_id: 42 });
	await expectTitles(page, ['Autumn sale', 'Autumn sale']);

	const [segment, everyone] = [rows(page).first(), rows(page).last()];
	await expectWords(everyone, 'Web Android iOS', 'Everyone', '2 of 3');
	await expectWords(segment, 'Push · iOS', 'Segment 42', 'Accepted');
	const colourOf = async (audience: string) =>
		await page.evaluate<string>(
			`getComputedStyle(document.querySelector('.row .audience.${audience}')).backgroundColor`,
		);
	const [one, other] = [await colourOf('segment'), await colourOf('everyone')];
	assert.ok(one !== other && one !== 'rgba(0, 0, 0, 0)' && other !== 'rgba(0, 0, 0, 0)');

	await everyone.click();
	const parts = message(page).getByRole('group', { name: 'Arrivals of this entry' });
	await expectWords(parts, 'Web Accepted', 'Android Fault: error', 'iOS Accepted');
	await parts.getByRole('button', { name: 'Android' }).click();
	await expectWords(message(page), 'On a phone with Android', 'Response 503');
	assert.equal(await everyone.getAttribute('aria-selected'), 'true');
}

/** Tests of a credential are no messages, so the same one again adds no line. */
export async function foldedTests({ page, sandbox }: Stage): Promise<void> {
	for (let count = 0; count < 3; count++) await send(sandbox, '/api/v1/user/create', { nv: [] });
	await expectTitles(page, ['Credential test 3 times']);
	await rows(page).first().click();
	const parts = message(page).getByRole('group', { name: 'Arrivals of this entry' });
	assert.equal(await parts.getByRole('button').count(), 3);
}

/** What has arrived since the page was opened is marked until it is looked at. */
export async function unreadMarks({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'Old' });
	await expectTitles(page, ['Old']);
	await page.reload();
	await expectTitles(page, ['Old']);
	for (const title of ['First', 'Second', 'Third'])
		await send(sandbox, '/api/v1/web/send', { ...push, title });
	const unread = async (expected: string[]) =>
		await eventually(async () =>
			assert.deepEqual(await page.locator('.row.is-unread .row-title').allInnerTexts(), expected),
		);
	await unread(['Third', 'Second', 'First']);
	assert.match(await rows(page).first().innerText(), /Unread/);
	await openMessage(page, 'Second');
	await unread(['Third', 'First']);
	await page.getByRole('button', { name: 'Mark 2 as read' }).click();
	await unread([]);
	assert.equal(await page.getByRole('button', { name: /as read/ }).count(), 0);
}

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
	await part('Scheduled').getByRole('button', { name: 'Come back' }).click();
	await expectWords(message(page).locator('.detail-title'), 'Come back');
}
