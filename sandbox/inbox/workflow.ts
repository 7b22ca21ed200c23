export type Parameters = Record<string, unknown>;

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Parameters;
}

/** As n8n puts it on the clipboard. */
export interface Workflow {
	nodes: WorkflowNode[];
	connections: Record<
		string,
		{ main: Array<Array<{ node: string; type: 'main'; index: number }>> }
	>;
}

export interface Copy {
	workflow: Workflow;
	/** What the user should know about the copy before using it. */
	notes: string[];
}

/** Users or events per request by default. */
export const usualBatch = 100;

export const customerMessagingName = 'Customer Messaging';

export function customerMessaging(parameters: Parameters): Omit<WorkflowNode, 'position'> {
	return {
		id: 'customer-messaging',
		name: customerMessagingName,
		type: 'n8n-nodes-customer-messaging.customerMessaging',
		typeVersion: 1,
		parameters: withoutEmpty(parameters),
	};
}

/** Nodes in a row, each giving its items to the next. */
export function makeWorkflow(nodes: Array<Omit<WorkflowNode, 'position'>>): Workflow {
	const connections: Workflow['connections'] = {};
	nodes.forEach(({ name }, index) => {
		const next = nodes[index + 1];
		if (next) connections[name] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	});
	return {
		nodes: nodes.map((node, index) => ({ ...node, position: [index * 240, 0] })),
		connections,
	};
}

/** n8n leaves out empty parameters. */
function withoutEmpty(parameters: Parameters): Parameters {
	const isEmpty = (value: unknown) =>
		typeof value === 'object' && value !== null && Object.keys(value).length === 0;
	return Object.fromEntries(Object.entries(parameters).filter(([, value]) => !isEmpty(value)));
}
