import type { WorkflowJson } from '../../scripts/n8n/client';
import { startServer } from '../engine/support/localServer';
import type { Bench } from './bench';
import { withNode } from './nodes';

/** One turn of the model: it calls the only tool that it was offered, once or several times, or it says something. */
export type Turn = { callTools: Array<Record<string, unknown>> } | { say: string };

interface ModelRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string; parameters: { properties: object } } }>;
}

/** Serves OpenAI's chat completions API on 127.0.0.1 from a script, without a model. */
export async function startChatModel({ client }: Bench) {
	const requests: ModelRequest[] = [];
	let script: Turn[] = [];
	const server = await startServer((response, _request, body) => {
		const asked = JSON.parse(body) as ModelRequest;
		requests.push(asked);
		const message = messageOf(script.shift() ?? { say: 'Done.' }, asked, requests.length);
		const choice = { index: 0, finish_reason: message.tool_calls ? 'tool_calls' : 'stop', message };
		const whole = { object: 'chat.completion', created: 0, model: 'scripted', choices: [choice] };
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ id: `chat-${requests.length}`, ...whole, usage }));
	});
	const [type, name] = ['openAiApi', 'Scripted model'];
	const data = { apiKey: 'none', url: `${server.url}/v1` };
	const { id } = await client.createCredential({ name, type, data });
	return {
		requests,
		/** What it will do next; after that it says "Done." */
		play(turns: Turn[]): void {
			requests.length = 0;
			script = [...turns];
		},
		/** What the tools had told it when it was last asked, as JSON. */
		told: () => toldIn(requests.at(-1)?.messages ?? []),
		/** A copy of an example whose model is this one: what a user has to bring. */
		of: (workflow: WorkflowJson) =>
			withNode(workflow, 'OpenAI Chat Model', { credentials: { [type]: { id, name } } }),
	};
}

/** What tools told the model, as JSON. */
export const toldIn = (messages: ModelRequest['messages']): string[] =>
	messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));

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
