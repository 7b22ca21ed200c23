import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

/** The least that a node can do with its rows. */
export class BenchPassThrough implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bench Pass Through',
		name: 'benchPassThrough',
		group: ['transform'],
		version: 1,
		description: 'Gives its rows on',
		defaults: { name: 'Bench Pass Through' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData().map(({ json }, item) => ({ json, pairedItem: { item } }))];
	}
}
