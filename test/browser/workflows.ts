import type { NodeJson, WorkflowJson } from '../../scripts/n8n/client';
import type { Stage } from './stage';

export const start = 'When clicking ‘Execute workflow’';

export const message = {
	title: 'Your order is on its way',
	message: 'It arrives tomorrow between 9 and 12',
	url: 'https://shop.example.com/orders/1001',
};

export const sale = {
	title: 'Spring sale',
	message: '20% off everything until Sunday',
	url: 'https://shop.example.com/sale',
};

/** Between one node and the next. */
export const STEP = 224;

/** A Customer Messaging node with the sandbox's credential. */
export function messagingNode(
	{ credentialIds }: Stage,
	name: string,
	parameters: Record<string, unknown>,
	more: Record<string, unknown> = {},
): NodeJson {
	const id = credentialIds['sandbox-api-key'] ?? '';
	return {
		...node(name, 'n8n-nodes-customer-messaging.customerMessaging', parameters),
		credentials: { customerMessagingApi: { id, name: 'Sandbox (API key)' } },
		...more,
	};
}

/** Two nodes that give these rows, one item each. */
export function rowsOf(rows: object[]): NodeJson[] {
	return [
		node(
			'CRM',
			'n8n-nodes-base.set',
			{ mode: 'raw', jsonOutput: JSON.stringify({ rows }), options: {} },
			3.4,
		),
		node('Rows', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'rows', options: {} }),
	];
}

export function node(
	name: string,
	type: string,
	parameters: Record<string, unknown> = {},
	typeVersion = 1,
): NodeJson {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters };
}

/** A workflow started by hand that goes through these nodes one after another. */
export function inLine(name: string, ...nodes: NodeJson[]): WorkflowJson {
	const all = [node(start, 'n8n-nodes-base.manualTrigger'), ...nodes].map((one, index) => ({
		...one,
		position: [index * STEP, 0],
	}));
	const connections = Object.fromEntries(
		nodes.map((next, index) => [
			all[index]?.name ?? '',
			{ main: [[{ node: next.name, type: 'main', index: 0 }]] },
		]),
	);
	return { name, nodes: all, connections, settings: { executionOrder: 'v1' } };
}
