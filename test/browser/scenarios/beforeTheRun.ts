import { openNode, openWorkflow } from '../editor';
import type { Stage } from '../stage';
import { inLine, message, messagingNode, node } from '../workflows';

/** The fields that a node after this one can drag in, although nothing has run yet. */
export async function outputBeforeTheRun(stage: Stage): Promise<void> {
	const { page } = stage;
	const push = { resource: 'push', operation: 'send', platforms: ['web'], user_id: 'user-1001' };
	const nodes = [
		messagingNode(stage, 'Send push', { ...push, ...message }),
		node('Note it', 'n8n-nodes-base.set', { options: {} }, 3.4),
	];
	await openWorkflow(stage, inLine('Before the run', ...nodes));
	await openNode(page, 'Note it');
	const fields = page.getByTestId('ndv-input-panel');
	for (const field of ['outcome', 'user_id', 'platform', 'statusCode'])
		await fields.getByText(field, { exact: true }).first().waitFor();
}
