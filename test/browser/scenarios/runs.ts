import assert from 'node:assert/strict';
import { messaging, noOp } from '../../../scripts/n8n/workflows';
import {
	canvasNode,
	executeStep,
	executeWorkflow,
	openInLine,
	openNode,
	openWorkflow,
	outputPanel,
	outputTable,
	waitForHint,
	widenOutput,
} from '../editor';
import { letGo, nodePicture, picture } from '../pictures';
import type { Stage } from '../stage';
import { inLine, message, rowsOf, sale } from '../workflows';
import { always, nightly } from '../scenario';

const platforms = ['web', 'android', 'ios'];

/** Opens a push that gets these rows. */
async function openPush(stage: Stage, name: string, rows: object[], parameters: object) {
	const toEach = { platforms: ['web'], user_id: '={{ $json.userID }}', testRuns: 'send' };
	const own = { ...toEach, ...parameters };
	await openInLine(stage, name, ...rowsOf(rows), messaging('Send push', own));
}

/** Runs the open node, and takes a picture of its hints and its output. Returns the rows of the output. */
async function showRun({ page }: Stage, file: string, hints: string[]) {
	await executeStep(page, 'success');
	for (const hint of hints) await waitForHint(page, hint);
	const rows = await outputTable(page);
	await widenOutput(page);
	await nodePicture(page, file);
	return rows;
}

always('A title that is too long is refused by item and field', async (stage) => {
	const { page, sandbox } = stage;
	const rows = [
		{ userID: 'C-1001', title: 'Welcome, Asha!' },
		{ userID: 'C-1002', title: `Welcome, ${'dear '.repeat(14)}Ben!` },
		{ userID: 'C-1003', title: 'Welcome, Chen!' },
	];
	const parameters = { ...message, platforms, title: '={{ $json.title }}' };
	await openPush(stage, 'Refused row', rows, parameters);
	await executeStep(page, 'danger');
	assert.match(await outputPanel(page).innerText(), /Nothing was sent: Title .* \(item 1\)/);
	assert.deepEqual(sandbox.record, [], 'the good rows are not sent either');
	await nodePicture(page, 'refused-row');
});

always('A broadcast by hand is previewed and not sent', async (stage) => {
	const parameters = { operation: 'broadcastAll', platforms, ...sale };
	await openInLine(stage, 'Preview', messaging('Broadcast push', parameters));
	const rows = await showRun(stage, 'preview', ['Nothing was sent']);
	const previews = platforms.map((platform) => ['preview', platform]);
	assert.deepEqual(
		rows.map(({ outcome, platform }) => [outcome, platform]),
		previews,
	);
	assert.deepEqual(stage.sandbox.record, [], 'nothing reaches the service');
});

always('Send Once skips what was sent before, and the hint says so', async (stage) => {
	const { page, sandbox } = stage;
	const rows = ['C-1001', 'C-1002', 'C-1003'].map((userID) => ({ userID }));
	await openPush(stage, 'Send once', rows, { ...sale, sendOnce: true, sendOnceKey: 'Spring sale' });
	await executeStep(page, 'success');
	const shown = await showRun(stage, 'send-once', ['Send Once: 3 messages were skipped']);
	const skipped = rows.map(({ userID }) => ['skipped', 'sentBefore', userID]);
	assert.deepEqual(
		shown.map((row) => [row.outcome, row.reason, row.user_id]),
		skipped,
	);
	assert.equal(sandbox.record.length, 3, 'the second run sends nothing');
});

nightly('Safety limits: a run skips who has not agreed and who comes twice', async (stage) => {
	const rows = [
		{ userID: 'C-1001', newsletter: 'yes' },
		{ userID: 'C-1002', newsletter: 'no' },
		{ userID: 'C-1001', newsletter: 'yes' },
	];
	const additionalFields = { consent: '={{ $json.newsletter }}' };
	const parameters = { ...sale, additionalFields, options: { maxMessages: 100 } };
	await openPush(stage, 'Safety limits', rows, parameters);
	const shown = await showRun(stage, 'safety-limits', ['has not agreed', 'Allow Duplicates']);
	const outcomes = shown.map(({ outcome }) => outcome);
	assert.deepEqual(outcomes, ['accepted', 'skipped', 'skipped']);
	assert.equal(stage.sandbox.record.length, 1);
});

always('A bad row leaves by the error output', async (stage) => {
	const { page } = stage;
	const good = { userID: 'C-1001', link: 'https://shop.example.com/orders/1' };
	const bad = { userID: 'C-1002', link: 'no link' };
	const toEach = { platforms: ['android'], user_id: '={{ $json.userID }}', testRuns: 'send' };
	const parameters = { ...message, ...toEach, url: '={{ $json.link }}' };
	const push = messaging('Send push', parameters, { onError: 'continueErrorOutput' });
	const workflow = inLine(stage, 'Error output', ...rowsOf([good, bad]), push);
	const ends = ['Sent', 'To look into'];
	ends.forEach((name, at) =>
		workflow.nodes.push({ ...noOp(name), position: [880, 240 * at - 120] }),
	);
	const main = ends.map((node) => [{ node, type: 'main', index: 0 }]);
	workflow.connections['Send push'] = { main };
	await openWorkflow(stage, workflow);
	await executeWorkflow(page);
	for (const name of ends)
		await canvasNode(page, name).getByTestId('canvas-node-status-success').waitFor();
	await letGo(page);
	const nodes = workflow.nodes.map(({ name }) => canvasNode(page, name));
	// The captions are outside of the element that is the node.
	await picture(page, 'error-branch', nodes, 100);
	await openNode(page, 'To look into');
	const [{ error = '', details = '', ...kept } = {}, ...more] = await outputTable(page);
	assert.deepEqual(more, []);
	assert.deepEqual(kept, { ...bad, outcome: 'invalid' }, 'the row is kept');
	assert.match(`${error} ${details}`, /^URL 'no link' is not a link.*invalid/s);
});
