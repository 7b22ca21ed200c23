import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** One turn of the model: it calls the only tool that it was offered, once or several times, or it says something. */
export type Turn =
	| { callTool: Record<string, unknown> }
	| { callTools: Array<Record<string, unknown>> }
	| { say: string };

export interface OfferedTool {
	function: { name: string; parameters: { properties: Record<string, unknown> } };
}

export interface ModelRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: OfferedTool[];
	stream?: boolean;
}

export interface ChatModel {
	url: string;
	/** The requests it received, oldest first. */
	requests: ModelRequest[];
	/** What it will do next; after that it says "Done." */
	play(turns: Turn[]): void;
	close(): Promise<void>;
}

/** Serves OpenAI's chat completions API on 127.0.0.1 from a script, without a model. */
export async function startChatModel(): Promise<ChatModel> {
	const requests: ModelRequest[] = [];
	let script: Turn[] = [];

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked = (await json(request)) as ModelRequest;
		requests.push(asked);
		const message = messageOf(script.shift() ?? { say: 'Done.' }, asked, requests.length);
		const common = { id: `chat-${requests.length}`, created: 0, model: 'scripted' };
		const finish_reason = message.tool_calls ? 'tool_calls' : 'stop';
		if (asked.stream) {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			const delta = {
				...message,
				tool_calls: message.tool_calls?.map((call, index) => ({ ...call, index })),
			};
			const chunk = {
				...common,
				object: 'chat.completion.chunk',
				choices: [{ index: 0, delta, finish_reason }],
			};
			response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
			return;
		}
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const whole = {
			...common,
			object: 'chat.completion',
			choices: [{ index: 0, message, finish_reason }],
			usage,
		};
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole));
	}

	const server = createServer((request, response) => {
		answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		requests,
		play: (turns) => {
			requests.length = 0;
			script = [...turns];
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function messageOf(turn: Turn, { tools }: ModelRequest, id: number) {
	if ('say' in turn) return { role: 'assistant', content: turn.say };
	const name = tools?.[0]?.function.name ?? 'no tool was offered';
	const calls = 'callTool' in turn ? [turn.callTool] : turn.callTools;
	return {
		role: 'assistant',
		content: null,
		tool_calls: calls.map((call, index) => ({
			id: `call-${id}-${index}`,
			type: 'function',
			function: { name, arguments: JSON.stringify(call) },
		})),
	};
}
