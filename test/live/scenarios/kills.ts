import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeJson, StoredWorkflow } from '../../../scripts/n8n/client';
import { makeRows, messaging, type Row } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { settableClock } from '../../faults/clock';
import { assertRecorded, open } from '../answering';
import {
	assertNobodyTwice,
	begin,
	call,
	ended,
	output,
	retry,
	runByWebhook,
	startUntil,
	usersOf,
	usersReached,
	withLatency,
	type Bench,
	type CrashableBench,
	type Run,
} from '../bench';
import { createForRows, createFromSource, goingOn, pushNode, replaceNode } from '../rows';
import { withRowSource, type RowSource } from '../rowSource';
import { withService } from '../services';
import { answerOf, ask, stillWaits } from './asking';

const options = { concurrency: 4 };
const ROWS = 60;
const KILLED_AFTER = 20;
/** The first hundred messages are claimed by so many. */
const MAX_IN_DOUBT = 10;
/** n8n writes what a stopped execution has done a moment after its status. */
const STORED_WITHIN_MS = 2_000;

const plain = pushNode({ options }, goingOn);
const keyed = (sendOnceKey: string) => pushNode({ options, sendOnce: true, sendOnceKey }, goingOn);

/** What the attempts before and after say and did agree, row by row. */
function assertTruth(
	what: string,
	users: readonly string[],
	{ killed, retried }: Attempts,
	reached: (run: Run) => string[] = usersReached,
): void {
	const [before, after] = [reached(killed), reached(retried)];
	assertNobodyTwice([...before, ...after]);
	const told = toldBy(retried);
	const inDoubt = told.filter((said) => said === 'unknown').length;
	say(`    ${what}: ${before.length} before, ${after.length} by the retry, ${inDoubt} unknown`);
	assert.ok(before.length < users.length, 'it was killed in the middle');
	assert.ok(inDoubt <= MAX_IN_DOUBT, `${inDoubt} are unknown`);
	const expected = users.map((user, row) => {
		if (told[row] === 'unknown') return 'unknown';
		return before.includes(user) ? 'accepted before' : 'accepted';
	});
	assert.deepEqual(told, expected, what);
	const missing = users.filter(
		(user, row) => told[row] !== 'unknown' && ![...before, ...after].includes(user),
	);
	assert.deepEqual(missing, [], 'everybody is reached or unknown');
}

interface Told {
	outcome: string;
	sentBefore?: boolean;
}

/** What an attempt says of each row: `accepted`, `accepted before`, or another outcome. */
function toldBy({ data }: Run): string[] {
	return output(data, 'Push').map(({ json }) => {
		const { outcome, sentBefore } = (json.details ?? json) as Told;
		return outcome === 'accepted' && sentBefore ? 'accepted before' : outcome;
	});
}

interface Attempts {
	killed: Run;
	retried: Run;
}

/** A workflow of which an attempt is killed in the middle, and then another one follows. */
interface Killing {
	path: string;
	/** Starts the attempt that is killed, and returns its id. */
	start: () => Promise<string>;
	/** The attempt after it. */
	again: (killed: Run) => Promise<Run>;
	check: (attempts: Attempts) => void;
}

/** Kills n8n once so many requests of each have arrived, and looks at what the next attempts do. */
async function killInTheMiddle(
	bench: CrashableBench,
	killings: Killing[],
	env?: NodeJS.ProcessEnv,
) {
	const { sandbox } = bench;
	const arrived = (path: string) =>
		sandbox.record.filter(({ rawBody }) => rawBody.includes(`"${path}-`));
	const ids = await withLatency(bench, 400, async () => {
		const started = await Promise.all(killings.map(async ({ start }) => await start()));
		while (killings.some(({ path }) => arrived(path).length < KILLED_AFTER)) await sleep(20);
		await bench.crash(env);
		return started;
	});
	for (const [index, { path, again, check }] of killings.entries()) {
		const killed = { ...(await ended(bench, ids[index] ?? '')), arrivals: arrived(path) };
		check({ killed, retried: await again(killed) });
	}
}

/** The first execution is killed, and its retry runs the workflow as it is then. */
async function firstKilled(
	bench: Bench,
	path: string,
	before: NodeJson,
	after: NodeJson,
	reached?: (run: Run) => string[],
): Promise<Killing> {
	const rows = makeRows(path, ROWS);
	const stored = await createForRows(bench, path, before, { saveExecutionProgress: true });
	return {
		path,
		start: async () => await call(bench, stored, { rows }),
		async again(killed) {
			await replaceNode(bench, stored, after);
			return await retry(bench, killed, true);
		},
		check: (attempts) => assertTruth(path, usersOf(rows), attempts, reached),
	};
}

