import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { startWith } from './stopwatch';

/** Makes the rows inside n8n, so that making them costs every contender the same, and starts the stopwatch. */
export class BenchRows implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bench Rows',
		name: 'benchRows',
		group: ['transform'],
		version: 1,
		description: 'Rows for a measurement',
		defaults: { name: 'Bench Rows' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [
			{ displayName: 'Count', name: 'count', type: 'number', default: 1 },
			{ displayName: 'Prefix', name: 'prefix', type: 'string', default: '' },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = Number(this.getNodeParameter('count', 0));
		const prefix = String(this.getNodeParameter('prefix', 0));
		const row = (item: number) => ({
			json: {
				userID: `${prefix}-${item}`,
				name: `Person ${item}`,
				email: `person${item}@example.com`,
				city: `City ${item % 100}`,
			},
			pairedItem: { item: 0 },
		});
		return [
			startWith(this.getExecutionId(), () => Array.from({ length: count }, (_, item) => row(item))),
		];
	}
}
