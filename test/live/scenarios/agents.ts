import assert from 'node:assert/strict';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import {
	assertSucceeded,
	runByHand,
	succeeded,
	usersReached,
	withLatency,
	type Bench,
	type Run,
} from '../bench';
import { withChatModel, type ChatModel, type Turn } from '../chatModel';
import { example, parametersOf, withNode } from '../examples';

const FILE = 'ai-agent-messages-one-user.json';
const CHAT = 'Ask in the chat';
const TOOL = 'Send push to one user';
const words = { title: 'Back in stock', message: 'The running shoes are here again.' };
const body = { user_id: 'C-1001', ...words, url: 'https://shop.example.com/' };

export async function aiAgent(bench: Bench): Promise<void> {
	const imported = example(bench, FILE);
	const withoutModel = await askInChat(bench, imported);
	assert.equal(withoutModel.status, 'error');
	assert.match(withoutModel.data.resultData.error?.message ?? '', /OpenAI Chat Model/);
	assert.deepEqual(withoutModel.arrivals, []);

	await withChatModel(bench, async (model) => {
		const workflow = model.of(imported);
		await onePersonOnce(bench, model, workflow);
		const asksForMany = await ask(bench, model, workflow, [
			{ callTools: [{ user_id: ['C-1001', 'C-1002'], ...words }] },
		]);
		assert.deepEqual(asksForMany.arrivals, [], 'a list is no user');
		await segmentOfModel(bench, model, workflow);
	});
}

/** The model asks for more than it is permitted: another operation, other platforms, a segment. */
async function onePersonOnce(bench: Bench, model: ChatModel, workflow: WorkflowJson) {
	const more = {
		resource: 'email',
		operation: 'broadcastAll',
		platforms: ['web', 'android', 'ios'],
		segment_id: 4711,
	};
	const turns = [{ callTools: [{ user_id: 'C-1001', ...words, ...more }] }, { say: 'Told.' }];
	const run = await ask(bench, model, workflow, turns);
	assertSucceeded(run);
	const sent = run.arrivals.map((arrival) => [arrival.path, arrival.outcome, arrival.body]);
	assert.deepEqual(sent, [['/api/v1/web/send', 'accepted', body]]);
	const offered = model.requests[0]?.tools?.map((tool) =>
		Object.keys(tool.function.parameters.properties).sort(),
	);
	assert.deepEqual(offered, [['message', 'title', 'user_id']], 'one tool with these three fields');
	assert.match(model.told().join(), /accepted/);
	assert.doesNotMatch(JSON.stringify(model.requests), /sandbox-key/, 'no secret reaches the model');
}

/** Whom a broadcast reaches is not left to the model, nor to what it adds to its arguments. */
async function segmentOfModel(bench: Bench, model: ChatModel, workflow: WorkflowJson) {
	const { user_id: _user, recipientBy: _by, ...parameters } = parametersOf(workflow, TOOL);
	const broadcast = { operation: 'broadcastSegment', sendOnce: true, sendOnceKey: 'Shoes' };
	for (const [segment_id, says] of [
		["={{ $fromAI('segment_id', 'The segment', 'number') }}", /'Segment' is left to the model/],
		['={{ $json.segment }}', /it reads \$json/],
	] as const) {
		const careless = withNode(workflow, TOOL, {
			parameters: { ...parameters, ...broadcast, segment_id, testRuns: 'send' },
		});
		const run = await ask(bench, model, careless, [
			{ callTools: [{ ...words, segment: 7, segment_id: 7 }] },
		]);
		assert.deepEqual(run.arrivals, []);
		assert.match(JSON.stringify(run.data.resultData), says);
	}
}

/** The model calls the tool for two people at once, then twice for the same, and then once more after an answer. */
export async function agentAtOnce(bench: Bench): Promise<void> {
	const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
	await withChatModel(bench, async (model) => {
		const workflow = model.of(withNode(example(bench, FILE), TOOL, again));
		for (const turns of [
			[['agent-1', 'agent-2']],
			[['agent-3', 'agent-3']],
			[['agent-4'], ['agent-4']],
		]) {
			const calls = turns.map((users) => ({
				callTools: users.map((user_id) => ({ user_id, ...words })),
			}));
			const run = await withLatency(
				bench,
				300,
				async () => await succeeded(ask(bench, model, workflow, calls)),
			);
			assert.deepEqual(usersReached(run).sort(), [...new Set(turns.flat())]);
			assert.equal(model.told().length, 2);
			for (const told of model.told()) assert.match(told, /accepted/);
		}
	});
}

async function ask(bench: Bench, model: ChatModel, workflow: WorkflowJson, turns: Turn[]) {
	model.play(turns);
	return await askInChat(bench, workflow);
}

async function askInChat(bench: Bench, workflow: WorkflowJson): Promise<Run> {
	return await runByHand(bench, await bench.client.createWorkflow(askedInChat(workflow)), CHAT);
}

/** The question is pinned, because no chat is open in these tests. */
export function askedInChat(workflow: WorkflowJson): WorkflowJson {
	const chatInput = 'Tell C-1001 that the running shoes are back in stock.';
	const question = { sessionId: 'one', action: 'sendMessage', chatInput };
	return { ...workflow, pinData: { [CHAT]: [{ json: question }] } };
}
