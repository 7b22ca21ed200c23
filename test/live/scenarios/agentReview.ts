import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import type { ExecutionData } from '../../../scripts/n8n/executionData';
import { messaging, workflow } from '../../../scripts/n8n/workflows';
import { assertRecorded, open, press, untilWaiting } from '../answering';
import { ended, output, runByHand, succeeded, type Bench } from '../bench';
import { withChatModel, type ChatModel } from '../chatModel';
import { example, withNode } from '../examples';
import { askedInChat } from './agents';

const CHAT = 'Ask in the chat';
const CHAT_REVIEW = 'Review the push';
const ANSWER = 'Answer in the chat';
/** n8n ignores a press by a robot, such as a program that looks at links in messages. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const toolParameters = {
	user_id: 'C-1001',
	title: 'Back in stock',
	message: 'The running shoes are here again.',
};
const body = { ...toolParameters, url: 'https://shop.example.com/' };

/** A button under a message in the chat. */
interface Button {
	text: string;
	link: string;
}

export async function agentReview(bench: Bench): Promise<void> {
	const imported = askedInChat(example(bench, 'ai-agent-asks-before-it-sends.json'));
	if (bench.version.startsWith('1.')) {
		// n8n 1 does not have the review step: it refuses to run the workflow.
		const stored = await bench.client.createWorkflow(imported);
		await assert.rejects(runByHand(bench, stored, CHAT), /Unrecognized node type/);
		assert.deepEqual(bench.sandbox.record, []);
		return;
	}
	await withChatModel(bench, async (model) => {
		await approvedInChat(bench, model, imported);
		await declinedInChat(bench, model, imported);
	});
}

async function approvedInChat(bench: Bench, model: ChatModel, imported: WorkflowJson) {
	const { id, text, buttons } = await untilReview(bench, model, imported);
	for (const shown of Object.values(toolParameters))
		assert.ok(text.includes(shown), `the review shows: ${shown}`);
	assert.deepEqual(bench.sandbox.record, [], 'nothing is sent before the yes');

	await pressButton(buttons, 'Send it');
	const data = await untilWaitingAt(bench, id, ANSWER);
	const [answer] = output(data, ANSWER);
	assert.match(String(answer?.sendMessage), /^C-1001 has been told/);
	const sent = () => bench.sandbox.record.map((one) => [one.path, one.outcome, one.body]);
	assert.deepEqual(sent(), [['/api/v1/web/send', 'accepted', body]]);
	assert.match(model.told().join(), /accepted/, 'the model learns what became of it');

	await pressButton(buttons, 'Send it');
	await pressButton(buttons, 'Do not send');
	await sleep(500);
	assert.equal(sent().length, 1, 'a second press sends nothing more');
	await bench.client.stopExecution(id);
}

async function declinedInChat(bench: Bench, model: ChatModel, imported: WorkflowJson) {
	const { id, buttons } = await untilReview(bench, model, imported);
	await pressButton(buttons, 'Do not send');
	await untilWaitingAt(bench, id, ANSWER);
	assert.deepEqual(bench.sandbox.record, []);
	assert.match(model.told().join(), /rejected/, 'the model learns of the no');
	await bench.client.stopExecution(id);
}

/** Starts the workflow and waits for the message that asks for a decision. */
async function untilReview(
	bench: Bench,
	model: ChatModel,
	imported: WorkflowJson,
): Promise<{ id: string; text: string; buttons: Button[] }> {
	model.play([
		{ callTools: [{ toolParameters, hitlParameters: {} }] },
		{ say: 'C-1001 has been told.' },
	]);
	bench.sandbox.reset();
	const stored = await bench.client.createWorkflow(model.of(imported));
	const id = await bench.client.runByHand(stored, CHAT);
	const data = await untilWaitingAt(bench, id, CHAT_REVIEW);
	const [item] = data.resultData.runData[CHAT_REVIEW]?.at(-1)?.data?.ai_tool?.[0] ?? [];
	return { id, ...(item?.sendMessage as { text: string; buttons: Button[] }) };
}

async function pressButton(buttons: Button[], text: string): Promise<void> {
	const button = buttons.find((one) => one.text === text);
	assert.ok(button, `there is a button "${text}"`);
	await (await fetch(button.link, { headers: { 'user-agent': BROWSER } })).arrayBuffer();
}

