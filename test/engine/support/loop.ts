import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type IRun,
	type ITaskData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { nodeName, type Order, subjectOf } from './engine';
import { runNodes } from './graph';

const main = NodeConnectionTypes.Main;

export interface LoopOrder extends Omit<Order, 'timezone'> {
	/** Rows that each run of the node gets. */
	rowsPerRun: number;
	/** Whether the node that gives the rows throws. */
	fails?: boolean;
	/** What n8n stored of the execution that is retried. */
	retryOf?: IRun;
}

/** A node that outputs the rows in portions, one in each round of the loop. It goes on in a retry, as n8n's own does. */
function portions({ rows = [{}], rowsPerRun, fails = false }: LoopOrder): INodeType {
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
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			if (fails) throw new Error('The rows are not available');
			const memory: { next?: number } = this.getContext('node');
			const { next = 0 } = memory;
			memory.next = next + rowsPerRun;
			const portion = rows.slice(next, memory.next);
			return [portion.map((json) => ({ json, pairedItem: { item: 0 } }))];
		},
	};
}

/** Runs the node in a loop with n8n's own engine, and returns the result of each run. */
export async function executeInLoop(order: LoopOrder): Promise<{ run: IRun; runs: ITaskData[] }> {
	const node = { id: 'portions', name: 'Portions', type: 'portions', typeVersion: 1 };
	return await runNodes(
		order,
		{ portions: portions(order) },
		{
			nodes: [{ ...node, position: [0, 0], parameters: {} }, subjectOf(order)],
			connections: {
				Portions: { main: [[{ node: nodeName, type: main, index: 0 }]] },
				[nodeName]: { main: [[{ node: 'Portions', type: main, index: 0 }]] },
			},
			start: 'Portions',
		},
	);
}
