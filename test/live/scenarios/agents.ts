import assert from 'node:assert/strict';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import { messaging, workflow } from '../../../scripts/n8n/workflows';
import type { Bench } from '../bench';
import { withChatModel, type Turn } from '../chatModel';
import { withNode, withParameters } from '../nodes';
import { assertRecorded, open } from '../question';
import type { Run } from '../run';
import { everywhere, newest } from '../scenario';

const FILE = 'ai-agent-messages-one-user';
const AGENT = 'Messaging agent';
const CHAT = 'Ask in the chat';
const TOOL = 'Send push to one user';
const words = { title: 'Back in stock', message: 'The running shoes are here again.' };
const toOne = { user_id: 'C-1001', ...words };
const body = { ...toOne, url: 'https://shop.example.com/' };

/** The question is pinned, because no chat is open in these tests. */
function askedInChat(made: WorkflowJson): WorkflowJson {
	const chatInput = 'Tell C-1001 that the running shoes are back in stock.';
	const json = { sessionId: 'one', action: 'sendMessage', chatInput };
	return { ...made, pinData: { [CHAT]: [{ json }] } };
}

const askInChat = async (bench: Bench, made: WorkflowJson): Promise<Run> =>
	await bench.byHand(await bench.client.createWorkflow(askedInChat(made)), CHAT);

everywhere('An AI agent reaches one person and never everyone', async (bench) => {
	const imported = bench.example(FILE);
	await withChatModel(bench, async (model) => {
		const made = model.of(imported);
		// The model asks for more than it is permitted.
		const operation = { resource: 'email', operation: 'broadcastAll', segment_id: 4711 };
		const more = { ...operation, platforms: ['web', 'android', 'ios'] };
		model.play([{ callTools: [{ ...toOne, ...more }] }, { say: 'Told.' }]);
		const run = (await askInChat(bench, made)).succeeded();
		assert.deepEqual([run.paths, run.bodies, run.reached], [['web/send'], [body], ['C-1001']]);
		const offered = model.requests[0]?.tools?.map((tool) =>
			Object.keys(tool.function.parameters.properties).sort(),
		);
		assert.deepEqual(offered, [['message', 'title', 'user_id']], 'one tool with three fields');
		assert.match(model.told().join(), /accepted/);
		assert.doesNotMatch(JSON.stringify(model.requests), /sandbox-key/, 'no secret reaches it');
	});
});

