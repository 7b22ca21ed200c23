import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { stop } from './stopwatch';

/** Outputs how long the node between it and the rows took, by the clock of n8n's own process. */
export class BenchStopwatch implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bench Stopwatch',
		name: 'benchStopwatch',
		group: ['transform'],
		version: 1,
		description: 'Time since the rows were made',
		defaults: { name: 'Bench Stopwatch' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const stopped = await stop(this.getExecutionId());
		return [[{ json: { ...stopped, items: this.getInputData().length } }]];
	}
}
