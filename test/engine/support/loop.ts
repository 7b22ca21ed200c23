import { WorkflowExecute } from 'n8n-core';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type IRun,
	type ITaskData,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { additionalDataOf, nodeName, nodeType, type Order, subjectOf } from './engine';

const main = NodeConnectionTypes.Main;

export interface LoopOrder extends Omit<Order, 'timezone' | 'started'> {
	/** Rows that each run of the node gets. */
	rowsPerRun: number;
}

/** A node that outputs the rows in portions, one in each round of the loop. */
function portions(rows: IDataObject[], rowsPerRun: number): INodeType {
	let next = 0;
	return {
		description: {
			displayName: 'Portions',
			name: 'portions',
			group: ['transform'],
			version: 1,
			description: 'Gives the rows of the test in portions',
			defaults: { name: 'Portions' },
			inputs: [main],
			outputs: [main],
			properties: [],
		},
		async execute(): Promise<INodeExecutionData[][]> {
			const portion = rows.slice(next, (next += rowsPerRun));
			return [portion.map((json) => ({ json, pairedItem: { item: 0 } }))];
		},
	};
}

/** Runs the node in a loop with n8n's own engine, and returns the result of each run. */
export async function executeInLoop(order: LoopOrder): Promise<{ run: IRun; runs: ITaskData[] }> {
	const { rows = [{}], rowsPerRun } = order;
	const types: Record<string, INodeType> = {
		portions: portions(rows, rowsPerRun),
		[nodeType]: new CustomerMessaging(),
	};
	const typeOf = (name: string): INodeType => {
		const found = types[name];
		if (!found) throw new Error(`No such node type: ${name}`);
		return found;
	};
	const workflow = new Workflow({
		id: 'workflow',
		name: 'test',
		active: false,
		nodes: [
			{
				id: 'portions',
				name: 'Portions',
				type: 'portions',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			subjectOf(order),
		],
		connections: {
			Portions: { main: [[{ node: nodeName, type: main, index: 0 }]] },
			[nodeName]: { main: [[{ node: 'Portions', type: main, index: 0 }]] },
		},
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
		settings: { executionOrder: 'v1' },
	});
	const { credential, mode = 'webhook' } = order;
	const run = await new WorkflowExecute(additionalDataOf(credential, mode), mode).run({
		workflow,
		startNode: workflow.getNode('Portions') ?? undefined,
	});
	return { run, runs: run.data.resultData.runData[nodeName] ?? [] };
}
