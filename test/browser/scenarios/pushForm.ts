import assert from 'node:assert/strict';
import { messaging } from '../../../scripts/n8n/workflows';
import { captionOf, closeNode, openInLine } from '../editor';
import { eventually } from '../eventually';
import { Form } from '../form';
import { picture } from '../pictures';
import type { Stage } from '../stage';
import { message } from '../workflows';
import { always } from '../scenario';

const common = [
	...['Resource', 'Operation', 'Platforms', 'Title', 'Message', 'URL', 'Send At'],
	...['When Run by Hand', 'Send Once', 'Additional Fields', 'Options'],
];

always('The push form follows the operation', async (stage) => {
	const { page } = stage;
	await openInLine(stage, 'Push form', messaging('Push', {}));
	const form = new Form(page);

	const assertLabels = async (...expected: string[]) =>
		await eventually(async () => assert.deepEqual((await form.labels()).sort(), expected.sort()));

	await assertLabels(...common, 'Recipient By', 'User ID');
	await form.choose('recipientBy', 'Subscription ID');
	await assertLabels(...common, 'Recipient By', 'Subscription ID');
	await form.choose('recipientBy', 'User ID');
	await form.choose('platforms', 'Android', 'iOS');
	await form.fill({ user_id: 'user-1001', ...message });
	const platforms = await form.field('platforms').locator('.el-tag').allInnerTexts();
	assert.deepEqual(platforms, ['Web', 'Android', 'iOS']);

	assert.equal(await form.valueOf('testRuns'), 'Send');
	await form.choose('operation', 'Broadcast to Everyone');
	await assertLabels(...common, 'Max Broadcasts');
	await page.getByTestId('ndv').getByText('This reaches everyone.').waitFor();
	// It must not stay at Send, which is the default only for operations that send to one person.
	assert.equal(await form.valueOf('testRuns'), 'Show Only');
	assert.equal(await form.valueOf('maxBroadcasts'), '1');

	await form.choose('operation', 'Broadcast to Segment');
	await assertLabels(...common, 'Max Broadcasts', 'Segment');
	assert.equal(await form.valueOf('title'), message.title, 'what was written stays');
	await chooseSegment(stage);
	await closeNode(page);
	await eventually(async () => {
		const caption = await captionOf(page, 'Push');
		assert.ok(
			caption.includes('preview by hand: Push → VIP customers (ID 42)'),
			`the caption is ${caption.join(' / ')}`,
		);
	});
});

/** From the names that the credential holds, with a search. */
async function chooseSegment({ page, sandbox }: Stage): Promise<void> {
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
	assert.deepEqual(sandbox.record, [], 'the list needs no request');
}
