import { strict as assert } from 'node:assert';
import { eventually } from '../../eventually';
import { expectTitles, expectWords, message, openMessage, panel, rows } from '../reading';
import { email, push, send } from '../../../../sandbox/support/sampleRequests';
import { viewerZone, type Stage } from '../stage';

const rich = {
	...push,
	title: 'Free delivery',
	message: 'Until Sunday at midnight',
	image_url: 'https://cdn.example.com/weekend.png',
	button_one_title: 'Shop now',
	button_two_title: 'Remind me',
	button_two_url: 'https://shop.example.com/remind',
};

/** A push on each platform in its own surroundings. Its image is named and not loaded. */
export async function pushes({ page, sandbox }: Stage): Promise<void> {
	for (const platform of ['web', 'android', 'ios'])
		await send(sandbox, `/api/v1/${platform}/send`, { ...rich, title: `On ${platform}` });
	await expectTitles(page, ['On ios', 'On android', 'On web']);

	const captions = {
		web: 'In a browser',
		android: 'On a phone with Android',
		ios: 'On the lock screen of an iPhone',
	};
	for (const [platform, caption] of Object.entries(captions)) {
		const shown = await openMessage(page, `On ${platform}`);
		const device = shown.locator(`.device.${platform}`);
		await expectWords(
			device,
			`On ${platform}`,
			rich.message,
			rich.image_url,
			'Not loaded',
			'Shop now',
			'Remind me',
		);
		await expectWords(
			shown,
			caption,
			'For C-1001',
			rich.button_two_url,
			'Leads to https://shop.example.com/',
		);
		assert.equal(await shown.locator('img').count(), 0);
	}
	await expectWords(message(page).locator('.lock'), ':');
}

export async function mail({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/sendMessage', {
		...email,
		reply_to: 'help@shop.example.com',
		email_cc: 'ben@example.com',
	});
	await send(sandbox, '/api/v1/sendMessage', {
		...email,
		subject: 'In plain words',
		content: 'One < two\nThree',
	});
	await expectTitles(page, ['In plain words', 'Our autumn sale']);

	const shown = await openMessage(page, 'Our autumn sale');
	await expectWords(
		shown.locator('.envelope'),
		'From Acme Shop <news@shop.example.com>',
		'To asha@example.com',
		'Subject Our autumn sale',
		'Reply to help@shop.example.com',
		'Copy to ben@example.com',
		'Campaign Autumn',
	);
	const frame = shown.locator('iframe');
	assert.equal(await frame.getAttribute('sandbox'), 'allow-same-origin');
	await expectWords(frame.contentFrame().locator('body'), 'Autumn sale', 'Twenty per cent off.');
	assert.equal(await frame.contentFrame().locator('h1').innerText(), 'Autumn sale');

	const plain = (await openMessage(page, 'In plain words')).locator('iframe').contentFrame();
	assert.equal((await plain.locator('body').innerText()).trim(), 'One < two\nThree');
}

/** The frame is as high as the email, also at the width of a phone. Links and source are listed as text. */
export async function mailInFull({ page, sandbox }: Stage): Promise<void> {
	const paragraph = `<p>${'Warm colours and soft wool. '.repeat(40)}</p>`;
	const content = `${paragraph}<a href="https://shop.example.com/autumn?a=1&amp;b=2">See <b>all</b></a>${paragraph}`;
	await send(sandbox, '/api/v1/sendMessage', { ...email, content });
	await send(sandbox, '/api/v1/sendMessage', {
		...email,
		subject: 'Endless',
		content: '<p style="height: 999999px">Deep</p>',
	});
	await expectTitles(page, ['Endless', email.subject]);
	const shown = await openMessage(page, email.subject);
	const frame = shown.locator('iframe');
	const sizes = async () => {
		const inside = await frame.contentFrame().locator('html').boundingBox();
		const outside = await frame.boundingBox();
		return { width: outside?.width, inside: inside?.height, outside: outside?.height };
	};
	const expectFit = async () => {
		await eventually(async () => {
			const { inside = 0, outside = 1 } = await sizes();
			assert.ok(Math.abs(inside - outside) <= 1, `${inside} in ${outside}`);
		});
		return await sizes();
	};
	const wide = await expectFit();
	await shown.getByRole('button', { name: 'On a phone' }).click();
	await eventually(async () => assert.equal((await sizes()).width, 375));
	const narrow = await expectFit();
	assert.ok((narrow.outside ?? 0) > (wide.outside ?? 0) * 1.3);

	await expectWords(
		shown.getByRole('region', { name: 'Links of the email' }),
		'See all https://shop.example.com/autumn?a=1&b=2',
	);
	assert.equal(await shown.getByRole('link').count(), 0);
	await shown.getByText('Source').click();
	await expectWords(
		shown.getByRole('region', { name: 'Source of the email' }),
		'<a href="https://shop.example.com/autumn?a=1&amp;b=2">See <b>all</b></a>',
	);

	const endless = (await openMessage(page, 'Endless')).locator('iframe');
	await eventually(async () => assert.equal((await endless.boundingBox())?.height, 4000));
}

