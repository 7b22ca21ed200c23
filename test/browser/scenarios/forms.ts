import assert from 'node:assert/strict';
import { messaging } from '../../../scripts/n8n/workflows';
import {
	executeWorkflow,
	openInLine,
	openNode,
	openWorkflow,
	captionOf,
	closeNode,
} from '../editor';
import { eventually } from '../../eventually';
import { Form } from '../form';
import { formPicture, letGo, picture } from '../pictures';
import { nightly, always } from '../scenario';
import type { Stage } from '../stage';
import { giving, inLine, message } from '../workflows';

nightly('The email form asks for a campaign', async (stage) => {
	const { page } = stage;
	await openInLine(stage, 'Email form', messaging('Email', {}));
	const form = new Form(page);
	await form.choose('resource', 'Email');
	await form.fill({
		email: 'asha@example.com',
		subject: 'Welcome to Acme',
		campaign_name: 'Welcome',
		content: '<h1>Welcome, Asha!</h1>\n<p>Your first order ships free.</p>',
	});
	await formPicture(page, 'email-form');
});

nightly('Columns are given as attributes', async (stage) => {
	const { page } = stage;
	const row = { plan: 'pro', points: 42, vip: true, address: { city: 'Pune' } };
	const types = { plan: 'string', points: 'number', vip: 'boolean', address: 'object' };
	const assignments = Object.entries(types).map(([name, type]) => {
		return { id: name, name, value: `={{ $json.${name} }}`, type };
	});
	const parameters = { resource: 'user', operation: 'create', userID: 'C-1001' };
	const create = messaging('Create user', { ...parameters, customAttributes: { assignments } });
	await openWorkflow(stage, inLine(stage, 'Attributes', giving(row), create));
	await executeWorkflow(page);
	await openNode(page, 'Create user');
	const form = page.getByTestId('ndv').getByTestId('node-parameters');
	await eventually(async () => assert.equal(await form.getByTestId('assignment').count(), 4));
	await form.getByTestId('assignment').last().scrollIntoViewIfNeeded();
	await letGo(page);
	await picture(page, 'attributes', [page.getByTestId('ndv-input-panel'), form], 0);
});

nightly('A schedule asks for a date, or for weekdays and a time', async (stage) => {
	const { page } = stage;
	await openInLine(stage, 'Schedule', messaging('Push', { user_id: 'user-1001', ...message }));
	const form = new Form(page);
	await form.choose('sendAt', 'Next Weekday and Time');
	await form.fill({ nextTime: '09:30' });
	await form.choose('nextDays', 'Monday', 'Thursday');

	await form.choose('sendAt', 'At a Date and Time');
	await form.fill({ scheduledFor: '2030-03-04 09:30:00' });
	await page.keyboard.press('Enter');
	await form.field('scheduleTimezone').click();
	await form.field('scheduleTimezone').locator('input').fill('asia/k');
	const zones = page.locator('.el-select-dropdown__item').filter({ visible: true });
	await eventually(async () => {
		const listed = await zones.allInnerTexts();
		assert.ok(listed.length > 5, 'the zones are listed');
		for (const zone of listed) assert.match(zone, /^Asia\/K\w+ \(([\w ]+, )?UTC\+\d\d:\d\d\)$/);
	});
	const parts = [form.item('sendAt'), form.item('scheduleTimezone'), zones.nth(5)];
	await picture(page, 'schedule', parts, 4);
	await form.entry('Asia/Kolkata (UTC+05:30)').click();
	assert.equal(await form.valueOf('scheduleTimezone'), 'Asia/Kolkata (UTC+05:30)');
});

/** Which fields are shown is tested with n8n's own rules, without an editor. */
always('The push form follows the operation', async (stage) => {
	const { page } = stage;
	await openInLine(stage, 'Push form', messaging('Push', {}));
	const form = new Form(page);
	await form.choose('platforms', 'Android', 'iOS');
	await form.fill({ user_id: 'user-1001', ...message });

	assert.equal(await form.valueOf('testRuns'), 'Send One, Show a List');
	await form.choose('operation', 'Broadcast to Everyone');
	await page.getByTestId('ndv').getByText('This reaches everyone.').waitFor();
	// It must not stay at what is the default only for operations that send to one person.
	assert.equal(await form.valueOf('testRuns'), 'Show Only');

	await form.choose('operation', 'Broadcast to Segment');
	assert.equal(await form.valueOf('title'), message.title, 'what was written stays');
	await chooseSegment(stage);
	await closeNode(page);
	await eventually(async () => {
		const caption = await captionOf(page, 'Push');
		assert.ok(caption.includes('broadcastSegment: push'), `the caption is ${caption.join(' / ')}`);
	});
});

/** From the names that the credential holds, with a search. */
async function chooseSegment({ page }: Stage): Promise<void> {
	const locator = page.getByTestId('resource-locator-segment_id');
	const entries = page.getByTestId('rlc-item').filter({ visible: true });
	const listed = async (...names: string[]) =>
		await eventually(async () => assert.deepEqual(await entries.allInnerTexts(), names));

	await locator.getByTestId('rlc-input').click();
	await listed('Newsletter (ID 7)', 'Running club (ID 4711)', 'VIP customers (ID 42)');
	await picture(page, 'segment-list', [locator, entries.last()], 30);
	await page.getByTestId('rlc-search').filter({ visible: true }).fill('vip');
	await listed('VIP customers (ID 42)');
	await entries.first().click();
}
