import assert from 'node:assert/strict';
import {
	executeStep,
	openNode,
	openWorkflow,
	outputPanel,
	outputTable,
	widenOutput,
} from '../editor';
import { eventually } from '../eventually';
import { letGo, picture } from '../pictures';
import type { Stage } from '../stage';
import { inLine, message, messagingNode, rowsOf, sale } from '../workflows';

const everywhere = { platforms: ['web', 'android', 'ios'] };

export async function sendByHand(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	const parameters = { ...everywhere, user_id: 'user-1001', ...message };
	await openWorkflow(stage, inLine('Send by hand', messagingNode(stage, 'Send push', parameters)));
	await openNode(page, 'Send push');
	await executeStep(page, 'success');

	const rows = await outputTable(page);
	assert.deepEqual(
		rows.map(({ outcome, platform, statusCode }) => [outcome, platform, statusCode]),
		[
			['accepted', 'web', '200'],
			['accepted', 'android', '200'],
			['accepted', 'ios', '200'],
		],
	);
	const sent = sandbox.record.map(({ path, outcome, body }) => ({ path, outcome, body }));
	const body = { user_id: 'user-1001', ...message };
	assert.deepEqual(
		sent.sort((a, b) => a.path.localeCompare(b.path)),
		['android', 'ios', 'web'].map((platform) => ({
			path: `/api/v1/${platform}/send`,
			outcome: 'accepted',
			body,
		})),
	);
}

export async function refusedRow(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	const rows = [
		{ userID: 'C-1001', title: 'Welcome, Asha!' },
		{ userID: 'C-1002', title: `Welcome, ${'dear '.repeat(14)}Ben!` },
		{ userID: 'C-1003', title: 'Welcome, Chen!' },
	];
	const parameters = {
		...everywhere,
		user_id: '={{ $json.userID }}',
		...message,
		title: '={{ $json.title }}',
	};
	await openWorkflow(
		stage,
		inLine('Refused row', ...rowsOf(rows), messagingNode(stage, 'Send push', parameters)),
	);
	await openNode(page, 'Send push');
	await executeStep(page, 'danger');
	const said = await outputPanel(page).innerText();
	assert.match(
		said,
		/Nothing was sent: Title has 83 characters, but Android and iOS take at most 70\..* \(item 1\)/,
	);
	assert.deepEqual(sandbox.record, [], 'the good rows are not sent either');
	await letGo(page);
	await picture(page, 'refused-row', [page.getByTestId('ndv')], 0);
}

export async function previewByHand(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	const parameters = { operation: 'broadcastAll', ...everywhere, ...sale };
	await openWorkflow(stage, inLine('Preview', messagingNode(stage, 'Broadcast push', parameters)));
	await openNode(page, 'Broadcast push');
	await executeStep(page, 'success');
	await outputPanel(page)
		.getByTestId('node-hint')
		.filter({ hasText: 'Nothing was sent' })
		.first()
		.waitFor();

	const rows = await outputTable(page);
	assert.deepEqual(
		rows.map(({ outcome, platform }) => [outcome, platform]),
		[
			['preview', 'web'],
			['preview', 'android'],
			['preview', 'ios'],
		],
	);
	for (const { url, body } of rows) {
		assert.match(url ?? '', /\/api\/v1\/(web|android|ios)\/broadcast\/all$/);
		assert.match(body ?? '', /Spring sale/);
	}
	assert.deepEqual(sandbox.record, [], 'nothing reaches the service');
	await widenOutput(page);
	await letGo(page);
	await picture(page, 'preview', [page.getByTestId('ndv')], 0);
}

export async function skipSentBefore(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	const rows = ['C-1001', 'C-1002', 'C-1003'].map((userID) => ({ userID }));
	const parameters = {
		platforms: ['web'],
		user_id: '={{ $json.userID }}',
		...sale,
		sendOnce: true,
		sendOnceKey: 'Spring sale',
	};
	await openWorkflow(
		stage,
		inLine('Send once', ...rowsOf(rows), messagingNode(stage, 'Send push', parameters)),
	);
	await openNode(page, 'Send push');
	await executeStep(page, 'success');
	await eventually(() => assert.equal(sandbox.record.length, 3));
	await executeStep(page, 'success');
	await outputPanel(page)
		.getByTestId('node-hint')
		.filter({ hasText: 'Send Once: 3 messages were skipped' })
		.first()
		.waitFor();
	const skipped = await outputTable(page);
	assert.deepEqual(
		skipped.map((row) => [row.outcome, row.reason, row.user_id]),
		rows.map(({ userID }) => ['skipped', 'sentBefore', userID]),
	);
	assert.equal(sandbox.record.length, 3, 'the second run sends nothing');
	await widenOutput(page);
	await letGo(page);
	await picture(page, 'send-once', [page.getByTestId('ndv')], 0);
}

/** Who has not agreed and who comes twice is skipped, and hints count them by reason. */
export async function skipBySafetyLimits(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	const rows = [
		{ userID: 'C-1001', newsletter: 'yes' },
		{ userID: 'C-1002', newsletter: 'no' },
		{ userID: 'C-1001', newsletter: 'yes' },
	];
	const parameters = {
		platforms: ['web'],
		user_id: '={{ $json.userID }}',
		...sale,
		additionalFields: { consent: '={{ $json.newsletter }}' },
		options: { maxMessages: 100, maxPerMinute: 60 },
	};
	await openWorkflow(
		stage,
		inLine('Safety limits', ...rowsOf(rows), messagingNode(stage, 'Send push', parameters)),
	);
	await openNode(page, 'Send push');
	await executeStep(page, 'success');
	for (const text of [
		'1 message was skipped because its recipient has not agreed',
		'Send Duplicates',
	])
		await outputPanel(page).getByTestId('node-hint').filter({ hasText: text }).first().waitFor();
	const told = await outputTable(page);
	assert.deepEqual(
		told.map((row) => row.outcome),
		['accepted', 'skipped', 'skipped'],
	);
	assert.equal(sandbox.record.length, 1);
	await widenOutput(page);
	await letGo(page);
	await picture(page, 'safety-limits', [page.getByTestId('ndv')], 0);
}

/** People press Execute again. Who got the message today is skipped, and the hint says so. */
export async function skipSentToday(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	const rows = ['C-1001', 'C-1002', 'C-1003'].map((userID) => ({ userID }));
	const parameters = { platforms: ['web'], user_id: '={{ $json.userID }}', ...sale };
	await openWorkflow(
		stage,
		inLine('Executed again', ...rowsOf(rows), messagingNode(stage, 'Send push', parameters)),
	);
	await openNode(page, 'Send push');
	await executeStep(page, 'success');
	await eventually(() => assert.equal(sandbox.record.length, 3));
	await executeStep(page, 'success');
	const hint = outputPanel(page).getByTestId('node-hint');
	await hint.filter({ hasText: 'got this message from this node today' }).first().waitFor();
	const told = await outputTable(page);
	assert.deepEqual(
		told.map((row) => [row.outcome, row.reason]),
		rows.map(() => ['skipped', 'sentBefore']),
	);
	assert.equal(sandbox.record.length, 3, 'the second run sends nothing');
}
