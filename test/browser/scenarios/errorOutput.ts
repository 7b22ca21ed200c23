import assert from 'node:assert/strict';
import {
	canvasNode,
	closeNode,
	executeWorkflow,
	openNode,
	openWorkflow,
	outputPanel,
	outputTable,
} from '../editor';
import { Form } from '../form';
import { canvasPicture } from '../pictures';
import type { Stage } from '../stage';
import { inLine, message, messagingNode, node, rowsOf, STEP } from '../workflows';

const good = { userID: 'C-1001', name: 'Asha Rao', link: 'https://shop.example.com/orders/1' };
const bad = { userID: 'C-1002', name: 'Ben Okri', link: 'no link' };

export async function errorOutput(stage: Stage): Promise<void> {
	const { page, sandbox } = stage;
	const parameters = {
		platforms: ['android'],
		user_id: '={{ $json.userID }}',
		...message,
		url: '={{ $json.link }}',
	};
	const push = messagingNode(stage, 'Send push', parameters, { onError: 'continueErrorOutput' });
	const workflow = inLine('Error output', ...rowsOf([good, bad]), push);
	const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
	const x = 4 * STEP;
	workflow.nodes.push(
		{ ...node('Sent', 'n8n-nodes-base.noOp'), position: [x, -120] },
		{ ...node('To look into', 'n8n-nodes-base.noOp'), position: [x, 120] },
	);
	workflow.connections['Send push'] = { main: [to('Sent'), to('To look into')] };
	await openWorkflow(stage, workflow);

	await openNode(page, 'Send push');
	await page.getByTestId('tab-settings').click();
	assert.equal(await new Form(page).valueOf('onError'), 'Continue (using error output)');
	await closeNode(page);

	await executeWorkflow(page);
	for (const name of ['Sent', 'To look into'])
		await canvasNode(page, name).getByTestId('canvas-node-status-success').waitFor();
	assert.deepEqual(
		sandbox.record.map(({ body }) => body),
		[{ user_id: good.userID, ...message, url: good.link }],
	);
	const names = workflow.nodes.map(({ name }) => name);
	await canvasPicture(page, 'error-branch', names);

	await openNode(page, 'To look into');
	const [{ error = '', details = '', ...kept } = {}, ...more] = await outputTable(page);
	assert.deepEqual(more, []);
	assert.deepEqual(kept, { ...bad, outcome: 'invalid' }, 'the row is kept');
	assert.match(error, /^URL 'no link' is not a link/);
	assert.match(details, /invalid/);
	assert.equal(await outputPanel(page).getByTestId('ndv-items-count').innerText(), '1 item');
}
