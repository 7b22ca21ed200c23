import type { Sandbox } from '../../sandbox/index';
import { N8nRefusal, type NodeJson, type StoredWorkflow } from '../../scripts/n8n/client';
import {
	calledByWorkflow,
	chain,
	eachRow,
	executeWorkflow,
	loopOver,
	messaging,
	noOp,
	pushToRow,
	rowsFrom,
	webhook,
	workflow,
} from '../../scripts/n8n/workflows';
import { create, runByWebhook, type Bench, type Run } from './bench';

export const goingOn = { onError: 'continueRegularOutput' };
export const withErrorOutput = { onError: 'continueErrorOutput' };

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

/** A workflow whose webhook, at a path of its name, leads to the nodes: one after another, or as `wires` say. */
export async function createBehindWebhook(
	bench: Bench,
	path: string,
	nodes: NodeJson[],
	{ wires, settings }: { wires?: Record<string, string[][]>; settings?: object } = {},
): Promise<StoredWorkflow> {
	const made = workflow(path, [webhook(path), ...nodes], bench.credentialIds, wires);
	return await create(bench, { ...made, settings: { ...made.settings, ...settings } });
}

/** A workflow whose webhook takes rows. Each goes through the node and on to Done. */
export async function createForRows(
	bench: Bench,
	path: string,
	node: NodeJson,
	settings: object = {},
): Promise<StoredWorkflow> {
	return await createBehindWebhook(bench, path, [eachRow, node, noOp('Done')], { settings });
}

/** Runs such a workflow. */
export async function runRows(
	bench: Bench,
	path: string,
	node: NodeJson,
	rows: readonly object[],
	prepare?: (sandbox: Sandbox) => unknown,
): Promise<Run> {
	return await runByWebhook(bench, await createForRows(bench, path, node), { rows }, prepare);
}

/** Replaces the node of such a workflow. */
export async function replaceNode(
	bench: Bench,
	stored: StoredWorkflow,
	node: NodeJson,
): Promise<void> {
	const [made] = workflow('', [node], bench.credentialIds).nodes;
	const nodes = stored.nodes.map((old) => (made && old.name === node.name ? made : old));
	await bench.client.updateNodes({ ...stored, nodes });
}

/** Such a workflow whose node Get rows reads the rows from an address each time it runs. */
export async function createFromSource(
	bench: Bench,
	path: string,
	url: string,
	node: NodeJson,
): Promise<StoredWorkflow> {
	return await createBehindWebhook(bench, path, [rowsFrom(url), eachRow, node, noOp('Done')]);
}

/** Such a workflow that runs the node once for so many rows at a time, and goes on to Done after the last. */
export async function createInLoop(
	bench: Bench,
	path: string,
	node: NodeJson,
	batchSize: number,
	...triggers: NodeJson[]
): Promise<StoredWorkflow> {
	const loop = loopOver('Loop', { batchSize, options: {} });
	const wires = {
		...Object.fromEntries(triggers.map(({ name }) => [name, [['Loop']]])),
		...chain([webhook(path), eachRow, loop]),
		Loop: [['Done'], [node.name]],
		[node.name]: [['Loop']],
	};
	const nodes = [...triggers, eachRow, loop, node, noOp('Done')];
	return await createBehindWebhook(bench, path, nodes, { wires });
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
