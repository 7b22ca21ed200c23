import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

const CONCURRENCY = 10;
const CREDENTIAL = 'httpCustomAuth';

/** A bare loop over n8n's plain HTTP helper, with the key in the headers and without checks, pacing or records. */
export class BenchFloor implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bench Floor',
		name: 'benchFloor',
		group: ['output'],
		version: 1,
		description: 'Sends in a bare loop',
		defaults: { name: 'Bench Floor' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: CREDENTIAL, required: true }],
		properties: [
			{ displayName: 'Address', name: 'address', type: 'string', default: '' },
			{ displayName: 'User ID', name: 'user_id', type: 'string', default: '' },
			{ displayName: 'Message', name: 'message', type: 'string', default: '' },
			{ displayName: 'Reads Each Row', name: 'readsEachRow', type: 'boolean', default: true },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = this.getInputData().length;
		const url = this.getNodeParameter('address', 0) as string;
		const readsEachRow = this.getNodeParameter('readsEachRow', 0) === true;
		const makeBody = (item: number) => ({
			user_id: this.getNodeParameter('user_id', item),
			title: 'Hello',
			message: this.getNodeParameter('message', item),
			url: 'https://shop.example.com/',
		});
		const constant = makeBody(0);
		const { json } = await this.getCredentials<{ json: string }>(CREDENTIAL);
		const account = JSON.parse(json) as { headers: object };
		const headers = {
			accept: 'application/json',
			'content-type': 'application/json',
			...account.headers,
		};
		const output: INodeExecutionData[] = [];
		let next = 0;
		const send = async () => {
			for (let item = next++; item < count; item = next++) {
				const response: unknown = await this.helpers.httpRequest({
					method: 'POST',
					url,
					headers,
					body: readsEachRow ? makeBody(item) : constant,
					json: true,
				});
				output[item] = { json: { response: response as object }, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: CONCURRENCY }, send));
		return [output];
	}
}
