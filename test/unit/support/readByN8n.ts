import { type IDataObject, type INode, type INodeType, Workflow } from 'n8n-workflow';

const node: INode = {
	...{ id: '1', name: 'Node', type: 'type', typeVersion: 1, position: [0, 0], parameters: {} },
};
const type = { description: { properties: [] as unknown[] } } as INodeType;
const workflow = new Workflow({
	active: false,
	nodes: [node],
	connections: {},
	nodeTypes: { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) },
});

// n8n's newer engines evaluate in a place of their own.
beforeAll(async () => {
	const expression: object = workflow.expression;
	await (expression as { acquireIsolate?(): Promise<void> }).acquireIsolate?.();
});

/** The value that n8n itself reads, or the reason why it refuses. */
export function readByN8n(raw: unknown, json: IDataObject): unknown {
	const input = [{ json, pairedItem: { item: 0 } }];
	const executeData = { data: { main: [input] }, node, source: null };
	const among = [input, 'webhook', {}, executeData] as const;
	try {
		return workflow.expression.getParameterValue(raw as string, null, 0, 0, node.name, ...among);
	} catch (error) {
		return `refused: ${String(error)}`;
	}
}
