import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../../../scripts/steps';
import type { NodeJson } from '../../../scripts/n8n/client';
import { makeRows, messaging } from '../../../scripts/n8n/workflows';
import {
	assertNobodyTwice,
	assertSucceeded,
	failureText,
	killAfter,
	outcomesOf,
	output,
	retry,
	runByWebhook,
	startUntil,
	usersReached,
	withLatency,
	type Bench,
	type CrashableBench,
	type Run,
} from '../bench';
import { startChatModel } from '../chatModel';
import { example, withNode } from '../examples';
import { createForRows, createInLoop, pushNode, replaceNode } from '../rows';
import { askInChat } from './aiAgent';

const options = { concurrency: 4 };
const ROWS = 60;
const KILLED_AFTER = 25;
/** The first hundred messages are claimed by so many. */
const MAX_IN_DOUBT = 10;
/** n8n writes what a stopped execution has done a moment after its status. */
const STORED_WITHIN_MS = 2_000;

const goingOn = { onError: 'continueRegularOutput' };
const keyed = (sendOnceKey: string) => pushNode({ options, sendOnce: true, sendOnceKey }, goingOn);

/** What the attempts before and after say and did agree, row by row. */
export function assertTruth(
	what: string,
	users: readonly string[],
	before: readonly string[],
	retried: Run,
	reached: (run: Run) => string[] = usersReached,
): void {
	const after = reached(retried);
	assertNobodyTwice([...before, ...after]);
	const told = output(retried.data, 'Push').map(({ json }) => (json.details ?? json) as Told);
	const inDoubt = told.filter(({ outcome }) => outcome === 'unknown');
	say(
		`    ${what}: ${before.length} of ${users.length} before, ${after.length} by the retry, ${inDoubt.length} unknown`,
	);
	assert.ok(inDoubt.length <= MAX_IN_DOUBT, `${inDoubt.length} are unknown`);
	const expected = users.map((user, row) => {
		if (told[row]?.outcome === 'unknown') return 'unknown';
		return before.includes(user) ? 'accepted before' : 'accepted';
	});
	assert.deepEqual(
		told.map(({ outcome, sentBefore }) =>
			outcome === 'accepted' && sentBefore ? 'accepted before' : outcome,
		),
		expected,
	);
	const missing = users.filter(
		(user, row) => expected[row] !== 'unknown' && ![...before, ...after].includes(user),
	);
	assert.deepEqual(missing, [], 'everybody is reached or unknown');
}

interface Told {
	outcome: string;
	sentBefore?: boolean;
}

/** The key is another one in the retry, or Send Once is turned off or on. */
export async function killedWithOtherKeys(bench: CrashableBench): Promise<void> {
	const plain = pushNode({ options }, goingOn);
	const cases: Array<[string, NodeJson, NodeJson]> = [
		['key-corrected', keyed('spring sale'), keyed('Spring sale')],
		['once-turned-off', keyed('spring sale'), plain],
		['once-turned-on', plain, keyed('spring sale')],
	];
	for (const [path, before, after] of cases) {
		const rows = makeRows(path, ROWS);
		const stored = await createForRows(bench, path, before, { saveExecutionProgress: true });
		const killed = await killAfter(bench, stored, path, { rows }, KILLED_AFTER);
		await replaceNode(bench, stored, after);
		const retried = await retry(bench, killed, true);
		assertTruth(path, usersOf(rows), usersReached(killed), retried);
	}
}

/** n8n 1.123 and 2.8 do not run a stopped node again. */
export async function stoppedWithOtherKey(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const path = 'stopped-key-corrected';
	const rows = makeRows(path, 30);
	const stored = await createForRows(bench, path, keyed('spring sale'));
	sandbox.reset();
	const id = await withLatency(bench, 1_000, async () => {
		const started = await startUntil(bench, stored, path, { rows }, 9);
		await client.stopExecution(started);
		await client.finished(started);
		return started;
	});
	// Until then, a retry of n8n 1.123 has no memory, and is refused. n8n 2.41 stores only that it was cancelled.
	for (const endMs = Date.now() + 20_000; Date.now() < endMs; await sleep(50)) {
		const { runData, error } = (await client.execution(id)).data.resultData;
		if (runData['Each row'] ?? error) break;
	}
	await sleep(STORED_WITHIN_MS);
	const stopped = { id, ...(await client.execution(id)), arrivals: [...sandbox.record] };
	await replaceNode(bench, stored, keyed('Spring sale'));
	const retried = await retry(bench, stopped, true);
	assertNobodyTwice([...usersReached(stopped), ...usersReached(retried)]);
	if (retried.data.resultData.runData.Push === undefined)
		return say(`    ${usersReached(stopped).length} reached before; the retry runs no node`);
	assertTruth(path, usersOf(rows), usersReached(stopped), retried);
}

