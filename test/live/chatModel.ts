import type { WorkflowJson } from '../../scripts/n8n/client';
import { startServer } from '../engine/support/localServer';
import type { Bench } from './bench';
import { withNode } from './nodes';

/** One turn of the model: it calls the only tool that it was offered, once or several times, or it says something. */
export type Turn = { callTools: Array<Record<string, unknown>> } | { say: string };

interface ModelRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; parameters: { properties: object } } }>;
	stream?: boolean;
}

interface ChatModel {
	requests: ModelRequest[];
	/** What it will do next; after that it says "Done." */
	play(turns: Turn[]): void;
	/** What the tools told it, as JSON. */
	told(): string[];
	/** A copy of an example whose model is this one: what a user has to bring. */
	of(workflow: WorkflowJson): WorkflowJson;
}

/** Serves OpenAI's chat completions API on 127.0.0.1 from a script, without a model, while the work goes on. */
export async function withChatModel({ client }: Bench, work: (model: ChatModel) => Promise<void>) {
	const requests: ModelRequest[] = [];
	let script: Turn[] = [];

	const server = await startServer((response, _request, body) => {
		const asked = JSON.parse(body) as ModelRequest;
		requests.push(asked);
		const message = messageOf(script.shift() ?? { say: 'Done.' }, asked, requests.length);
		const common = { id: `chat-${requests.length}`, created: 0, model: 'scripted' };
		const choice = { index: 0, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' };
		if (asked.stream) {
			const chunk = { object: 'chat.completion.chunk', choices: [{ ...choice, delta: message }] };
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.end(`data: ${JSON.stringify({ ...common, ...chunk })}\n\ndata: [DONE]\n\n`);
			return;
		}
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const whole = { object: 'chat.completion', choices: [{ ...choice, message }], usage };
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ ...common, ...whole }));
	});
	try {
		const url = `${server.url}/v1`;
		const [type, name] = ['openAiApi', 'Scripted model'];
		const { id } = await client.createCredential({ name, type, data: { apiKey: 'none', url } });
		await work({
			requests,
			play(turns) {
				requests.length = 0;
				script = [...turns];
			},
			told: () =>
				(requests.at(-1)?.messages ?? [])
					.filter(({ role }) => role === 'tool')
					.map(({ content }) => JSON.stringify(content)),
			of: (workflow) =>
				withNode(workflow, 'OpenAI Chat Model', { credentials: { [type]: { id, name } } }),
		});
	} finally {
		await server.close();
	}
}

function messageOf(turn: Turn, { tools }: ModelRequest, id: number) {
	if ('say' in turn) return { role: 'assistant', content: turn.say };
	const name = tools?.[0]?.function.name ?? 'no tool was offered';
	const tool_calls = turn.callTools.map((call, index) => ({
		index,
		id: `call-${id}-${index}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(call) },
	}));
	return { role: 'assistant', content: null, tool_calls };
}
