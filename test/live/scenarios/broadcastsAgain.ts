import assert from 'node:assert/strict';
import type { Bench } from '../bench';
import {
	manualTrigger,
	messaging,
	noOp,
	pushToAll,
	rowsFrom,
} from '../../../scripts/n8n/workflows';
import { mcpTool } from '../mcp';
import { withRowSource } from '../rowSource';
import type { Run } from '../run';
import { newest, nightly } from '../scenario';

const toWeb = { ...pushToAll, platforms: ['web'], maxBroadcasts: 500 };
const nameAndDate = { sendOnce: true, sendOnceKey: '=Spring sale {{ $today.toISODate() }}' };
const rows = [{ nr: 1 }, { nr: 2 }, { nr: 3 }, { nr: 4 }];

function assertSentToEveryone({ paths }: Run, times: number): void {
	assert.deepEqual(paths, Array(times).fill('web/broadcast/all'));
}

/** A webhook's 4 rows go one by one through a workflow in between to a sub-workflow with a broadcast to everyone. */
nightly('Sub-workflows of sub-workflows send a broadcast once for each key', async (bench) => {
	await withRowSource([], async (source) => {
		const broadcast = messaging('Broadcast', { ...toWeb, ...nameAndDate });
		const inner = await bench.subWorkflow('calls-inner', broadcast);
		const middle = await bench.subWorkflow('calls-middle', inner, rowsFrom(source.url));
		const keyed = await bench.inLoop('calls', middle);
		const failed = await bench.run(keyed, { rows });
		assert.equal(failed.status, 'error', 'the workflow in between fails after the first broadcast');
		assertSentToEveryone(failed, 1);
		source.isDown = false;
		assertSentToEveryone((await bench.retry(failed)).succeeded(), 0);
		assertSentToEveryone((await bench.run(keyed, { rows })).succeeded(), 0);
	});
});

/** The text comes from the model. */
newest('Calls over MCP send a broadcast once for each key', async (bench) => {
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

	const [first = '', ...others] = await told('mcp-once', nameAndDate, ['One', 'Two', 'Three']);
	assert.match(first, /accepted/);
	for (const text of others) assert.match(text, /skipped/);
	assert.equal(bench.sandbox.accepted().length, 1);
});

const toSegment = {
	...{ resource: 'email', operation: 'broadcastSegment', segment_id: 4711, testRuns: 'send' },
	...{ senderFrom: 'define', sender_name: 'Acme', sender_email: 'news@acme.example' },
	...{ serviceproviderID: 7, subject: 'Spring sale', campaign_name: 'Spring sale' },
	content: '<p>It begins today.</p>',
};

/** Execute step is clicked twice. */
newest('A second click on a broadcast sends nothing', secondClick);
export async function secondClick(bench: Bench): Promise<void> {
	const broadcast = messaging('Broadcast', toSegment);
	const stored = await bench.store('clicks', manualTrigger('By hand'), broadcast, noOp('Done'));
	const first = (await bench.byHand(stored)).succeeded();
	assert.deepEqual([first.arrivals.length, first.outcomes()], [1, ['accepted']]);
	const second = (await bench.byHand(stored)).succeeded();
	assert.deepEqual(second.arrivals, []);
	assert.deepEqual(second.values('Done', 'outcome', 'reason'), [['skipped', 'sentBefore']]);
	const says = /went out today already, and n8n cannot change or cancel it\. /;
	assert.match(second.hintText('Broadcast'), says);
}

/** n8n calls the mode of every retry `retry`, whether the first run was a test run or not. */
newest('The retry of a test run is still a test run', testRunStaysTestRun);
export async function testRunStaysTestRun(bench: Bench): Promise<void> {
	await withRowSource([], async (source) => {
		const nodes = [manualTrigger('By hand'), rowsFrom(source.url)];
		const stored = await bench.store(
			'retry-test-run',
			...nodes,
			messaging('Broadcast', pushToAll),
			noOp('Done'),
		);
		let last = await bench.byHand(stored);
		assert.equal(last.status, 'error');
		assert.ok(!last.hasRun('Broadcast'), 'the node before it failed');

		source.isDown = false;
		for (let retries = 0; last.status !== 'success' && retries < 2; retries++) {
			last = await bench.retry(last);
			assert.deepEqual(last.arrivals, [], 'the retry of a test run sends nothing');
			// The output says so, because nobody may think that the message was sent.
			if (last.status !== 'success') assert.match(last.failure, /by hand|test run/i);
			else assert.deepEqual(last.outcomes(), ['preview', 'preview', 'preview']);
		}
	});
}
