import { setTimeout as sleep } from 'node:timers/promises';
import { messaging, noOp, workflow } from '../../scripts/n8n/workflows';
import type { Bench } from './bench';

/** Calls the only tool, and returns all that it said. Each call is an execution of its own, or nearly so. */
type CallTool = (args: object) => Promise<string>;

/** A workflow in which the node is the tool of an MCP Server Trigger, and a client of it. */
export async function mcpTool(bench: Bench, path: string, parameters: Record<string, unknown>) {
	const trigger = {
		...noOp('MCP', { path }),
		...{ type: '@n8n/n8n-nodes-langchain.mcpTrigger', typeVersion: 2, webhookId: path },
	};
	const node = messaging('Tool', parameters);
	const tool = { ...node, type: `${node.type}Tool` };
	const made = workflow(path, [trigger, tool], bench.credentialIds, {});
	const connections = { Tool: { ai_tool: [[{ node: 'MCP', type: 'ai_tool', index: 0 }]] } };
	await bench.create({ ...made, connections });
	return await connect(`${bench.client.url}/mcp/${path}`);
}

/** Connects as the protocol asks for: `initialize`, a notification, and the list of tools. */
async function connect(url: string): Promise<CallTool> {
	let session = '';
	let id = 0;
	const post = async (message: object) => {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				connection: 'close',
				...(session && { 'mcp-session-id': session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		const text = await response.text();
		session ||= response.headers.get('mcp-session-id') ?? '';
		return { status: response.status, text };
	};
	const request = async (method: string, params: object) => {
		const { status, text } = await post({ id: ++id, method, params });
		if (status !== 200) throw new Error(`${method} was answered ${status}: ${text.slice(0, 500)}`);
		const line = text.split('\n').find((one) => one.startsWith('data: ')) ?? `data: ${text}`;
		return JSON.parse(line.slice('data: '.length)) as { result?: unknown; error?: unknown };
	};
	const clientInfo = { name: 'test', version: '1' };
	for (let attempt = 1; ; attempt++) {
		try {
			await request('initialize', {
				...{ protocolVersion: '2025-03-26', capabilities: {}, clientInfo },
			});
			break;
		} catch (error) {
			// Newer n8n versions register the path shortly after activation.
			if (attempt === 40) throw new Error('The MCP server does not answer', { cause: error });
			await sleep(250);
		}
	}
	await post({ method: 'notifications/initialized' });
	const listed = await request('tools/list', {});
	const [tool] = (listed.result as { tools: Array<{ name: string }> }).tools;
	return async (args) => {
		const called = await request('tools/call', { name: tool?.name, arguments: args });
		return JSON.stringify(called.result ?? called.error);
	};
}
