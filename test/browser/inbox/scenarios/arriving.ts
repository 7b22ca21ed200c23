import { strict as assert } from 'node:assert';
import { eventually } from '../../eventually';
import {
	expectTitles,
	expectWords,
	list,
	message,
	openMessage,
	rows,
	sendPushes,
} from '../reading';
import { email, push, send, sendMany, sms } from '../../../../sandbox/support/sampleRequests';
import type { Stage } from '../stage';

export async function filtersAndSearch({ page, sandbox }: Stage): Promise<void> {
	await sendPushes(sandbox, { title: 'To one' });
	const toMany = { ...push, user_id: undefined };
	const toAll = { ...toMany, title: 'To all', message: 'Needle' };
	const toSome = { ...toMany, title: 'To some', segment_id: 42 };
	await send(sandbox, '/api/v1/ios/broadcast/all', toAll);
	await send(sandbox, '/api/v1/android/broadcast/segment', toSome);
	await send(sandbox, '/api/v1/sendMessage', { ...email, subject: 'By mail' });
	sandbox.faults.add({ kind: 'status', status: 503, match: { channel: 'sms' } });
	await send(sandbox, '/api/v1/sendMessage', { ...sms, sender_name: 'By phone' });
	await send(sandbox, '/api/v1/web/send', { title: 'Refused' });
	const all = ['Refused', 'By phone', 'By mail', 'To some', 'To all', 'To one'];
	await expectTitles(page, all);

	const choices: Array<[string, string, string[]]> = [
		['Channel', 'email', ['By mail']],
		['Channel', 'push', ['Refused', 'To some', 'To all', 'To one']],
		['Platform', 'ios', ['To all']],
		['Audience', 'segment', ['To some']],
		['Audience', 'everyone', ['To all']],
		['Audience', 'person', ['Refused', 'By phone', 'By mail', 'To one']],
		['Outcome', 'rejected', ['Refused']],
		['Outcome', 'fault', ['By phone']],
	];
	for (const [name, value, expected] of choices) {
		const select = page.getByRole('group', { name: 'Filters' }).getByLabel(name);
		await select.selectOption(value);
		await expectTitles(page, expected);
		await select.selectOption('');
	}
	await expectTitles(page, all);

	const search = page.getByRole('searchbox', { name: 'Search' });
	const shown = message(page).locator('.detail-title');
	await openMessage(page, 'By mail');
	await search.fill('needle');
	await expectTitles(page, ['To all']);
	await expectWords(shown, 'To all');
	await search.fill('TO  some');
	await expectTitles(page, ['To some']);
	await expectWords(shown, 'To some');
	await search.fill('vip');
	await expectTitles(page, ['To some']);
	await expectWords(rows(page), 'VIP customers (ID 42)');
	await search.fill('nothing like it');
	await page.getByText('Nothing matches.').waitFor();
	await eventually(async () => assert.equal(await shown.count(), 0));
	await page.getByRole('button', { name: 'Clear search and filters' }).click();
	await expectTitles(page, all);
}

export async function emptied({ page, sandbox }: Stage): Promise<void> {
	await sendMany(sandbox, 3);
	await expectWords(page.locator('.totals'), '3 arrivals');
	await page.getByRole('button', { name: 'Empty' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
	assert.equal(sandbox.record.length, 3);

	await page.getByRole('button', { name: 'Empty' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Empty' }).click();
	await page.getByText('Nothing has arrived yet.').waitFor();
	assert.equal(sandbox.record.length, 0);
	await expectWords(page.locator('.totals'), '0 arrivals');

	await sendPushes(sandbox, { title: 'Afterwards' });
	await expectTitles(page, ['Afterwards']);
}

/** More than the page keeps, and far more than the document contains. */
export async function tenThousand({ page, sandbox }: Stage): Promise<void> {
	await sendMany(sandbox, 10_050);
	await eventually(
		async () => assert.equal(await rows(page).first().getAttribute('aria-setsize'), '10000'),
		30_000,
	);
	await expectWords(page.locator('.totals'), '10,050 arrivals', '50 oldest dropped');
	assert.ok((await rows(page).count()) < 40);

	await list(page).press('End');
	const last = rows(page).last();
	await eventually(async () => assert.equal(await last.getAttribute('aria-posinset'), '10000'));
	await eventually(async () => assert.equal(await last.getAttribute('aria-selected'), 'true'));
	await page.getByRole('searchbox').fill('C-9876');
	await expectTitles(page, ['Message 9876']);
	await openMessage(page, 'Message 9876');
}
