import {
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';

const name = 'Node';
const node: INode = {
	id: '1',
	name,
	type: 'type',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const type: INodeType = {
	description: {
		displayName: name,
		name: 'type',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
};
const { expression } = new Workflow({
	active: false,
	nodes: [node],
	connections: {},
	nodeTypes: {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	},
});

/** The value that n8n itself reads, or the reason why it refuses. */
export function readByN8n(raw: unknown, json: IDataObject): unknown {
	const input: INodeExecutionData[] = [{ json, pairedItem: { item: 0 } }];
	const executeData = { data: { main: [input] }, node, source: null };
	try {
		return expression.getParameterValue(
			raw as string,
			null,
			0,
			0,
			name,
			input,
			'webhook',
			{},
			executeData,
		);
	} catch (error) {
		return `refused: ${String(error)}`;
	}
}
