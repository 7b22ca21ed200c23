import assert from 'node:assert/strict';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import { editFields } from '../../../scripts/n8n/workflows';
import { runByHand, type Bench, type Run } from '../bench';
import { startChatModel, type ChatModel, type Turn } from '../chatModel';
import { example, parametersOf, withNode } from '../examples';

const CHAT = 'Ask in the chat';
const MODEL = 'OpenAI Chat Model';
const TOOL = 'Send push to one user';
const words = { title: 'Back in stock', message: 'The running shoes are here again.' };
const body = { user_id: 'C-1001', ...words, url: 'https://shop.example.com/' };
const onePush = [{ path: '/api/v1/web/send', outcome: 'accepted', body }];

export async function aiAgent(bench: Bench): Promise<void> {
	await withoutModel(bench);
	const model = await startChatModel();
	try {
		const workflow = await withModel(bench, model);
		await onePersonOnce(bench, model, workflow);
		await neverEveryone(bench, model, workflow);
		await segmentLeftToModel(bench, model, workflow);
		await segmentOfItem(bench, model, workflow);
	} finally {
		await model.close();
	}
}

/** As it is imported: it says what is missing, and reaches nobody. */
async function withoutModel(bench: Bench): Promise<void> {
	const run = await askInChat(bench, example(bench, 'ai-agent-messages-one-user.json'));
	assert.equal(run.status, 'error');
	assert.ok(run.data.resultData.error?.message.includes(MODEL), run.data.resultData.error?.message);
	assert.deepEqual(run.arrivals, []);
}

/** What the user has to bring: a credential for the chat model. */
async function withModel({ client, ...bench }: Bench, { url }: ChatModel): Promise<WorkflowJson> {
	const workflow = example({ client, ...bench }, 'ai-agent-messages-one-user.json');
	const type = 'openAiApi';
	const { id } = await client.createCredential({
		name: 'Scripted model',
		type,
		data: { apiKey: 'none', url },
	});
	return withNode(workflow, MODEL, { credentials: { [type]: { id, name: 'Scripted model' } } });
}

async function onePersonOnce(
	bench: Bench,
	model: ChatModel,
	workflow: WorkflowJson,
): Promise<void> {
	const run = await ask(bench, model, workflow, [
		{ callTool: { user_id: 'C-1001', ...words } },
		{ say: 'C-1001 has been told.' },
	]);
	assert.equal(run.status, 'success', run.data.resultData.error?.message);
	assert.deepEqual(reached(run), onePush, 'one push for that person, and nothing else');
	const [first, second] = model.requests;
	const offered = first?.tools?.map((tool) =>
		Object.keys(tool.function.parameters.properties).sort(),
	);
	assert.deepEqual(offered, [['message', 'title', 'user_id']], 'one tool with these three fields');
	const told = second?.messages.find(({ role }) => role === 'tool');
	assert.match(JSON.stringify(told?.content), /accepted/);
	assert.doesNotMatch(JSON.stringify(model.requests), /sandbox-key/, 'no secret reaches the model');
}

/** The model asks for more than it is permitted: another operation, other platforms, a list of people. */
async function neverEveryone(
	bench: Bench,
	model: ChatModel,
	workflow: WorkflowJson,
): Promise<void> {
	const more = {
		resource: 'email',
		operation: 'broadcastAll',
		platforms: ['web', 'android', 'ios'],
		segment_id: 4711,
	};
	const asksForMore = await ask(bench, model, workflow, [
		{ callTool: { user_id: 'C-1001', ...words, ...more } },
	]);
	assert.deepEqual(reached(asksForMore), onePush, 'what it may not decide is left out');

	const asksForMany = await ask(bench, model, workflow, [
		{ callTool: { user_id: ['C-1001', 'C-1002'], ...words } },
	]);
	assert.deepEqual(reached(asksForMany), [], 'a list is no user');
}

/** If the workflow lets the model choose the audience of a broadcast, the node refuses. */
async function segmentLeftToModel(
	bench: Bench,
	model: ChatModel,
	workflow: WorkflowJson,
): Promise<void> {
	const { user_id: _user, recipientBy: _by, ...parameters } = parametersOf(workflow, TOOL);
	const segment_id = "={{ $fromAI('segment_id', 'The segment to message', 'number') }}";
	const careless = withNode(workflow, TOOL, {
		parameters: { ...parameters, operation: 'broadcastSegment', segment_id, testRuns: 'send' },
	});
	const run = await ask(bench, model, careless, [{ callTool: { segment_id: 4711, ...words } }]);
	assert.deepEqual(reached(run), []);
	assert.match(JSON.stringify(run.data.resultData), /'Segment' is left to the model/);
}

/** The model adds a segment of its own beside that of the item. */
async function segmentOfItem(
	bench: Bench,
	model: ChatModel,
	workflow: WorkflowJson,
): Promise<void> {
	const { user_id: _user, recipientBy: _by, ...parameters } = parametersOf(workflow, TOOL);
	const more = { operation: 'broadcastSegment', sendOnce: true, sendOnceKey: 'Shoes' };
	const readingFrom = (segment_id: string) =>
		withNode(behindEditFields(workflow), TOOL, {
			parameters: { ...parameters, ...more, segment_id, testRuns: 'send' },
		});
	const turns = [{ callTool: { ...words, segment: 7, segment_id: 7 } }];
	const careless = await ask(bench, model, readingFrom('={{ $json.segment }}'), turns);
	assert.deepEqual(reached(careless), []);
	assert.match(JSON.stringify(careless.data.resultData), /it reads \$json/);

	const segment = "={{ $('Edit Fields').first().json.segment }}";
	const run = await ask(bench, model, readingFrom(segment), turns);
	assert.equal(run.status, 'success', run.data.resultData.error?.message);
	const { user_id: _one, ...rest } = body;
	assert.deepEqual(reached(run), [
		{
			path: '/api/v1/web/broadcast/segment',
			outcome: 'accepted',
			body: { ...rest, segment_id: 42 },
		},
	]);
}

/** The item that reaches the agent has a segment. */
function behindEditFields(workflow: WorkflowJson): WorkflowJson {
	const node = editFields('Edit Fields', {
		includeOtherFields: true,
		assignments: { assignments: [{ id: 'a', name: 'segment', value: 42, type: 'number' }] },
		options: {},
	});
	const leads = (to: string) => ({ main: [[{ node: to, type: 'main', index: 0 }]] });
	return {
		...workflow,
		nodes: [...workflow.nodes, node],
		connections: {
			...workflow.connections,
			[CHAT]: leads('Edit Fields'),
			'Edit Fields': leads('Messaging agent'),
		},
	};
}

async function ask(
	bench: Bench,
	model: ChatModel,
	workflow: WorkflowJson,
	turns: Turn[],
): Promise<Run> {
	model.play(turns);
	return await askInChat(bench, workflow);
}

/** Asks the agent of the example in n8n's chat. */
export async function askInChat(bench: Bench, workflow: WorkflowJson): Promise<Run> {
	const question = {
		sessionId: 'one',
		action: 'sendMessage',
		chatInput: 'Tell C-1001 that the running shoes are back in stock.',
	};
	const asked = { ...workflow, pinData: { [CHAT]: [{ json: question }] } };
	return await runByHand(bench, await bench.client.createWorkflow(asked), CHAT);
}

function reached({ arrivals }: Run): object[] {
	return arrivals.map(({ path, outcome, body }) => ({ path, outcome, body }));
}
