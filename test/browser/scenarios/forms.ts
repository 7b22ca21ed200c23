import assert from 'node:assert/strict';
import { closeNode, openNode, openWorkflow } from '../editor';
import { eventually } from '../eventually';
import { Form } from '../form';
import { formPicture, picture } from '../pictures';
import type { Stage } from '../stage';
import { inLine, message, messagingNode } from '../workflows';

export async function emailForm(stage: Stage): Promise<void> {
	const { page } = stage;
	await openWorkflow(stage, inLine('Email form', messagingNode(stage, 'Email', {})));
	await openNode(page, 'Email');
	const form = new Form(page);
	await form.choose('resource', 'Email');
	assert.equal(await form.valueOf('operation'), 'Send to User');
	await eventually(async () => {
		const expected = [
			'Resource',
			'Operation',
			'Recipient By',
			'Email',
			'Sender Name',
			'Sender Email',
			'Subject',
		];
		expected.push(
			'Campaign Name',
			'Content',
			'Service Provider ID',
			'Send At',
			'Additional Fields',
			'Options',
		);
		assert.deepEqual((await form.labels()).sort(), expected.sort());
	});
	await form.fill({
		email: 'asha@example.com',
		sender_name: 'Acme',
		sender_email: 'hello@acme.example.com',
		subject: 'Welcome to Acme',
		campaign_name: 'Welcome',
		content: '<h1>Welcome, Asha!</h1>\n<p>Your first order ships free.</p>',
		serviceproviderID: '7',
	});
	assert.deepEqual(await form.offers('Additional Fields'), [
		'CC Email',
		'Do Not Disturb',
		'Extra Body Fields',
		'Frequency Capping',
		'Reply To',
		'Segment ID',
		'Track Clicks',
		'Track Opens',
		'Track Replies',
	]);
	await formPicture(page, 'email-form');
	await closeNode(page);
}

export async function schedule(stage: Stage): Promise<void> {
	const { page } = stage;
	const parameters = { user_id: 'user-1001', ...message };
	await openWorkflow(stage, inLine('Schedule', messagingNode(stage, 'Push', parameters)));
	await openNode(page, 'Push');
	const form = new Form(page);
	const assertAsks = async (...labels: string[]) =>
		await eventually(async () => {
			const shown = await form.labels();
			assert.deepEqual(
				shown.slice(shown.indexOf('Send At') + 1, shown.indexOf('Additional Fields')),
				labels,
			);
		});

	await assertAsks();
	await form.choose('sendAt', 'After a Delay');
	await assertAsks('Delay (Seconds)');

	await form.choose('sendAt', 'Next Weekday and Time');
	await assertAsks('Time of Day', 'Weekdays', 'Timezone Name or ID');
	await form.fill({ nextTime: '09:30' });
	await form.choose('nextDays', 'Monday', 'Thursday');
	assert.deepEqual(await form.field('nextDays').locator('.el-tag').allInnerTexts(), [
		'Monday',
		'Thursday',
	]);

	await form.choose('sendAt', 'At a Date and Time');
	await assertAsks('Date and Time', 'Timezone Name or ID');
	await form.fill({ scheduledFor: '2030-03-04 09:30:00' });
	await page.keyboard.press('Enter');
	await form.field('scheduleTimezone').click();
	await form.field('scheduleTimezone').locator('input').fill('asia/k');
	const zones = page.locator('.el-select-dropdown__item').filter({ visible: true });
	await eventually(async () => {
		for (const zone of await zones.allInnerTexts())
			assert.match(zone, /^Asia\/K\w+ \(UTC\+\d\d:\d\d\)$/);
	});
	await picture(
		page,
		'schedule',
		[form.item('sendAt'), form.item('scheduleTimezone'), zones.nth(5)],
		4,
	);
	await form.entry('Asia/Kolkata (UTC+05:30)').click();
	assert.equal(await form.valueOf('scheduleTimezone'), 'Asia/Kolkata (UTC+05:30)');
	assert.equal(await form.valueOf('scheduledFor'), '2030-03-04 09:30:00');
	await closeNode(page);
}