export async function users({ page, sandbox }: Stage): Promise<void> {
	const nv = [
		{
			userID: 'C-1',
			user_attributes: {
				name: 'Asha Rao',
				email: 'asha@example.com',
				mobile: '+919812345670',
				plan: 'pro',
				points: 1200,
			},
		},
		{ userID: 'C-2', user_attributes: { name: 7 } },
	];
	await send(sandbox, '/api/v1/user/create', { nv });
	await expectTitles(page, ['2 users']);
	const table = (await openMessage(page, '2 users')).getByRole('table');
	assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), [
		'User ID',
		'Name',
		'Email',
		'Mobile',
		'Other attributes',
	]);
	await expectWords(
		table.getByRole('row').nth(1),
		'C-1',
		'Asha Rao',
		'asha@example.com',
		'+919812345670',
		'plan: pro',
		'points: 1200',
	);
	await expectWords(table.getByRole('row').nth(2), 'C-2', 'Refused');
	await expectWords(message(page), 'Why it was refused', 'User 2, Name must be a string');
}

/** Each user has a timeline, with events that other requests brought and with what was refused. */
export async function events({ page, sandbox }: Stage): Promise<void> {
	const path = '/api/v1/event/create';
	const event = (userID: string, event_name: string, more = {}) => ({
		...{ userID, event_name },
		...more,
	});
	const at = (event_time: string) => ({ event_time });
	await send(sandbox, path, { nv: [event('C-1', 'Signed Up', at('2026-11-20 10:00:00'))] });
	await send(sandbox, path, {
		nv: [
			event('C-1', 'Order Placed', {
				...at('2026-11-21 09:30:00'),
				ltv: 49.9,
				attributes: { total: 49.9, currency: 'EUR' },
			}),
			event('C-2', 'Cart Left', at('21.11.2026')),
			event('C-1', 'Item Viewed', at('2026-11-19 08:00:00')),
		],
	});
	await send(sandbox, path, { nv: [event('C-3', 'x'.repeat(50)), event('C-3', 'Signed Up')] });
	await expectTitles(page, ['2 events', '3 events', 'Signed Up']);

	const shown = await openMessage(page, '3 events');
	const entriesOf = (user: string) =>
		shown
			.getByLabel('Events of each user')
			.locator('section')
			.filter({ hasText: user })
			.getByRole('listitem');
	const entries = (await entriesOf('C-1').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
	assert.deepEqual(entries, [
		'19 Nov 2026, 17:00:00 Item Viewed',
		'20 Nov 2026, 19:00:00 Signed Up in #1',
		'21 Nov 2026, 18:30:00 Order Placed total: 49.9currency: EURltv: 49.9',
	]);
	await expectWords(entriesOf('C-2'), '21.11.2026', 'Cart Left');
	await expectWords(shown, 'Times in Asia/Tokyo.');

	const refused = await openMessage(page, '2 events');
	await expectWords(refused, 'Event 1, Event name must be at most 49 characters');
	assert.equal(await refused.locator('.timeline .outcome').count(), 1);
}

/** n8n tests a credential with a request that the service refuses, which must not look like a failure. */
export async function credentialTests({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/user/create', { nv: [] });
	await page.request.post(`${sandbox.url}/api/v1/user/create`, {
		headers: { 'x-brand-id': 'sandbox-brand', 'x-api-key': 'wrong', accept: 'application/json' },
		data: { nv: [] },
	});
	await expectTitles(page, ['Credential test', 'Credential test']);
	const outcomes = rows(page).locator('.outcome');
	assert.deepEqual(await outcomes.allInnerTexts(), ['Unauthorized', 'Credential accepted']);

	await rows(page).last().click();
	await expectWords(message(page), 'Credential accepted', 'sends an empty list of users');
	assert.equal(await message(page).locator('.problems').count(), 0);

	await send(sandbox, '/api/v1/web/send', {});
	await send(sandbox, '/api/v1/web/send', {});
	await expectTitles(page, ['Credential test', 'Credential test']);
	await page.getByLabel('Checks of the service').selectOption('shown');
	const check = await openMessage(page, 'Does the service answer?');
	await expectWords(check, 'It answers', 'so nobody gets a message');
	assert.equal(await check.locator('.problems').count(), 0);
	await expectWords(rows(page).first(), '2 times');
}

/** The keys for the credential form are on the page also after the first message. */
export async function testCredentials({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/web/send', push);
	await expectTitles(page, ['Hello']);
	await expectWords(
		panel(page).getByRole('region', { name: 'Test credentials' }),
		'Brand ID sandbox-brand',
		'API Key sandbox-key',
		'Access Token sandbox-token',
		`Base URL ${sandbox.url}`,
	);
}

/** The request as it was sent, with secrets masked, and the response. */
export async function exchange({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/web/send?from=test', push);
	sandbox.faults.add({ kind: 'resetAfterAccept', first: 1 });
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'Unanswered' });
	await expectTitles(page, ['Unanswered', 'Hello']);

	const shown = await openMessage(page, 'Hello');
	await expectWords(
		shown,
		'Response 200',
		'"status": "ok"',
		'API key of sandbox-brand: 499 requests left in this window',
	);
	await shown.getByText('Request secrets masked').click();
	await expectWords(
		shown.getByRole('region', { name: 'Head of the request' }),
		'POST /api/v1/web/send?from=test',
		'x-brand-id: sandbox-brand',
		'x-api-key: sand…',
	);
	await expectWords(
		shown.getByRole('region', { name: 'Body of the request' }),
		'"user_id": "C-1001"',
		'"title": "Hello"',
	);
	assert.ok(!(await message(page).innerHTML()).includes('sandbox-key'));

	await expectWords(
		await openMessage(page, 'Unanswered'),
		'Response none',
		'The service gave no response.',
		'Fault: accepted, connection broken',
	);
}

/** Scheduled messages in the order of their times, in the viewer's time zone. */
export async function timeLine({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/web/send', {
		...push,
		title: 'Late',
		schedule_date: '2031-03-02',
		schedule_time: '22:30:00',
		time_zone: '0',
	});
	await send(sandbox, '/api/v1/web/send', {
		...push,
		title: 'Early',
		schedule_date: '2031-03-02',
		schedule_time: '07:00:00',
		time_zone: '+0530',
	});
	await send(sandbox, '/api/v1/sendMessage', {
		...email,
		subject: 'By mail',
		schedule_date: 20310302,
		schedule_time: 905,
	});
	await send(sandbox, '/api/v1/web/send', {
		...push,
		title: 'Riddle',
		schedule_date: '02.03.31',
		schedule_time: 'at noon',
	});
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'At once' });
	await send(sandbox, '/api/v1/ios/send', {
		title: 'Refused',
		schedule_date: '2031-03-02',
		schedule_time: '22:30:00',
	});
	const marked = page.locator('.row-scheduled');
	await eventually(async () => assert.equal(await marked.count(), 5));
	await expectWords(marked.last(), 'for Mon, 3 Mar 2031, 07:30');
	await expectWords(page.locator('.zone'), 'Times in Asia/Tokyo.');

	await page.getByRole('button', { name: 'Scheduled' }).click();
	await expectTitles(page, ['Early', 'By mail', 'Late', 'Riddle']);

	assert.equal(viewerZone, 'Asia/Tokyo');
	await expectWords(
		page.locator('.zone'),
		'Left: when a message is to be sent. Right: when it arrived. Both in Asia/Tokyo.',
	);
	await expectWords(page.locator('.row-time').first(), 'arrived');
	const due = () => page.locator('.due').allInnerTexts();
	// +0530 is three and a half hours behind Tokyo, UTC nine.
	await eventually(async () =>
		assert.deepEqual(
			(await due()).map((text) => text.replace(/\s+/g, ' ').trim()),
			['Sun, 2 Mar 2031 10:30', '18:05', 'Mon, 3 Mar 2031 07:30', '02.03.31 at noon'],
		),
	);
	await expectWords(await openMessage(page, 'Late'), 'Scheduled 3 Mar 2031, 07:30:00 (Asia/Tokyo)');
	await expectWords(await openMessage(page, 'Riddle'), 'Scheduled, as written 02.03.31 at noon');
}

/** The only link of a message that leads anywhere: to the n8n on this machine. */
export async function questions({ page, sandbox }: Stage): Promise<void> {
	const link = 'http://localhost:5678/webhook-waiting/12/5f0c?signature=0123456789abcdef';
	await send(sandbox, '/api/v1/android/send', { ...rich, title: 'May it go out?', url: link });
	await send(sandbox, '/api/v1/android/send', { ...rich, title: 'Asks nothing' });
	const question = await openMessage(page, 'May it go out?');
	const opens = question.getByRole('link', { name: 'Open the question' });
	assert.equal(await opens.getAttribute('href'), link);
	assert.equal(await opens.getAttribute('target'), '_blank');
	const other = await openMessage(page, 'Asks nothing');
	assert.equal(await other.getByRole('link').count(), 0);
}
