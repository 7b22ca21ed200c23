import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import type { ExecutionData } from '../../../scripts/n8n/executionData';
import { runByHand, type Bench } from '../bench';
import { startChatModel, type ChatModel } from '../chatModel';
import { example, withNode } from '../examples';

const FILE = 'ai-agent-asks-before-it-sends.json';
const CHAT = 'Ask in the chat';
const MODEL = 'OpenAI Chat Model';
const REVIEW = 'Review the push';
const ANSWER = 'Answer in the chat';
/** n8n ignores a press by a robot, such as a program that looks at links in messages. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const body = {
	user_id: 'C-1001',
	title: 'Back in stock',
	message: 'The running shoes are here again.',
	url: 'https://shop.example.com/',
};

/** A button under a message in the chat. */
interface Button {
	text: string;
	link: string;
}

export async function agentReview(bench: Bench): Promise<void> {
	const workflow = asked(example(bench, FILE));
	if (bench.version.startsWith('1.')) return await noReviewStep(bench, workflow);
	const model = await startChatModel();
	try {
		const ready = await withModel(bench, workflow, model);
		await approved(bench, model, ready);
		await declined(bench, model, ready);
	} finally {
		await model.close();
	}
}

/** n8n 1 does not have the review step: it refuses to run the workflow. */
async function noReviewStep(bench: Bench, workflow: WorkflowJson): Promise<void> {
	const stored = await bench.client.createWorkflow(workflow);
	await assert.rejects(runByHand(bench, stored, CHAT), /Unrecognized node type/);
	assert.deepEqual(bench.sandbox.record, []);
}

async function approved(bench: Bench, model: ChatModel, workflow: WorkflowJson): Promise<void> {
	const { id, text, buttons } = await untilReview(bench, model, workflow);
	for (const shown of [body.user_id, body.title, body.message])
		assert.ok(text.includes(shown), `the review shows: ${shown}`);
	assert.deepEqual(bench.sandbox.record, [], 'nothing is sent before the yes');

	await press(buttons, 'Send it');
	assert.match(await answerIn(bench, id), /^C-1001 has been told/);
	const sent = () => bench.sandbox.record.map((one) => [one.path, one.outcome, one.body]);
	assert.deepEqual(sent(), [['/api/v1/web/send', 'accepted', body]]);
	const told = model.requests.at(-1)?.messages.find(({ role }) => role === 'tool');
	assert.match(JSON.stringify(told?.content), /accepted/, 'the model learns what became of it');

	await press(buttons, 'Send it');
	await press(buttons, 'Do not send');
	await sleep(500);
	assert.equal(sent().length, 1, 'a second press sends nothing more');
	await bench.client.stopExecution(id);
}

async function declined(bench: Bench, model: ChatModel, workflow: WorkflowJson): Promise<void> {
	const { id, buttons } = await untilReview(bench, model, workflow);
	await press(buttons, 'Do not send');
	await answerIn(bench, id);
	assert.deepEqual(bench.sandbox.record, []);
	const told = model.requests.at(-1)?.messages.find(({ role }) => role === 'tool');
	assert.match(JSON.stringify(told?.content), /rejected/, 'the model learns of the no');
	await bench.client.stopExecution(id);
}

/** The question is pinned, because no chat is open in this test. */
function asked(workflow: WorkflowJson): WorkflowJson {
	const chatInput = 'Tell C-1001 that the running shoes are back in stock.';
	const question = { sessionId: 'one', action: 'sendMessage', chatInput };
	return { ...workflow, pinData: { [CHAT]: [{ json: question }] } };
}

async function withModel(
	{ client }: Bench,
	workflow: WorkflowJson,
	{ url }: ChatModel,
): Promise<WorkflowJson> {
	const type = 'openAiApi';
	const name = 'Scripted model';
	const { id } = await client.createCredential({ name, type, data: { apiKey: 'none', url } });
	return withNode(workflow, MODEL, { credentials: { [type]: { id, name } } });
}

/** Starts the workflow and waits for the message that asks for a decision. */
async function untilReview(
	bench: Bench,
	model: ChatModel,
	workflow: WorkflowJson,
): Promise<{ id: string; text: string; buttons: Button[] }> {
	const { url: _fixed, ...toolParameters } = body;
	model.play([
		{ callTool: { toolParameters, hitlParameters: {} } },
		{ say: 'C-1001 has been told.' },
	]);
	bench.sandbox.reset();
	const id = await bench.client.runByHand(await bench.client.createWorkflow(workflow), CHAT);
	const data = await untilWaiting(bench, id, REVIEW);
	const { sendMessage } = data.resultData.runData[REVIEW]?.at(-1)?.data?.ai_tool?.[0]?.[0] ?? {};
	const { text, buttons } = sendMessage as { text: string; buttons: Button[] };
	return { id, text, buttons };
}

async function press(buttons: Button[], text: string): Promise<void> {
	const button = buttons.find((one) => one.text === text);
	assert.ok(button, `there is a button "${text}"`);
	const response = await fetch(button.link, { headers: { 'user-agent': BROWSER } });
	await response.arrayBuffer();
}

/** What the agent says at the end. */
async function answerIn(bench: Bench, id: string): Promise<string> {
	const data = await untilWaiting(bench, id, ANSWER);
	return String(data.resultData.runData[ANSWER]?.at(-1)?.data?.main?.[0]?.[0]?.sendMessage);
}

async function untilWaiting({ client }: Bench, id: string, node: string): Promise<ExecutionData> {
	for (let attempt = 0; attempt < 300; attempt++) {
		const { status, data } = await client.execution(id);
		if (status === 'waiting' && data.resultData.runData[node]) return data;
		if (status === 'error') throw new Error(JSON.stringify(data.resultData.error));
		await sleep(100);
	}
	throw new Error(`The execution does not wait at "${node}"`);
}
