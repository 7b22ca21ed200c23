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
import { newest } from '../scenario';

const toWeb = { ...pushToAll, platforms: ['web'], maxBroadcasts: 500 };
const nameAndDate = { sendOnce: true, sendOnceKey: '=Spring sale {{ $today.toISODate() }}' };

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
