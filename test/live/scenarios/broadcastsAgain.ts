import assert from 'node:assert/strict';
import {
	manualTrigger,
	messaging,
	noOp,
	pushToAll,
	rowsFrom,
	workflow,
} from '../../../scripts/n8n/workflows';
import {
	assertSucceeded,
	failureText,
	hintsOf,
	outcomesOf,
	output,
	retry,
	runByHand,
	runByWebhook,
	type Bench,
	type Run,
} from '../bench';
import { mcpTool } from '../mcp';
import { startRowSource } from '../rowSource';
import { createInLoopOrByHand, createSubWorkflow } from '../rows';

const toWeb = { ...pushToAll, platforms: ['web'], maxBroadcasts: 500 };
const nameAndDate = { sendOnce: true, sendOnceKey: '=Spring sale {{ $today.toISODate() }}' };
const rows = [{ nr: 1 }, { nr: 2 }, { nr: 3 }, { nr: 4 }];

/** A webhook's 4 rows go one by one through a workflow in between to a sub-workflow with a broadcast to everyone. */
export async function broadcastsOfSubWorkflows(bench: Bench): Promise<void> {
	const source = await startRowSource([]);
	try {
		const calling = async (path: string, once: object) => {
			const node = messaging('Broadcast', { ...toWeb, ...once });
			const inner = await createSubWorkflow(bench, `${path}-inner`, node);
			const middle = await createSubWorkflow(bench, `${path}-middle`, inner, rowsFrom(source.url));
			return await createInLoopOrByHand(bench, path, middle);
		};
		source.isDown = false;
		const without = await calling('calls', {});
		const refused = await runByWebhook(bench, without, 'calls', { rows });
		assert.equal(refused.status, 'error');
		assertSentToEveryone(refused, 0);
		assert.match(failureText(refused), /In a sub-workflow, each call could send this to the same/);
		// n8n 1 does not tell a sub-workflow that it was started by hand.
		assertSentToEveryone(await runByHand(bench, without, 'By hand'), 0);

		const keyed = await calling('calls-once', nameAndDate);
		source.isDown = true;
		const failed = await runByWebhook(bench, keyed, 'calls-once', { rows });
		assert.equal(failed.status, 'error', 'the workflow in between fails after the first broadcast');
		assertSentToEveryone(failed, 1);
		source.isDown = false;
		const retried = await retry(bench, failed);
		assertSucceeded(retried);
		assertSentToEveryone(retried, 0);
		const again = await runByWebhook(bench, keyed, 'calls-once', { rows });
		assertSucceeded(again);
		assertSentToEveryone(again, 0);
	} finally {
		await source.close();
	}
}

/** Three calls over MCP, whose title comes from the model. */
export async function broadcastsOverMcp(bench: Bench): Promise<void> {
	const title = "={{ $fromAI('title', 'Title of the push', 'string') }}";
	const callThrice = async (path: string, once: object) => {
		bench.sandbox.reset();
		const tool = await mcpTool(bench, path, { ...toWeb, title, ...once });
		const told = [];
		for (const word of ['One', 'Two', 'Three']) told.push(await tool.call({ title: word }));
		return told;
	};
	for (const text of await callThrice('mcp', {}))
		assert.match(text, /As a tool, each call could send this to the same people again/);
	assert.deepEqual(bench.sandbox.record, []);

	const [first, ...others] = await callThrice('mcp-once', nameAndDate);
	assert.match(first ?? '', /accepted/);
	for (const text of others) assert.match(text, /skipped/);
	assert.equal(bench.sandbox.accepted().length, 1);
}

/** As a tool over MCP, there is no execution yet that an answer could continue. */
export async function asksNobodyOverMcp(bench: Bench): Promise<void> {
	bench.sandbox.reset();
	const tool = await mcpTool(bench, 'mcp-ask', {
		resource: 'push',
		operation: 'sendAndWait',
		platforms: ['web'],
		recipientBy: 'user_id',
		user_id: 'C-1',
		title: 'Spring sale',
		message: "={{ $fromAI('message', 'The question', 'string') }}",
	});
	const told = await tool.call({ message: 'May it go out?' });
	assert.match(told, /cannot use 'Send and Wait for Response' as a tool of its own/);
	assert.deepEqual(bench.sandbox.record, []);
}

const toSegment = {
	resource: 'email',
	operation: 'broadcastSegment',
	segment_id: 4711,
	senderFrom: 'define',
	sender_name: 'Acme',
	sender_email: 'news@acme.example',
	serviceproviderID: 7,
	subject: 'Spring sale',
	campaign_name: 'Spring sale',
	content: '<p>It begins today.</p>',
	testRuns: 'send',
};

/** Execute step is clicked twice. */
export async function secondClick(bench: Bench): Promise<void> {
	const nodes = [manualTrigger('By hand'), messaging('Broadcast', toSegment), noOp('Done')];
	const stored = await bench.client.createWorkflow(workflow('clicks', nodes, bench.credentialIds));
	const first = await runByHand(bench, stored, 'By hand');
	assertSucceeded(first);
	assert.deepEqual([first.arrivals.length, outcomesOf(first, 'Done')], [1, ['accepted']]);
	const second = await runByHand(bench, stored, 'By hand');
	assertSucceeded(second);
	assert.deepEqual([second.arrivals.length, outcomesOf(second, 'Done')], [0, ['skipped']]);
	const hints = hintsOf(second, 'Broadcast').map(({ message }) => message);
	assert.ok(
		hints.some((hint) =>
			/went out today already, and n8n cannot change or cancel it\. .*enter another campaign name, or turn on 'Send Duplicates'/s.test(
				hint,
			),
		),
		hints.join('\n'),
	);
	assert.equal(output(second.data, 'Done')[0]?.json.reason, 'sentBefore');
}

function assertSentToEveryone({ arrivals }: Run, times: number): void {
	assert.deepEqual(
		arrivals.map(({ path }) => path),
		Array.from({ length: times }, () => '/api/v1/web/broadcast/all'),
	);
}
