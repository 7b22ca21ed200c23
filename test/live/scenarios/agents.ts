import assert from 'node:assert/strict';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import { messaging } from '../../../scripts/n8n/workflows';
import { toldIn, startChatModel, type Turn } from '../chatModel';
import { withNode, withParameters } from '../nodes';
import { assertRecorded, open } from '../question';
import { everywhere, newest } from '../scenario';

const FILE = 'ai-agent-messages-one-user';
const AGENT = 'Messaging agent';
const CHAT = 'Ask in the chat';
const TOOL = 'Send push to one user';
const words = { title: 'Back in stock', message: 'The running shoes are here again.' };
const toOne = { user_id: 'C-1001', ...words };
const body = { ...toOne, url: 'https://shop.example.com/' };

/** The questions, each of its own session, are pinned, because no chat is open in these tests. */
function askedInChat(made: WorkflowJson, users = ['C-1001']): WorkflowJson {
	const items = users.map((user) => {
		const chatInput = `Tell ${user} that the running shoes are back in stock.`;
		return { json: { sessionId: user, action: 'sendMessage', chatInput } };
	});
	return { ...made, pinData: { [CHAT]: items } };
}

everywhere('An AI agent reaches one person and never everyone', async (bench) => {
	const imported = askedInChat(bench.example(FILE));
	const model = await startChatModel(bench);
	const stored = await bench.client.createWorkflow(model.of(imported));
	// The model asks for more than it is permitted.
	const operation = { resource: 'email', operation: 'broadcastAll', segment_id: 4711 };
	const more = { ...operation, platforms: ['web', 'android', 'ios'] };
	model.play([{ callTools: [{ ...toOne, ...more }] }, { say: 'Told.' }]);
	const run = (await bench.byHand(stored, CHAT)).succeeded();
	assert.deepEqual([run.paths, run.bodies, run.reached], [['web/send'], [body], ['C-1001']]);
	const offered = model.requests[0]?.tools?.map((tool) =>
		Object.keys(tool.function.parameters.properties).sort(),
	);
	assert.deepEqual(offered, [['message', 'title', 'user_id']], 'one tool with three fields');
	assert.match(model.told().join(), /accepted/);
	assert.doesNotMatch(JSON.stringify(model.requests), /sandbox-key/, 'no secret reaches it');
});

/** As older versions of n8n saved it. n8n hands the arguments of a batch's first call to all of them. */
everywhere('An agent with batches is never told that somebody else was reached', async (bench) => {
	const batching = { options: { batching: { batchSize: 2, delayBetweenBatches: 0 } } };
	const users = ['batch-1', 'batch-2', 'batch-3', 'batch-4'];
	const done: Turn = { say: 'Done.' };
	const model = await startChatModel(bench);
	const made = model.of(withParameters(bench.example(FILE), AGENT, batching));
	const stored = await bench.client.createWorkflow(askedInChat(made, users));
	const calls = users.map((user_id): Turn => ({ callTools: [{ user_id, ...words }] }));
	model.play([...calls.slice(0, 2), done, done, ...calls.slice(2), done, done]);
	const { reached, data } = (await bench.byHand(stored, CHAT)).succeeded();
	assert.equal(new Set(reached).size, 2, 'one of each batch');
	assert.equal(reached.length, 2);
	// n8n passes no error of a tool on to the model.
	const told = model.requests.flatMap(({ messages }) => toldIn(messages));
	const accepted = told.map((content) => content.includes('accepted'));
	assert.deepEqual(accepted.sort(), [false, false, true, true]);
	assert.match(JSON.stringify(data.resultData.runData[TOOL]), /another call's arguments/);
});

const wants = (toolParameters: object): Turn => ({
	callTools: [{ toolParameters, hitlParameters: {} }],
});

/**
 * The example of an agent that asks, with a push to a manager in place of its question in the chat. n8n 1 does not have
 * the review step.
 */
newest('With a review by push, an AI agent sends only after a yes', async (bench) => {
	if (bench.version.startsWith('1.')) return;
	const { client, sandbox } = bench;
	const imported = askedInChat(bench.example('ai-agent-asks-before-it-sends'));
	const { credentials } = imported.nodes.find(({ name }) => name === TOOL) ?? {};
	const long = `The running shoes are here again. ${'They fit well. '.repeat(6)}`.trim();
	const model = await startChatModel(bench);
	/** Starts an agent that wants to send a push, and returns the question that the manager gets. */
	const asked = async (code: string) => {
		const parameters = {
			...{ resource: 'push', operation: 'sendAndWait', platforms: ['web'] },
			...{ recipientBy: 'user_id', user_id: 'manager', title: 'The agent asks' },
			message: `=Send push to {{ $tool.parameters.user_id }}: {{ ${code} }}?`,
			approvalOptions: { values: { approvalType: 'double' } },
		};
		const type = 'n8n-nodes-customer-messaging.customerMessagingHitlTool';
		const review = messaging('Review the push', parameters, { type, credentials });
		model.play([wants({ ...toOne, message: long }), { say: 'Done.' }]);
		sandbox.reset();
		const made = model.of(withNode(imported, 'Review the push', review));
		const id = await client.runByHand(await client.createWorkflow(made), CHAT);
		await bench.untilWaiting(id);
		assert.equal(sandbox.record.length, 1, 'the question is sent, and nothing else');
		const { user_id, url = '', message } = sandbox.record[0]?.body as Record<string, string>;
		assert.equal(user_id, 'manager');
		return { id, link: url, message: String(message) };
	};
	/** What was sent beside the question, once the agent has answered in the chat. */
	const sentAfter = async (id: string) => {
		const ANSWER = 'Answer in the chat';
		const [answer] = (await bench.untilWaiting(id, ANSWER)).items(ANSWER);
		assert.equal(answer?.sendMessage, 'Done.');
		await client.stopExecution(id);
		return sandbox.record.slice(1).map(({ path, outcome, body }) => [path, outcome, body]);
	};
	const { id, link, message } = await asked('$tool.parameters.message');
	assert.match((await open(link)).html, new RegExp(`>Send push to C-1001: ${long}\\?</p>`));
	assert.ok(message.endsWith('…'), 'the push is shortened');
	await assertRecorded(link, 'approve');
	const sent = ['/api/v1/web/send', 'accepted', { ...body, message: long }];
	assert.deepEqual(await sentAfter(id), [sent]);
	assert.match(model.told().join(), /accepted/, 'the model learns what became of it');

	// As n8n itself writes the text since 2.41.
	const whole = await asked('$tool.parameters');
	assert.ok(whole.message.startsWith('Send push to C-1001: {"user_id":"C-1001",'));
	await assertRecorded(whole.link, 'decline');
	assert.deepEqual(await sentAfter(whole.id), [], 'only the question was sent');
	assert.match(model.told().join(), /rejected|declined|not approved/i);
});
