import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { startWith } from './stopwatch';

/** Makes the rows inside n8n and starts the stopwatch. So the rows cost every contender the same. */
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
			{ displayName: 'Rows Per Item', name: 'rowsPerItem', type: 'number', default: 1 },
			{ displayName: 'Content Length', name: 'contentLength', type: 'number', default: 0 },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = Number(this.getNodeParameter('count', 0));
		const prefix = this.getNodeParameter('prefix', 0) as string;
		const length = Number(this.getNodeParameter('contentLength', 0));
		// Each row has its own copy of the text, like rows from a database.
		const readContent = (item: number) => ({
			content: Buffer.from(`<p>Dear person ${item}</p>`.padEnd(length, 'text ')).toString(),
		});
		const row = (item: number) => ({
			json: {
				userID: `${prefix}-${item}`,
				name: `Person ${item}`,
				email: `person${item}@example.com`,
				city: `City ${item % 100}`,
				...(length > 0 && readContent(item)),
			},
			pairedItem: { item: 0 },
		});
		const perItem = Number(this.getNodeParameter('rowsPerItem', 0));
		const list = (item: number) => ({
			json: {
				users: Array.from({ length: perItem }, (_, index) => row(item * perItem + index).json),
			},
			pairedItem: { item: 0 },
		});
		return [
			await startWith(this.getExecutionId(), () =>
				Array.from({ length: count / perItem }, (_, item) =>
					perItem === 1 ? row(item) : list(item),
				),
			),
		];
	}
}
