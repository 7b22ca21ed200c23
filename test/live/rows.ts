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

/** Replaces the node of such a workflow. */
export async function replaceNode(
	bench: Bench,
	stored: StoredWorkflow,
	node: NodeJson,
): Promise<void> {
	const { name } = stored;
	const { nodes } = workflow(name, throughNode(name, node), bench.credentialIds);
	await bench.client.updateNodes({ ...stored, nodes });
}

function throughNode(path: string, node: NodeJson): NodeJson[] {
	return [webhook(path), eachRow, node, noOp('Done')];
}

/**
 * A workflow whose node has the error output: what it gives goes to Sent, and what failed to Failed.
 *
 * @param after makes the nodes Sent and Failed
 */
export async function createWithErrorOutput(
	bench: Bench,
	path: string,
	node: NodeJson,
	after: (name: string) => NodeJson = noOp,
): Promise<StoredWorkflow> {
	const nodes = [webhook(path), eachRow, node, after('Sent'), after('Failed')];
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
	return await createLooping(bench, path, [webhook(path), eachRow], node, batchSize);
}

/** Such a workflow with rounds of one row, which a person can start too, without rows, by its trigger By hand. */
export async function createInLoopOrByHand(
	bench: Bench,
	path: string,
	node: NodeJson,
): Promise<StoredWorkflow> {
	const byHand = manualTrigger('By hand');
	return await createLooping(bench, path, [webhook(path), eachRow], node, 1, byHand);
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

async function createLooping(
	bench: Bench,
	path: string,
	before: NodeJson[],
	node: NodeJson,
	batchSize: number,
	...triggers: NodeJson[]
): Promise<StoredWorkflow> {
	const loop = loopOver('Loop', { batchSize, options: {} });
	const wires = {
		...Object.fromEntries(triggers.map(({ name }) => [name, [['Loop']]])),
		...chain([...before, loop]),
		Loop: [['Done'], [node.name]],
		[node.name]: [['Loop']],
	};
	const nodes = [...triggers, ...before, loop, node, noOp('Done')];
	return await create(bench, workflow(path, nodes, bench.credentialIds, wires));
}

/**
 * Creates a sub-workflow that consists of the nodes, one after another.
 *
 * @returns the node Call, which calls it once with all its items
 */
export async function createSubWorkflow(
	bench: Bench,
	name: string,
	...nodes: NodeJson[]
): Promise<NodeJson> {
	const all = [calledByWorkflow('Called', { inputSource: 'passthrough' }), ...nodes];
	const inner = await bench.client.createWorkflow(workflow(name, all, bench.credentialIds));
	// n8n 2 runs only published workflows. n8n 1 refuses to activate a workflow that is only called by others.
	await bench.client.activate(inner).catch((error: unknown) => {
		if (!(error instanceof N8nRefusal)) throw error;
	});
	const workflowId = { __rl: true, mode: 'id', value: inner.id };
	return executeWorkflow('Call', { source: 'database', mode: 'once', options: {}, workflowId });
}
