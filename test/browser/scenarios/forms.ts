import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { executeStep, executeWorkflow, openInLine, openNode, openWorkflow } from '../editor';
import { eventually } from '../eventually';
import { Form } from '../form';
import { formPicture, letGo, picture } from '../pictures';
import { inLine, message, messagingNode, node } from '../workflows';
import { nightly } from '../scenario';

nightly('The email form asks for a campaign', async (stage) => {
	const { page } = stage;
	await openInLine(stage, 'Email form', messagingNode(stage, 'Email', {}));
	const form = new Form(page);
	await form.choose('resource', 'Email');
	assert.equal(await form.valueOf('operation'), 'Send to User');
	await form.fill({
		email: 'asha@example.com',
		subject: 'Welcome to Acme',
		campaign_name: 'Welcome',
		content: '<h1>Welcome, Asha!</h1>\n<p>Your first order ships free.</p>',
	});
	await formPicture(page, 'email-form');

	await form.choose('senderFrom', 'Define Below');
	const ofSender = ['Sender Name', 'Sender Email', 'Service Provider ID', 'Send At'];
	await eventually(async () => {
		const labels = await form.labels();
		assert.deepEqual(labels.slice(labels.indexOf('Sender') + 1).slice(0, 4), ofSender);
	});
});

/** Columns become attributes with their types, as they are dragged. */
nightly('Columns dragged to the attributes keep their types', async (stage) => {
	const { page, sandbox } = stage;
	const row = { plan: 'pro', points: 42, vip: true, address: { city: 'Pune' } };
	const raw = { mode: 'raw', jsonOutput: JSON.stringify(row), options: {} };
	const rows = node('CRM', 'n8n-nodes-base.set', raw, 3.4);
	const parameters = { resource: 'user', operation: 'create', userID: 'C-1001' };
	const create = messagingNode(stage, 'Create user', parameters);
	await openWorkflow(stage, inLine('Attributes', rows, create));
	await executeWorkflow(page);
	sandbox.reset();
	await openNode(page, 'Create user');
	const columns = page.getByTestId('ndv-input-panel').locator('[data-target="mappable"]');
	const form = page.getByTestId('ndv').getByTestId('node-parameters');
	for (const name of Object.keys(row)) {
		const column = columns.filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) });
		await drag(page, column, form.getByTestId('assignment-collection-drop-area'));
		const assigned = form.getByTestId('assignment').filter({ hasText: `$json.${name}` });
		await assigned.waitFor();
	}
	await letGo(page);
	await picture(page, 'attributes', [page.getByTestId('ndv-input-panel'), form], 0);
	await executeStep(page, 'success');
	assert.deepEqual(
		sandbox.record.map(({ body }) => body),
		[{ nv: [{ userID: 'C-1001', user_attributes: row }] }],
	);
});

/** Drags as a user does: n8n follows the pointer and accepts a drop only where the pointer rests. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
	await to.scrollIntoViewIfNeeded();
	const [start, end] = [await middleOf(from), await middleOf(to)];
	await page.mouse.move(start.x, start.y);
	await page.mouse.down();
	await page.mouse.move(start.x + 15, start.y + 5, { steps: 5 });
	await page.mouse.move(end.x, end.y, { steps: 20 });
	await page.mouse.move(end.x + 2, end.y + 1, { steps: 3 });
	await page.mouse.up();
}

async function middleOf(part: Locator) {
	const box = await part.boundingBox();
	assert.ok(box, `${part.toString()} is there`);
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

nightly('A schedule asks for a date, or for weekdays and a time', async (stage) => {
	const { page } = stage;
	const parameters = { user_id: 'user-1001', ...message };
	await openInLine(stage, 'Schedule', messagingNode(stage, 'Push', parameters));
	const form = new Form(page);
	const assertAsks = async (...labels: string[]) =>
		await eventually(async () => {
			const shown = await form.labels();
			assert.deepEqual(
				shown.slice(shown.indexOf('Send At') + 1, shown.indexOf('When Run by Hand')),
				labels,
			);
		});

	await assertAsks();
	await form.choose('sendAt', 'After a Delay');
	await assertAsks('Delay (Seconds)');

	await form.choose('sendAt', 'Within Hours');
	await assertAsks('Hours From', 'Hours To', 'Timezone Name or ID');
	await form.fill({ hoursFrom: '09:00', hoursTo: '20:00' });

	await form.choose('sendAt', 'Next Weekday and Time');
	await assertAsks('Time of Day', 'Weekdays', 'Timezone Name or ID');
	await form.fill({ nextTime: '09:30' });
	await form.choose('nextDays', 'Monday', 'Thursday');
	const days = form.field('nextDays').locator('.el-tag');
	assert.deepEqual(await days.allInnerTexts(), ['Monday', 'Thursday']);

	await form.choose('sendAt', 'At a Date and Time');
	await assertAsks('Date and Time', 'Timezone Name or ID');
	await form.fill({ scheduledFor: '2030-03-04 09:30:00' });
	await page.keyboard.press('Enter');
	await form.field('scheduleTimezone').click();
	await form.field('scheduleTimezone').locator('input').fill('asia/k');
	const zones = page.locator('.el-select-dropdown__item').filter({ visible: true });
	await eventually(async () => {
		for (const zone of await zones.allInnerTexts())
			assert.match(zone, /^Asia\/K\w+ \(([\w ]+, )?UTC\+\d\d:\d\d\)$/);
	});
	const parts = [form.item('sendAt'), form.item('scheduleTimezone'), zones.nth(5)];
	await picture(page, 'schedule', parts, 4);
	await form.entry('Asia/Kolkata (UTC+05:30)').click();
	assert.equal(await form.valueOf('scheduleTimezone'), 'Asia/Kolkata (UTC+05:30)');
	assert.equal(await form.valueOf('scheduledFor'), '2030-03-04 09:30:00');
});
