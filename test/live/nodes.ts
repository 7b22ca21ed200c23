import assert from 'node:assert/strict';
import type { NodeJson, WorkflowJson } from '../../scripts/n8n/client';
import { messaging, pushToRow } from '../../scripts/n8n/workflows';

export const goingOn = { onError: 'continueRegularOutput' };
export const withErrorOutput = { onError: 'continueErrorOutput' };

/** The node Push, which sends to the user of each row, with other parameters and n8n's own settings. */
export const pushNode = (more: Record<string, unknown> = {}, settings = {}): NodeJson =>
	messaging('Push', { ...pushToRow, ...more }, settings);

export function parametersOf({ nodes }: WorkflowJson, name: string): Record<string, unknown> {
	const node = nodes.find((one) => one.name === name);
	assert.ok(node, `there is a node "${name}"`);
	return node.parameters as Record<string, unknown>;
}

/** A copy in which one node differs: a test can't wait until Monday, or for a service that is down. */
export function withNode(workflow: WorkflowJson, name: string, change: Partial<NodeJson>) {
	assert.ok(parametersOf(workflow, name));
	const nodes = workflow.nodes.map((node) => (node.name === name ? { ...node, ...change } : node));
	return { ...workflow, name: `${workflow.name} (${name} changed)`, nodes };
}

export const withParameters = (workflow: WorkflowJson, name: string, change: object) =>
	withNode(workflow, name, { parameters: { ...parametersOf(workflow, name), ...change } });