/** As older versions of n8n saved it. n8n hands the arguments of a batch's first call to all of them. */
everywhere('An agent with batches is never told that somebody else was reached', async (bench) => {
	const batching = { options: { batching: { batchSize: 2, delayBetweenBatches: 0 } } };
	const users = ['batch-1', 'batch-2', 'batch-3', 'batch-4'];
	await withChatModel(bench, async (model) => {
		const made = model.of(withParameters(bench.example(FILE), AGENT, batching));
		const asked = users.map((user) => ({
			json: { sessionId: user, action: 'sendMessage', chatInput: `Tell ${user}.` },
		}));
		const stored = await bench.client.createWorkflow({ ...made, pinData: { [CHAT]: asked } });
		const [one, two, three, four] = users.map((user_id): Turn => ({
			callTools: [{ user_id, ...words }],
		}));
		const done: Turn[] = [{ say: 'Done.' }, { say: 'Done.' }];
		assert.ok(one && two && three && four);
		model.play([one, two, ...done, three, four, ...done]);
		const { reached, data } = (await bench.byHand(stored, CHAT)).succeeded();
		assert.equal(new Set(reached).size, 2, 'one of each batch');
		assert.equal(reached.length, 2);
		// n8n passes no error of a tool on to the model.
		const told = model.requests
			.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'))
			.map(({ content }) => /accepted/.test(JSON.stringify(content)));
		assert.deepEqual(told.sort(), [false, false, true, true]);
		assert.match(JSON.stringify(data.resultData.runData[TOOL]), /another call's arguments/);
	});
});

const REVIEW = 'Review the push';
const ANSWER = 'Answer in the chat';
/** n8n ignores a press by a robot, such as a program that looks at links in messages. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const wants = (toolParameters: object): Turn => ({
	callTools: [{ toolParameters, hitlParameters: {} }],
});

/** n8n 1 does not have the review step. */
newest('With a review step, an AI agent sends a push only after a yes', async (bench) => {
	if (bench.version.startsWith('1.')) return;
	const { client, sandbox } = bench;
	const imported = askedInChat(bench.example('ai-agent-asks-before-it-sends'));
	await withChatModel(bench, async (model) => {
		const untilReview = async () => {
			model.play([wants(toOne), { say: 'C-1001 has been told.' }]);
			sandbox.reset();
			const stored = await client.createWorkflow(model.of(imported));
			const id = await client.runByHand(stored, CHAT);
			const { data } = await bench.untilWaiting(id, REVIEW);
			const [item] = data.resultData.runData[REVIEW]?.at(-1)?.data?.ai_tool?.[0] ?? [];
			const { text, buttons } = item?.sendMessage as {
				text: string;
				buttons: Array<{ text: string; link: string }>;
			};
			const pressButton = async (name: string) => {
				const link = buttons.find((one) => one.text === name)?.link ?? name;
				await (await fetch(link, { headers: { 'user-agent': BROWSER } })).arrayBuffer();
			};
			return { id, text, pressButton };
		};
		const { id, text, pressButton } = await untilReview();
		for (const shown of Object.values(toOne)) assert.ok(text.includes(shown), shown);
		assert.deepEqual(sandbox.record, [], 'nothing is sent before the yes');
		await pressButton('Send it');
		const [answer] = (await bench.untilWaiting(id, ANSWER)).items(ANSWER);
		assert.match(String(answer?.sendMessage), /^C-1001 has been told/);
		const sent = () => sandbox.record.map((one) => [one.path, one.outcome, one.body]);
		assert.deepEqual(sent(), [['/api/v1/web/send', 'accepted', body]]);
		assert.match(model.told().join(), /accepted/, 'the model learns what became of it');
		await client.stopExecution(id);

		const declined = await untilReview();
		await declined.pressButton('Do not send');
		await bench.untilWaiting(declined.id, ANSWER);
		assert.deepEqual(sandbox.record, []);
		assert.match(model.told().join(), /rejected/, 'the model learns of the no');
		await client.stopExecution(declined.id);
	});
});

/** A manager reviews what an agent wants to do. n8n 1 has no review step. */
newest('A person reviews by push what an AI agent wants to do', async (bench) => {
	if (bench.version.startsWith('1.')) return;
	const { client, sandbox } = bench;
	const long = `The running shoes are here again. ${'They fit well. '.repeat(6)}`.trim();
	await withChatModel(bench, async (model) => {
		/** Starts an agent that wants to send a push, and returns the question that the manager gets. */
		const asked = async (code: string) => {
			model.play([wants({ ...toOne, message: long }), { say: 'Done.' }]);
			sandbox.reset();
			const stored = await client.createWorkflow(model.of(withReview(bench, code)));
			const id = await client.runByHand(stored, CHAT);
			await bench.untilWaiting(id);
			assert.equal(sandbox.record.length, 1, 'the question is sent, and nothing else');
			const { user_id, url = '', message } = sandbox.record[0]?.body as Record<string, string>;
			assert.equal(user_id, 'manager');
			return { id, link: url, message: String(message) };
		};
		const sentAfter = async (id: string) => (await bench.ended(id, 1)).succeeded().bodies;
		const { id, link, message } = await asked('$tool.parameters.message');
		assert.match((await open(link)).html, new RegExp(`>Send push to C-1001: ${long}\\?</p>`));
		assert.ok(message.endsWith('…'), 'the push is shortened');
		await assertRecorded(link, 'approve');
		assert.deepEqual(await sentAfter(id), [{ ...body, message: long }]);
		assert.match(model.told().join(), /accepted/);

		// As n8n itself writes the text since 2.41.
		const whole = await asked('$tool.parameters');
		assert.ok(whole.message.startsWith('Send push to C-1001: {"user_id":"C-1001",'));
		await assertRecorded(whole.link, 'decline');
		assert.deepEqual(await sentAfter(whole.id), [], 'only the question was sent');
		assert.match(model.told().join(), /rejected|declined|not approved/i);
	});
});

/** The example of an agent that sends, with a review in between. */
function withReview(bench: Bench, code: string): WorkflowJson {
	// Older versions of the agent know no review.
	const imported = askedInChat(withNode(bench.example(FILE), AGENT, { typeVersion: 3 }));
	const review = {
		...messaging('Review', {
			...{ resource: 'push', operation: 'sendAndWait', platforms: ['web'] },
			...{ recipientBy: 'user_id', user_id: 'manager', title: 'The agent asks' },
			message: `=Send push to {{ $tool.parameters.user_id }}: {{ ${code} }}?`,
			approvalOptions: { values: { approvalType: 'double' } },
		}),
		type: 'n8n-nodes-customer-messaging.customerMessagingHitlTool',
	};
	const { nodes } = workflow('', [review], bench.credentialIds);
	const leads = (node: string) => ({ ai_tool: [[{ node, type: 'ai_tool', index: 0 }]] });
	const wires = { [TOOL]: leads('Review'), Review: leads(AGENT) };
	const connections = { ...imported.connections, ...wires };
	return { ...imported, nodes: [...imported.nodes, ...nodes], connections };
}
