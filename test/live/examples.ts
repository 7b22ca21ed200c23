import assert from 'node:assert/strict';
import type { NodeJson, StoredWorkflow, WorkflowJson } from '../../scripts/n8n/client';
import { exampleWorkflows } from '../../scripts/start/examples';
import { create, type Bench } from './bench';

/** A workflow of `examples/` as it is, with this n8n's credentials. */
export function example(
	{ credentialIds }: Pick<Bench, 'credentialIds'>,
	file: string,
): WorkflowJson {
	const workflow = exampleWorkflows(credentialIds).get(file);
	assert.ok(workflow, `examples/${file}`);
	return workflow;
}

export async function createExample(bench: Bench, file: string): Promise<StoredWorkflow> {
	return await create(bench, example(bench, file));
}

/** The parameters that a node of an example has in its file. */
export function parametersOf({ nodes }: WorkflowJson, name: string): Record<string, unknown> {
	const node = nodes.find((one) => one.name === name);
	assert.ok(node, `there is a node "${name}"`);
	return node.parameters as Record<string, unknown>;
}

/** A copy in which one node differs: a test can't wait until Monday, or for a service that is down. */
export function withNode(
	workflow: WorkflowJson,
	name: string,
	change: Partial<NodeJson>,
): WorkflowJson {
	assert.ok(parametersOf(workflow, name));
	const nodes = workflow.nodes.map((node) => (node.name === name ? { ...node, ...change } : node));
	return { ...workflow, name: `${workflow.name} (${name} changed)`, nodes };
}

export function withParameters(workflow: WorkflowJson, name: string, change: object): WorkflowJson {
	return withNode(workflow, name, { parameters: { ...parametersOf(workflow, name), ...change } });
}
