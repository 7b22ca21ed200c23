import { N8nRefusal, type NodeJson, type StoredWorkflow } from '../../scripts/n8n/client';
import {
	calledByWorkflow,
	chain,
	eachRow,
	executeWorkflow,
	loopOver,
	manualTrigger,
	messaging,
	noOp,
	pushToRow,
	rowsFrom,
	webhook,
	workflow,
} from '../../scripts/n8n/workflows';
import { create, type Bench } from './bench';

/**
 * The node Push, which sends to the user of each row.
 *
 * @param more parameters beside those of every push
 * @param settings n8n's own, such as On Error
 */
export function pushNode(
	more: Record<string, unknown> = {},
	settings: Record<string, unknown> = {},
): NodeJson {
	return messaging('Push', { ...pushToRow, ...more }, settings);
}

/** A workflow whose webhook, at a path of its name, takes rows. Each goes through the node and on to Done. */
export async function createForRows(
	bench: Bench,
	path: string,
	node: NodeJson,
	settings: object = {},
): Promise<StoredWorkflow> {
	const made = workflow(path, throughNode(path, node), bench.credentialIds);
	return await create(bench, { ...made, settings: { ...made.settings, ...settings } });
}

/** Such a workflow, which a person can start too, without rows, by its trigger By hand. */
export async function createForRowsOrByHand(
	bench: Bench,
	path: string,
	node: NodeJson,
): Promise<StoredWorkflow> {
	const line = throughNode(path, node);
	const nodes = [manualTrigger('By hand'), ...line];
	const wires = { 'By hand': [[node.name]], ...chain(line) };
	return await create(bench, workflow(path, nodes, bench.credentialIds, wires));
}

function throughNode(path: string, node: NodeJson): NodeJson[] {
	return [webhook(path), eachRow, node, noOp('Done')];
}

/** A workflow whose node has the error output: what it gives goes to Sent, and what failed to Failed. */
export async function createWithErrorOutput(
	bench: Bench,
	path: string,
	node: NodeJson,
): Promise<StoredWorkflow> {
	const nodes = [webhook(path), eachRow, node, noOp('Sent'), noOp('Failed')];
	const wires = {
		Webhook: [['Each row']],
		'Each row': [[node.name]],
		[node.name]: [['Sent'], ['Failed']],
	};
	return await create(bench, workflow(path, nodes, bench.credentialIds, wires));
}

/** A workflow that runs the node once for so many rows at a time, and goes on to Done after the last. */
export async function createInLoop(
	bench: Bench,
	path: string,
	node: NodeJson,
	batchSize: number,
): Promise<StoredWorkflow> {
	const before = [webhook(path), eachRow, loopOver('Loop', { batchSize, options: {} })];
	const wires = { ...chain(before), Loop: [['Done'], [node.name]], [node.name]: [['Loop']] };
	const nodes = [...before, node, noOp('Done')];
	return await create(bench, workflow(path, nodes, bench.credentialIds, wires));
}

/** A workflow whose node Get rows reads the rows from an address each time it runs. */
export async function createFromSource(
	bench: Bench,
	path: string,
	url: string,
	node: NodeJson,
): Promise<StoredWorkflow> {
	const nodes = [webhook(path), rowsFrom(url), eachRow, node, noOp('Done')];
	return await create(bench, workflow(path, nodes, bench.credentialIds));
}

/**
 * Creates a sub-workflow that consists of the nodes, one after another.
 *
 * @returns the node Call, which calls it `once` for all items or for `each` of them
 */
export async function createSubWorkflow(
	bench: Bench,
	name: string,
	...nodes: NodeJson[]
): Promise<(mode: 'once' | 'each') => NodeJson> {
	const all = [calledByWorkflow('Called', { inputSource: 'passthrough' }), ...nodes];
	const inner = await bench.client.createWorkflow(workflow(name, all, bench.credentialIds));
	// n8n 2 runs only published workflows. n8n 1 refuses to activate a workflow that is only called by others.
	await bench.client.activate(inner).catch((error: unknown) => {
		if (!(error instanceof N8nRefusal)) throw error;
	});
	const workflowId = { __rl: true, mode: 'id', value: inner.id };
	return (mode) => executeWorkflow('Call', { source: 'database', mode, options: {}, workflowId });
}