/** An execution fails at the node before, its first retry is killed, and its second retry gets other rows. */
async function retryKilled(
	bench: Bench,
	source: RowSource,
	path: string,
	[rows, others]: [Row[], Row[]],
	check: Killing['check'],
	parameters: object = {},
): Promise<Killing> {
	// Some of these rows are the same on purpose.
	const more = { options: { ...options, sendDuplicates: true }, ...parameters };
	const url = `${source.url}${path}`;
	const stored = await createFromSource(bench, path, url, pushNode(more, goingOn));
	const first = await runByWebhook(bench, stored, {});
	assert.equal(first.status, 'error', 'the node before it failed');
	source.rowsAt[path] = rows;
	return {
		path,
		start: async () =>
			await begin(bench, stored.id, () => {
				// n8n responds when the retry has ended.
				bench.client.startRetry(first.id).catch(() => undefined);
			}),
		async again() {
			source.rowsAt[path] = others;
			return await retry(bench, first);
		},
		check,
	};
}

/** An attribute holds the time and the execution, so it differs in each attempt. */
const event = messaging(
	'Push',
	{
		resource: 'event',
		operation: 'track',
		event_name: 'Order Placed',
		userID: '={{ $json.userID }}',
		attributes: {
			assignments: [
				{
					id: '1',
					name: 'seen',
					value: '={{ $now.toISO() }} in {{ $execution.id }}',
					type: 'string',
				},
			],
		},
		options: { batchSize: 1, concurrency: 4 },
	},
	goingOn,
);
const tracked = ({ arrivals }: Run) =>
	arrivals
		.filter(({ accepted }) => accepted)
		.flatMap(({ body }) => usersOf((body as { nv: Array<{ userID: string }> }).nv));

/** The node before gives the rows another text each time it runs. Both the first and the last user have two orders. */
async function textsChange(
	bench: Bench,
	source: RowSource,
	path: string,
	once: object,
	days = 1,
): Promise<Killing> {
	const orders = Array.from({ length: ROWS }, (_, index) => `${path}-order-${index}`);
	const rows = (city: string): Row[] =>
		orders.map((order, index) => {
			const user = [1, ROWS - 1].includes(index) ? index - 1 : index;
			return { userID: `${path}-${user}`, city, ...{ order } };
		});
	const ordersIn = ({ arrivals }: Run) =>
		arrivals
			.filter(({ accepted }) => accepted)
			.map(({ body }) => (body as { url: string }).url.split('/').at(-1) ?? '');
	const check = (attempts: Attempts) => {
		assertTruth(path, orders, attempts, ordersIn);
		const seen = Object.values(attempts).flatMap(({ arrivals }: Run) =>
			arrivals.map(({ body }) => (body as { message: string }).message.split(' ').at(-1)),
		);
		assert.equal(new Set(seen).size, days, 'days');
	};
	return await retryKilled(bench, source, path, [rows('Soon'), rows('Now')], check, {
		...once,
		message: '={{ $json.city }} on {{ $today.toISODate() }}',
		url: '=https://shop.example.com/{{ $json.order }}',
	});
}

const byOrder = { sendOnce: true, sendOnceKey: '=order {{ $json.order }}' };

/**
 * In what follows a kill, the key is another one, Send Once is turned off or on, an attribute holds the time, the rows
 * come in another order with one more, or have other texts. And a question that was asked before can be answered.
 */
export async function killedInTheMiddle(crashable: CrashableBench): Promise<void> {
	await withService(crashable, async (bench) => {
		await withRowSource([], async (source) => {
			const others = makeRows('other-rows', ROWS + 1).reverse();
			const killings = [
				await firstKilled(bench, 'key-corrected', keyed('spring sale'), keyed('Spring sale')),
				await firstKilled(bench, 'once-turned-off', keyed('spring sale'), plain),
				await firstKilled(bench, 'once-turned-on', plain, keyed('spring sale')),
				await firstKilled(bench, 'killed-events', event, event, tracked),
				await retryKilled(
					bench,
					source,
					'other-rows',
					[makeRows('other-rows', ROWS), others],
					(attempts) => {
						assertTruth('other-rows', usersOf(others), attempts);
						assert.ok(usersReached(attempts.retried).includes(`other-rows-${ROWS}`));
					},
				),
				await severalToOne(bench, source),
				await textsChange(bench, source, 'texts-plain', {}),
				await textsChange(bench, source, 'texts-once', byOrder),
			];
			const asked = await ask(bench, 'ask-restart');
			await killInTheMiddle(bench, killings);

			await stillWaits(bench, asked);
			assert.match((await open(asked.link)).html, /5000 customers/);
			await assertRecorded(asked.link, 'approve');
			assert.deepEqual(await answerOf(bench, asked), { data: { approved: true } });
			const questions = bench.sandbox.record.filter(({ rawBody }) => rawBody.includes('5000'));
			assert.equal(questions.length, 1, 'the question was sent once');
		});
	});
}

