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
	failureText,
	hintTexts,
	outcomesOf,
	output,
	pathsOf,
	retry,
	runByHand,
	runByWebhook,
	succeeded,
	type Bench,
	type Run,
} from '../bench';
import { mcpTool } from '../mcp';
import { withRowSource } from '../rowSource';
import { createInLoop, createSubWorkflow } from '../rows';

const toWeb = { ...pushToAll, platforms: ['web'], maxBroadcasts: 500 };
const nameAndDate = { sendOnce: true, sendOnceKey: '=Spring sale {{ $today.toISODate() }}' };
const rows = [{ nr: 1 }, { nr: 2 }, { nr: 3 }, { nr: 4 }];

/** A webhook's 4 rows go one by one through a workflow in between to a sub-workflow with a broadcast to everyone. */
export async function broadcastsOfSubWorkflows(bench: Bench): Promise<void> {
	await withRowSource([], async (source) => {
		const calling = async (path: string, once: object) => {
			const node = messaging('Broadcast', { ...toWeb, ...once });
			const inner = await createSubWorkflow(bench, `${path}-inner`, node);
			const middle = await createSubWorkflow(bench, `${path}-middle`, inner, rowsFrom(source.url));
			return await createInLoop(bench, path, middle, 1, manualTrigger('By hand'));
		};
		source.isDown = false;
		const without = await calling('calls', {});
		const refused = await runByWebhook(bench, without, { rows });
		assert.equal(refused.status, 'error');
		assertSentToEveryone(refused, 0);
		assert.match(failureText(refused), /In a sub-workflow, each call could send this to the same/);
		// n8n 1 does not tell a sub-workflow that it was started by hand.
		assertSentToEveryone(await runByHand(bench, without, 'By hand'), 0);

		const keyed = await calling('calls-once', nameAndDate);
		source.isDown = true;
		const failed = await runByWebhook(bench, keyed, { rows });
		assert.equal(failed.status, 'error', 'the workflow in between fails after the first broadcast');
		assertSentToEveryone(failed, 1);
		source.isDown = false;
		assertSentToEveryone(await succeeded(retry(bench, failed)), 0);
		assertSentToEveryone(await succeeded(runByWebhook(bench, keyed, { rows })), 0);
	});
}

function assertSentToEveryone(run: Run, times: number): void {
	assert.deepEqual(pathsOf(run), Array(times).fill('/api/v1/web/broadcast/all'));
}

/** Calls over MCP, whose text comes from the model. There is no execution yet that an answer could continue. */
export async function toolOverMcp(bench: Bench): Promise<void> {
	const title = "={{ $fromAI('title', 'Title of the push', 'string') }}";
	const told = async (path: string, parameters: object, titles: string[]) => {
		bench.sandbox.reset();
		const callTool = await mcpTool(bench, path, { ...toWeb, title, ...parameters });
		const answers = [];
		for (const word of titles) answers.push(await callTool({ title: word }));
		return answers;
	};
	for (const text of await told('mcp', {}, ['One', 'Two']))
		assert.match(text, /As a tool, each call could send this to the same people again/);
	assert.deepEqual(bench.sandbox.record, []);

	const question = { operation: 'sendAndWait', recipientBy: 'user_id', user_id: 'C-1' };
	const [refused = ''] = await told('mcp-ask', question, ['May it go out?']);
	assert.match(refused, /cannot use 'Send and Wait for Response' as a tool of its own/);
	assert.deepEqual(bench.sandbox.record, []);

	const [first = '', ...others] = await told('mcp-once', nameAndDate, ['One', 'Two', 'Three']);
	assert.match(first, /accepted/);
	for (const text of others) assert.match(text, /skipped/);
	assert.equal(bench.sandbox.accepted().length, 1);
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
	const first = await succeeded(runByHand(bench, stored, 'By hand'));
	assert.deepEqual([first.arrivals.length, outcomesOf(first, 'Done')], [1, ['accepted']]);
	const second = await succeeded(runByHand(bench, stored, 'By hand'));
	assert.deepEqual([second.arrivals.length, outcomesOf(second, 'Done')], [0, ['skipped']]);
	assert.match(
		hintTexts(second, 'Broadcast'),
		/went out today already, and n8n cannot change or cancel it\. .*enter another campaign name, or turn on 'Send Duplicates'/s,
	);
	assert.equal(output(second.data, 'Done')[0]?.json.reason, 'sentBefore');
}
