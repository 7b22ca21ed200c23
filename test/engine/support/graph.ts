import { WorkflowExecute } from 'n8n-core';
import {
	type IConnections,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IRun,
	type ITaskData,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';

import {
	additionalDataOf,
	nodeName,
	nodeType,
	ObservedNode,
	type Order,
	subjectOf,
} from './engine';
import { dataForRetry } from './executionList';

const main = NodeConnectionTypes.Main;

/** A connection: a node, its output, and the node after it. */
export type Connection = readonly [from: string, output: number, to: string];

export interface GraphOrder extends Order {
	connections: readonly Connection[];
	/**
	 * For each run of a node, what it gives to its outputs. By default, all that comes in goes to each. A node that is
	 * not named here and stands in a connection passes on what comes in.
	 */
	splits?: Readonly<
		Record<string, (items: INodeExecutionData[], run: number) => INodeExecutionData[][]>
	>;
	retryOf?: IRun;
	executionId?: string;
}

/** A node with two outputs. */
function passing({ splits = {}, rows = [{}] }: GraphOrder): INodeType {
	return {
		description: {
			displayName: 'Pass',
			name: 'pass',
			group: ['transform'],
			version: 1,
			description: 'Passes on what comes in',
			defaults: { name: 'Pass' },
			inputs: [main],
			outputs: [main, main],
			properties: [],
		},
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const { name } = this.getNode();
			const given =
				name === 'Start'
					? rows.map((json, item) => ({ json, pairedItem: { item } }))
					: this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }));
			const run = this.getWorkflowDataProxy(0).$runIndex as number;
			return splits[name]?.(given, run) ?? [given, given];
		},
	};
}

/** Runs the node in a workflow of any shape, which begins at `Start`, and returns each of its runs. */
export async function executeGraph(order: GraphOrder): Promise<{ run: IRun; runs: ITaskData[] }> {
	const names = new Set(order.connections.flatMap(([from, , to]) => [from, to]));
	const connections: IConnections = {};
	for (const [from, output, to] of order.connections) {
		const outputs = ((connections[from] ??= { main: [] }).main ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]?.push({ node: to, type: main, index: 0 });
	}
	const nodes = [...names].map((name, column): INode =>
		name === nodeName
			? subjectOf(order)
			: {
					id: name,
					name,
					type: 'pass',
					typeVersion: 1,
					position: [column * 200, 0],
					parameters: {},
				},
	);
	return await runNodes(order, { pass: passing(order) }, { nodes, connections, start: 'Start' });
}

/** Runs the node and others around it in n8n's own engine, and returns each run of the node. */
export async function runNodes(
	order: Order & { retryOf?: IRun; executionId?: string },
	others: Readonly<Record<string, INodeType>>,
	{ nodes, connections, start }: { nodes: INode[]; connections: IConnections; start: string },
): Promise<{ run: IRun; runs: ITaskData[] }> {
	const types: Record<string, INodeType> = { ...others, [nodeType]: new ObservedNode() };
	const typeOf = (name: string): INodeType => {
		const found = types[name];
		if (!found) throw new Error(`No such node type: ${name}`);
		return found;
	};
	const workflow = new Workflow({
		...{ id: 'workflow', name: 'test', active: false, nodes, connections },
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
		settings: { executionOrder: 'v1' },
	});
	const { credential, retryOf, mode = retryOf ? 'retry' : 'webhook', executionId } = order;
	const data = retryOf && dataForRetry(retryOf);
	const process = new WorkflowExecute(additionalDataOf(credential, mode, executionId), mode, data);
	const execution = data
		? process.processRunExecutionData(workflow)
		: process.run({ workflow, startNode: workflow.getNode(start) ?? undefined });
	order.started?.(() => execution.cancel());
	const run = await execution;
	return { run, runs: run.data.resultData.runData[nodeName] ?? [] };
}
