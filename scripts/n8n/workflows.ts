import type { NodeJson, WorkflowJson } from './client';
import { withCredentials } from '../start/examples';

type Parameters = Record<string, unknown>;

const typed =
	(type: string, typeVersion: number) =>
	(name: string, parameters: Parameters = {}): NodeJson => ({
		id: name.toLowerCase().replaceAll(' ', '-'),
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0],
		parameters,
	});

/** n8n's own nodes, by name and parameters. */
export const noOp = typed('noOp', 1);
export const editFields = typed('set', 3.4);
export const manualTrigger = typed('manualTrigger', 1);
export const loopOver = typed('splitInBatches', 3);
export const executeWorkflow = typed('executeWorkflow', 1.2);
export const calledByWorkflow = typed('executeWorkflowTrigger', 1.1);
export const httpRequest = typed('httpRequest', 4.2);
const splitOut = typed('splitOut', 1);
const webhookTrigger = typed('webhook', 2);

export const webhook = (path: string): NodeJson => ({
	...webhookTrigger('Webhook', { httpMethod: 'POST', path, options: {} }),
	webhookId: path,
});

/** One item for each row that the webhook received. */
export const eachRow = splitOut('Each row', { fieldToSplitOut: 'body.rows', options: {} });

/** Reads the rows from an address, in the shape that a webhook gives them. */
export const rowsFrom = (url: string): NodeJson => httpRequest('Get rows', { url, options: {} });

/** The node under test; `settings` are n8n's own, such as On Error. */
export function messaging(
	name: string,
	parameters: Parameters,
	settings: Parameters = {},
): NodeJson {
	return {
		id: name.toLowerCase().replaceAll(' ', '-'),
		name,
		type: 'n8n-nodes-customer-messaging.customerMessaging',
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: {
			customerMessagingApi: { id: 'sandbox-api-key', name: 'Sandbox (API key)' },
			customerMessagingPartnerApi: { id: 'sandbox-partner-token', name: 'Sandbox (partner token)' },
		},
		...settings,
	};
}

/** A push to the user of each row. The sandbox requires `url` in addition to the texts. */
export const pushToRow = {
	resource: 'push',
	operation: 'send',
	platforms: ['web'],
	recipientBy: 'user_id',
	user_id: '={{ $json.userID }}',
	title: 'Hello',
	message: '=For {{ $json.userID }}',
	url: 'https://shop.example.com/',
	// By hand, a list is only shown otherwise.
	testRuns: 'send',
};

/** A push to everyone, once on each platform. */
export const pushToAll = {
	resource: 'push',
	operation: 'broadcastAll',
	platforms: ['web', 'android', 'ios'],
	title: 'New season',
	message: 'The autumn collection is here.',
	url: 'https://shop.example.com/autumn',
};

/** For each node, the nodes that each of its outputs leads to. */
type Wires = Record<string, string[][]>;

/** Connects nodes. Without `wires`, each leads to the next. */
export function workflow(
	name: string,
	nodes: NodeJson[],
	ids: Record<string, string>,
	wires: Wires = chain(nodes),
): WorkflowJson {
	const connections = Object.fromEntries(
		Object.entries(wires).map(([from, outputs]) => [
			from,
			{ main: outputs.map((targets) => targets.map((node) => ({ node, type: 'main', index: 0 }))) },
		]),
	);
	const placed = nodes.map((node, index) => ({ ...node, position: [index * 200, 0] }));
	return withCredentials(
		{ name, nodes: placed, connections, settings: { executionOrder: 'v1' } },
		ids,
	);
}

/** Wires that lead from each node to the next. */
export function chain(nodes: NodeJson[]): Wires {
	return Object.fromEntries(
		nodes.slice(0, -1).map(({ name }, index) => [name, [[nodes[index + 1]?.name ?? '']]]),
	);
}

export interface Row {
	userID: string;
	city: string;
}

/** Rows with unique names, so that they are not confused with what another scenario left behind. */
export function makeRows(name: string, count: number): Row[] {
	return Array.from({ length: count }, (_, index) => ({
		userID: `${name}-${index}`,
		city: `City ${index}`,
	}));
}