async function untilWaitingAt({ client }: Bench, id: string, node: string): Promise<ExecutionData> {
	for (let attempt = 0; attempt < 300; attempt++) {
		const { status, data } = await client.execution(id);
		if (status === 'waiting' && data.resultData.runData[node]) return data;
		if (status === 'error') throw new Error(JSON.stringify(data.resultData.error));
		await sleep(100);
	}
	throw new Error(`The execution does not wait at "${node}"`);
}

const AGENT = 'Messaging agent';
const long = `The running shoes are here again. ${'They fit well. '.repeat(6)}`.trim();

/** A manager reviews by push what an agent wants to do. n8n 1 has no review step. */
export async function reviewByPush(bench: Bench): Promise<void> {
	if (bench.version.startsWith('1.')) return;
	await withChatModel(bench, async (model) => {
		const { link, ...asked } = await askedByAgent(bench, model, '$tool.parameters.message');
		assert.match((await open(link)).html, new RegExp(`>Send push to C-1001: ${long}\\?</p>`));
		assert.ok(asked.message.endsWith('…'), 'the push is shortened');
		const wrong = link.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
		const { status } = await press(wrong, 'approve');
		assert.ok([401, 410].includes(status), `answered ${status}`);
		await assertRecorded(link, 'approve');
		assert.deepEqual(await sentAfter(bench, asked.id), [{ ...body, message: long }]);
		assert.match(model.told().join(), /accepted/);

		// As n8n itself writes the text since 2.41.
		const whole = await askedByAgent(bench, model, '$tool.parameters');
		assert.ok(whole.message.startsWith('Send push to C-1001: {"user_id":"C-1001",'));
		await assertRecorded(whole.link, 'decline');
		assert.deepEqual(await sentAfter(bench, whole.id), [], 'only the question was sent');
		assert.match(model.told().join(), /rejected|declined|not approved/i);
	});
}

async function sentAfter(bench: Bench, id: string): Promise<unknown[]> {
	const { data, arrivals } = await succeeded(ended(bench, id, 1));
	assert.equal(output(data, AGENT).length, 1);
	return arrivals.map((arrival) => arrival.body);
}

/** Starts an agent that wants to send a push, and returns the question that the manager gets. */
async function askedByAgent(bench: Bench, model: ChatModel, code: string) {
	const { client, sandbox } = bench;
	model.play([
		{ callTools: [{ toolParameters: { ...toolParameters, message: long }, hitlParameters: {} }] },
		{ say: 'Done.' },
	]);
	sandbox.reset();
	const stored = await client.createWorkflow(model.of(withReview(bench, code)));
	const id = await client.runByHand(stored, CHAT);
	await untilWaiting(bench, id);
	assert.equal(sandbox.record.length, 1, 'the question is sent, and nothing else');
	const { user_id: asked, url, message } = sandbox.record[0]?.body as Record<string, string>;
	assert.equal(asked, 'manager');
	return { id, link: String(url), message: String(message) };
}

/** The example of an agent that sends, with a review in between. */
function withReview(bench: Bench, code: string): WorkflowJson {
	// Older versions of the agent know no review.
	const agent = withNode(example(bench, 'ai-agent-messages-one-user.json'), AGENT, {
		typeVersion: 3,
	});
	const imported = askedInChat(agent);
	const review = {
		...messaging('Review', {
			resource: 'push',
			operation: 'sendAndWait',
			platforms: ['web'],
			recipientBy: 'user_id',
			user_id: 'manager',
			title: 'The agent asks',
			message: `=Send push to {{ $tool.parameters.user_id }}: {{ ${code} }}?`,
			approvalOptions: { values: { approvalType: 'double' } },
		}),
		type: 'n8n-nodes-customer-messaging.customerMessagingHitlTool',
	};
	const { nodes } = workflow('', [review], bench.credentialIds);
	const leads = (node: string) => ({ ai_tool: [[{ node, type: 'ai_tool', index: 0 }]] });
	const wires = { 'Send push to one user': leads('Review'), Review: leads(AGENT) };
	return {
		...imported,
		nodes: [...imported.nodes, ...nodes],
		connections: { ...imported.connections, ...wires },
	};
}
