import assert from 'node:assert/strict';
import type { WorkflowJson } from '../../../scripts/n8n/client';
import { messaging, noOp, webhook, workflow } from '../../../scripts/n8n/workflows';
import { open, press, start, untilWaiting } from '../answering';
import { create, output, type Bench } from '../bench';
import { type ChatModel, startChatModel } from '../chatModel';

const AGENT = 'Agent';
const MODEL = 'Model';
const REVIEW = 'Review by push';
const TOOL = 'Send push';
const long = `The running shoes are here again. ${'They fit well. '.repeat(6)}`.trim();
const tool = { user_id: 'C-1001', title: 'Back in stock', message: long };

/** A manager reviews by push what an agent wants to do. n8n 1 has no review step. */
export async function reviewByPush(bench: Bench): Promise<void> {
	if (bench.version.startsWith('1.')) return;
	const model = await startChatModel();
	try {
		const approved = await askedByAgent(
			bench,
			model,
			'review-yes',
			'={{ $tool.parameters.message }}',
		);
		assert.match(approved.html, new RegExp(`>Send push to C-1001: ${long}\\?</p>`));
		assert.ok(String(approved.body.message).endsWith('…'), 'the push is shortened');
		await refusesOtherSignature(approved.link);
		assert.match((await press(approved.link, 'approve')).html, /was recorded/);
		await finished(bench, approved.id);
		const [, sent, ...more] = bench.sandbox.record;
		assert.deepEqual(more, []);
		assert.equal((sent?.body as typeof tool).user_id, 'C-1001');
		assert.match(told(model), /accepted/);

		// As n8n itself writes the text since 2.41.
		const whole = await askedByAgent(bench, model, 'review-whole', '={{ $tool.parameters }}');
		assert.ok(String(whole.body.message).startsWith('Send push to C-1001: {"user_id":"C-1001",'));
		assert.match((await press(whole.link, 'decline')).html, /was recorded/);
		await finished(bench, whole.id);

		const declined = await askedByAgent(
			bench,
			model,
			'review-no',
			'={{ $tool.parameters.message }}',
		);
		assert.match((await press(declined.link, 'decline')).html, /was recorded/);
		await finished(bench, declined.id);
		assert.equal(bench.sandbox.record.length, 1, 'only the question was sent');
		assert.match(told(model), /rejected|declined|not approved/i);
	} finally {
		await model.close();
	}
}

async function askedByAgent(bench: Bench, model: ChatModel, path: string, text: string) {
	const { sandbox } = bench;
	model.play([{ callTool: { toolParameters: tool, hitlParameters: {} } }, { say: 'Done.' }]);
	const { id: workflowId } = await create(bench, await withAgent(bench, model, path, text));
	const chatInput = 'Tell C-1001 that the shoes are back.';
	const id = await start(bench, workflowId, path, { chatInput });
	await untilWaiting(bench, id);
	assert.equal(sandbox.record.length, 1, 'the question is sent, and nothing else');
	const body = sandbox.record[0]?.body as Record<string, unknown>;
	const link = String(body.url);
	assert.equal(body.user_id, 'manager');
	return { id, link, body, html: (await open(link)).html };
}

async function refusesOtherSignature(link: string): Promise<void> {
	const wrong = link.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
	const { status } = await press(wrong, 'approve');
	assert.ok([401, 410].includes(status), `answered ${status}`);
}

async function finished(bench: Bench, id: string): Promise<void> {
	const { status, data } = await bench.client.finished(id, 60_000);
	assert.equal(status, 'success', JSON.stringify(data.resultData.error));
	assert.equal(output(data, 'Done').length, 1);
}

function told(model: ChatModel): string {
	const message = model.requests.at(-1)?.messages.find(({ role }) => role === 'tool');
	return JSON.stringify(message?.content);
}

async function withAgent(
	bench: Bench,
	{ url }: ChatModel,
	path: string,
	text: string,
): Promise<WorkflowJson> {
	const type = 'openAiApi';
	const name = 'Scripted model';
	const { id } = await bench.client.createCredential({ name, type, data: { apiKey: 'none', url } });
	const fromAi = (key: string) => `={{ $fromAI('${key}', '', 'string') }}`;
	const push = { resource: 'push', platforms: ['web'], recipientBy: 'user_id' };
	const langchain = (node: string, kind: string, typeVersion: number, parameters: object) => ({
		...noOp(node),
		type: `@n8n/n8n-nodes-langchain.${kind}`,
		typeVersion,
		parameters: { ...parameters },
	});
	const nodes = [
		webhook(path),
		langchain(AGENT, 'agent', 3, {
			promptType: 'define',
			text: '={{ $json.body.chatInput }}',
			options: { maxIterations: 3 },
		}),
		noOp('Done'),
		{
			...langchain(MODEL, 'lmChatOpenAi', 1.2, {
				model: { __rl: true, mode: 'list', value: 'gpt-4o-mini' },
				options: {},
			}),
			credentials: { [type]: { id, name } },
		},
		{
			...messaging(REVIEW, {
				...push,
				operation: 'sendAndWait',
				user_id: 'manager',
				title: 'The agent asks',
				message: `=Send push to {{ $tool.parameters.user_id }}: ${text.replace('=', '')}?`,
				approvalOptions: { values: { approvalType: 'double' } },
			}),
			type: 'n8n-nodes-customer-messaging.customerMessagingHitlTool',
		},
		{
			...messaging(TOOL, {
				...push,
				descriptionType: 'manual',
				toolDescription: 'Sends one push to one user',
				operation: 'send',
				user_id: fromAi('user_id'),
				title: fromAi('title'),
				message: fromAi('message'),
				url: 'https://shop.example.com/',
			}),
			type: 'n8n-nodes-customer-messaging.customerMessagingTool',
		},
	];
	const main = { Webhook: [[AGENT]], [AGENT]: [['Done']] };
	const stored = workflow(path, nodes, bench.credentialIds, main);
	const leads = (to: string, kind: string) => ({ [kind]: [[{ node: to, type: kind, index: 0 }]] });
	return {
		...stored,
		connections: {
			...stored.connections,
			[MODEL]: leads(AGENT, 'ai_languageModel'),
			[TOOL]: leads(REVIEW, 'ai_tool'),
			[REVIEW]: leads(AGENT, 'ai_tool'),
		},
	};
}