/** The first user has a message that was sent before the kill, and one that was not. The last user has two that were not. */
async function severalToOne(bench: Bench, source: RowSource): Promise<Killing> {
	const path = 'several';
	const [first, last] = [`${path}-0`, `${path}-${ROWS - 1}`];
	const second = [first, last].map((userID) => ({ userID, city: 'A second message' }));
	const rows = [...makeRows(path, ROWS), ...second];
	return await retryKilled(bench, source, path, [rows, rows], ({ killed, retried }) => {
		const told = toldBy(retried);
		assert.deepEqual([told[0], told[ROWS]], ['unknown', 'unknown']);
		assert.deepEqual([told[ROWS - 1], told[ROWS + 1]], ['accepted', 'accepted']);
		const reached = [killed, retried].flatMap(usersReached);
		const countOf = (user: string) => reached.filter((one) => one === user).length;
		assert.deepEqual([countOf(first), countOf(last)], [1, 2], 'the other message is not sent');
		assertNobodyTwice(reached.filter((user) => user !== last));
	});
}

/** The retry comes the next day, which changes the key. */
export async function killedDayBefore(crashable: CrashableBench): Promise<void> {
	const clock = settableClock();
	await clock.set(24 * 3_600_000);
	try {
		await withService(crashable, async (bench) => {
			await withRowSource([], async (source) => {
				const ofDay = {
					sendOnce: true,
					sendOnceKey: `${byOrder.sendOnceKey} {{ $today.toISODate() }}`,
				};
				const killing = await textsChange(bench, source, 'next-day', ofDay, 2);
				// From 2.41 on, n8n evaluates expressions where the clock cannot be set.
				await killInTheMiddle(bench, [killing], { ...clock.env, N8N_EXPRESSION_ENGINE: 'legacy' });
			});
		});
	} finally {
		await clock.close();
		await crashable.crash();
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
		const started = await startUntil(bench, stored, { rows }, 9);
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
	const killed = await ended(bench, id);
	await replaceNode(bench, stored, keyed('Spring sale'));
	const retried = await retry(bench, killed, true);
	assertNobodyTwice([killed, retried].flatMap(usersReached));
	if (retried.data.resultData.runData.Push === undefined)
		return say(`    ${usersReached(killed).length} reached before; the retry runs no node`);
	assertTruth(path, usersOf(rows), { killed, retried });
}

const LIST = 150;
/** The maximum size of a chunk, and therefore the maximum in doubt after one run. */
const MAX_OF_CHUNK = 50;

/** Stop halfway, then SIGKILL halfway through the next run, then twice to the end. */
export async function sendOnceSurvives(bench: CrashableBench): Promise<void> {
	const { client, sandbox } = bench;
	const path = 'send-once';
	const rows = makeRows(path, LIST);
	const once = pushNode(
		{ sendOnce: true, sendOnceKey: 'spring sale' },
		{ onError: 'continueErrorOutput' },
	);
	const stored = await createForRows(bench, path, once);
	const reached: string[] = [];
	sandbox.reset();
	await withLatency(bench, 200, async () => {
		await client.stopExecution(await startUntil(bench, stored, { rows }, 70));
		await sleep(1_000);
		const stoppedAfter = sandbox.record.length;
		await startUntil(bench, stored, { rows }, stoppedAfter + 40);
		await bench.crash();
		reached.push(...usersReached({ arrivals: [...sandbox.record] }));
		say(`    ${stoppedAfter} requests before Stop, ${sandbox.record.length} before n8n was killed`);
	});

	const [third, fourth] = [await toEnd(bench, stored, rows), await toEnd(bench, stored, rows)];
	reached.push(...third.reached);
	assertNobodyTwice(reached);
	assert.deepEqual([third.failed, fourth.failed], [0, 0], 'what is in doubt is skipped');
	assert.deepEqual(fourth.inDoubt, third.inDoubt, 'each run names who is in doubt');
	say(`    the next run reached ${third.reached.length}, ${third.inDoubt.length} are in doubt`);
	assert.ok(third.inDoubt.length <= 2 * MAX_OF_CHUNK, `${third.inDoubt.length} are in doubt`);
	const known = new Set([...reached, ...third.inDoubt]);
	assert.deepEqual(
		usersOf(rows).filter((user) => !known.has(user)),
		[],
		'everyone is reached or named as in doubt',
	);
	assert.deepEqual(fourth.reached, [], 'nothing is left for the last run');
}

async function toEnd(bench: Bench, stored: StoredWorkflow, rows: Row[]) {
	const run = await runByWebhook(bench, stored, { rows });
	const items = output(run.data, 'Push');
	assert.equal(items.length, rows.length, 'each row has an item');
	return {
		reached: usersReached(run),
		failed: output(run.data, 'Push', 1).length,
		inDoubt: items
			.filter(({ json }) => json.outcome === 'skipped' && json.earlierOutcome === 'unknown')
			.map(({ json }) => String(json.user_id)),
	};
}