/** An attribute holds the time and the execution, so it differs in each attempt. */
export async function killedEventsWithTime(bench: CrashableBench): Promise<void> {
	const path = 'killed-events';
	const rows = makeRows(path, ROWS);
	const value = '={{ $now.toISO() }} in {{ $execution.id }}';
	const event = messaging(
		'Push',
		{
			resource: 'event',
			operation: 'track',
			event_name: 'Order Placed',
			userID: '={{ $json.userID }}',
			attributes: { assignments: [{ id: '1', name: 'seen', value, type: 'string' }] },
			options: { batchSize: 1, concurrency: 4 },
		},
		goingOn,
	);
	const stored = await createForRows(bench, path, event, { saveExecutionProgress: true });
	const killed = await killAfter(bench, stored, path, { rows }, KILLED_AFTER);
	const tracked = ({ arrivals }: Pick<Run, 'arrivals'>) =>
		arrivals
			.filter(({ accepted }) => accepted)
			.flatMap(({ body }) => (body as { nv: Array<{ userID: string }> }).nv)
			.map(({ userID }) => userID);
	const retried = await retry(bench, killed, true);
	assertTruth(path, usersOf(rows), tracked(killed), retried, tracked);
}

/** The model calls the tool for two people at once, then twice for the same, and then once more after an answer. */
export async function agentAtOnce(bench: Bench): Promise<void> {
	const TOOL = 'Send push to one user';
	const words = { title: 'Back in stock', message: 'The running shoes are here again.' };
	const model = await startChatModel();
	const type = 'openAiApi';
	const data = { apiKey: 'none', url: model.url };
	const { id } = await bench.client.createCredential({ name: 'Two at once', type, data });
	const ready = withNode(example(bench, 'ai-agent-messages-one-user.json'), 'OpenAI Chat Model', {
		credentials: { [type]: { id, name: 'Two at once' } },
	});
	const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
	try {
		for (const turns of [
			[['agent-1', 'agent-2']],
			[['agent-3', 'agent-3']],
			[['agent-4'], ['agent-4']],
		]) {
			const users = turns.flat();
			model.play(
				turns.map((turn) => ({ callTools: turn.map((user_id) => ({ user_id, ...words })) })),
			);
			bench.sandbox.reset();
			const run = await withLatency(
				bench,
				300,
				async () => await askInChat(bench, withNode(ready, TOOL, again)),
			);
			assertSucceeded(run);
			assert.deepEqual(usersReached(run).sort(), [...new Set(users)]);
			const told = model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
			assert.equal(told.length, 2);
			for (const { content } of told) assert.match(JSON.stringify(content), /accepted/);
		}
	} finally {
		await model.close();
	}
}

/** With Stop Workflow, one lost answer in the second round. */
export async function loopGoesOn(bench: Bench): Promise<void> {
	const path = 'loop-goes-on';
	const rows = makeRows(path, 20);
	const stored = await createInLoop(bench, path, pushNode({ options: { concurrency: 1 } }), 4);
	const first = await runByWebhook(bench, stored, path, { rows }, ({ faults }) =>
		faults.add({ kind: 'resetAfterAccept', match: { bodyText: `${path}-7` }, first: 1 }),
	);
	assert.equal(first.status, 'error');
	assert.doesNotMatch(failureText(first), /Nothing is left to send/);
	const retried = await retry(bench, first);
	assertSucceeded(retried);
	const reached = [...usersReached(first), ...usersReached(retried)];
	assert.deepEqual(reached.sort(), usersOf(rows).sort(), 'everybody is reached once');
	assert.deepEqual(
		outcomesOf(retried, 'Done').filter((outcome) => outcome !== 'accepted'),
		['unknown'],
	);
}

/** A node that was cut and pasted has another ID, and its notes lie elsewhere. */
export async function pastedNode(bench: Bench): Promise<void> {
	const path = 'pasted';
	const rows = makeRows(path, 12);
	const push = pushNode({ options: { concurrency: 1 } });
	const stored = await createForRows(bench, path, push);
	const refuse = (row: number) =>
		bench.sandbox.faults.add({
			kind: 'status',
			status: 404,
			match: { bodyText: `${path}-${row}"` },
			first: 1,
		});
	const first = await runByWebhook(bench, stored, path, { rows }, () => refuse(4));
	refuse(8);
	const second = await retry(bench, first);
	await replaceNode(bench, stored, { ...push, id: 'pasted-push' });
	const third = await retry(bench, first, true);
	assert.deepEqual(third.arrivals, []);
	assert.match(failureText(third), /^Nothing more was sent: .*node/);
	await replaceNode(bench, stored, push);
	const last = await retry(bench, first, true);
	assertSucceeded(last);
	const reached = [first, second, last].flatMap(usersReached);
	assert.deepEqual(reached.sort(), usersOf(rows).sort(), 'everybody is reached once');
}

const usersOf = (rows: ReadonlyArray<{ userID: string }>) => rows.map(({ userID }) => userID);
