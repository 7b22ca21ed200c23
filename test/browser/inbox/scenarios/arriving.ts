import { strict as assert } from 'node:assert';
import { startSandbox } from '../../../../sandbox/index';
import { eventually } from '../../eventually';
import { expectTitles, expectWords, list, message, openMessage, rows, titles } from '../reading';
import { email, push, send, sendMany, sms } from '../../../../sandbox/support/sampleRequests';
import type { Stage } from '../stage';

/** The page is open first. New arrivals appear without a reload, the newest on top. */
export async function liveArrival({ page, sandbox }: Stage): Promise<void> {
	await expectWords(message(page), 'Waiting for the first message', 'sandbox-key', sandbox.url);
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'First' });
	await expectTitles(page, ['First']);
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'Second' });
	await expectTitles(page, ['Second', 'First']);
	await expectWords(page.locator('.totals'), '2 arrivals');
}

/** A reader further down keeps the place and the open message while more arrives. */
export async function steadyPlace({ page, sandbox }: Stage): Promise<void> {
	await sendMany(sandbox, 60);
	await eventually(async () =>
		assert.equal(await rows(page).first().getAttribute('aria-setsize'), '60'),
	);
	await list(page).evaluate((element: { scrollTop: number }) => (element.scrollTop = 84 * 20));
	// By its position and then by its title: the place in the document depends on which row is selected.
	const title = await page.locator('[role=option][aria-posinset="23"] .row-title').innerText();
	const held = rows(page).filter({ has: page.getByText(title, { exact: true }) });
	await held.click();
	const before = (await held.boundingBox())?.y;
	await sendMany(sandbox, 5, 'Later');
	await eventually(async () =>
		assert.equal(await rows(page).first().getAttribute('aria-setsize'), '65'),
	);
	assert.equal((await held.boundingBox())?.y, before);
	assert.equal(await held.getAttribute('aria-selected'), 'true');
}

export async function filtersAndSearch({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'To one' });
	await send(sandbox, '/api/v1/ios/broadcast/all', {
		...push,
		user_id: undefined,
		title: 'To all',
		message: 'Needle',
	});
	await send(sandbox, '/api/v1/android/broadcast/segment', {
		...push,
		user_id: undefined,
		segment_id: 42,
		title: 'To some',
	});
	await send(sandbox, '/api/v1/sendMessage', { ...email, subject: 'By mail' });
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
	];
	for (const [name, value, expected] of choices) {
		const select = page.getByRole('group', { name: 'Filters' }).getByLabel(name);
		await select.selectOption(value);
		await expectTitles(page, expected);
		await select.selectOption('');
	}
	await expectTitles(page, all);

	const search = page.getByRole('searchbox', { name: 'Search' });
	await search.fill('needle');
	await expectTitles(page, ['To all']);
	await search.fill('TO  some');
	await expectTitles(page, ['To some']);
	await search.fill('nothing like it');
	await page.getByText('Nothing matches.').waitFor();
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

	await send(sandbox, '/api/v1/web/send', { ...push, title: 'Afterwards' });
	await expectTitles(page, ['Afterwards']);
}

/** The sandbox ends and another one starts at its address: the page shows what that one has. */
export async function restarted({ page, sandbox, errors }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'Before' });
	await expectTitles(page, ['Before']);
	await sandbox.close();
	await expectWords(page.locator('.live'), 'Connecting');
	const other = await startSandbox({
		separateHosts: false,
		port: Number(new URL(sandbox.url).port),
	});
	try {
		await send(other, '/api/v1/web/send', { ...push, title: 'After' });
		await expectTitles(page, ['After']);
		await expectWords(page.locator('.live'), 'Live');
	} finally {
		await other.close();
	}
	// The browser logs each failed attempt.
	errors.length = 0;
}

export async function dropped({ page, sandbox }: Stage): Promise<void> {
	// An open page would ask for a message that the record drops before it answers.
	await page.goto('about:blank');
	await sendMany(sandbox, 30);
	assert.ok(sandbox.dropped > 0);
	await page.goto('/');
	await expectWords(page.locator('.totals'), '30 arrivals', `${sandbox.dropped} oldest dropped`);
	assert.equal(await rows(page).first().getAttribute('aria-setsize'), String(30 - sandbox.dropped));
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
	await eventually(async () => assert.ok((await titles(page)).length > 0));
	const last = rows(page).last();
	assert.equal(await last.getAttribute('aria-posinset'), '10000');
	assert.equal(await last.getAttribute('aria-selected'), 'true');
	await page.getByRole('searchbox').fill('C-9876');
	await expectTitles(page, ['Message 9876']);
	await openMessage(page, 'Message 9876');
}
