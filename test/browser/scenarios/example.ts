import assert from 'node:assert/strict';
import { exampleWorkflows } from '../../../scripts/start/examples';
import { canvasNode, openWorkflow } from '../editor';
import { letGo, picture } from '../pictures';
import type { Stage } from '../stage';

const file = 'new-crm-row-to-users-and-welcome-push.json';

export async function openExample(stage: Stage): Promise<void> {
	const { page, sandbox, credentialIds } = stage;
	const workflow = exampleWorkflows(credentialIds).get(file);
	assert.ok(workflow, `${file} is there`);
	await openWorkflow(stage, workflow);

	const nodes = workflow.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	for (const { name } of nodes) await canvasNode(page, name).waitFor();
	const notes = page.getByTestId('sticky');
	assert.equal(await notes.count(), workflow.nodes.length - nodes.length);
	await notes.getByRole('heading', { name: 'New CRM row → user and welcome push' }).waitFor();
	await notes.getByText('One user per row.').waitFor();
	assert.equal(await page.getByTestId('node-issues').count(), 0, 'no node shows a warning');

	await page.getByTestId('zoom-to-fit').click();
	await letGo(page);
	await picture(page, 'example', [page.getByTestId('canvas')], 0);

	const byHand = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
	assert.ok(byHand, 'there is a trigger to try it by hand');
	await canvasNode(page, byHand.name).hover();
	await page.getByTestId(`execute-workflow-button-${byHand.name}`).click();
	await canvasNode(page, 'Done')
		.getByTestId('canvas-node-status-success')
		.waitFor({ timeout: 60_000 });
	assert.deepEqual(
		sandbox
			.accepted()
			.map(({ path }) => path)
			.sort(),
		['/api/v1/android/send', '/api/v1/ios/send', '/api/v1/user/create', '/api/v1/web/send'],
	);
}
