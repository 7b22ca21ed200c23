import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { makeRows, type Row } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
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
	toldOf,
	usersOf,
	usersReached,
	withLatency,
	type Bench,
	type CrashableBench,
	type Run,
} from '../bench';
import {
	createForRows,
	createFromSource,
	goingOn,
	pushNode,
	replaceNode,
	withErrorOutput,
} from '../rows';
import { withRowSource } from '../rowSource';
import { withService } from '../services';
import { answerOf, ask, stillWaits } from './asking';

const options = { concurrency: 4 };
const ROWS = 60;
const KILLED_AFTER = 20;
/** The first hundred messages are claimed by so many. */
const MAX_IN_DOUBT = 10;

const keyed = (sendOnceKey: string) => pushNode({ options, sendOnce: true, sendOnceKey }, goingOn);

/** What an attempt and the next one say and did agree, row by row. */
function assertTruth(what: string, users: readonly string[], first: Run, next: Run): void {
	const [before, after] = [usersReached(first), usersReached(next)];
	assertNobodyTwice([...before, ...after]);
	const told = toldOf(next).map(([, said]) => (said.startsWith('unknown') ? 'unknown' : said));
	const inDoubt = told.filter((said) => said === 'unknown').length;
	say(`    ${what}: ${before.length} before, ${after.length} by the retry, ${inDoubt} unknown`);
	assert.ok(before.length < users.length, 'it was ended in the middle');
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

/**
 * n8n is killed while an execution sends, whose key is corrected then, and the retry of another one, whose rows come in
 * another order then, with one more and with another text. A question that was asked before can be answered.
 */
export async function killedInTheMiddle(crashable: CrashableBench): Promise<void> {
	await withService(crashable, async (bench) => {
		const [rows, others] = [makeRows('key', ROWS), makeRows('rows', ROWS + 1).reverse()];
		await withRowSource(makeRows('rows', ROWS), async (source) => {
			const corrected = await createForRows(bench, 'killed-key', keyed('spring sale'), {
				saveExecutionProgress: true,
			});
			const push = pushNode({ options, message: '={{ $execution.id }}' }, goingOn);
			const fetching = await createFromSource(bench, 'killed-rows', source.url, push);
			const failed = await runByWebhook(bench, fetching, {});
			assert.equal(failed.status, 'error', 'the node before it failed');
			source.isDown = false;
			const asked = await ask(bench, 'ask-restart');

			const sent = (name: string) =>
				bench.sandbox.record.filter(({ rawBody }) => rawBody.includes(`"${name}-`));
			const ids = await withLatency(bench, 400, async () => {
				const keyId = await call(bench, corrected, { rows });
				const rowsId = await begin(bench, fetching.id, () => {
					// n8n responds when the retry has ended.
					bench.client.startRetry(failed.id).catch(() => undefined);
				});
				while (Math.min(sent('key').length, sent('rows').length) < KILLED_AFTER) await sleep(20);
				await bench.crash();
				return { keyId, rowsId };
			});

			const ofKey = { ...(await ended(bench, ids.keyId)), arrivals: sent('key') };
			await replaceNode(bench, corrected, keyed('Spring sale'));
			assertTruth('another key', usersOf(rows), ofKey, await retry(bench, ofKey, true));
			const ofRows = { ...(await ended(bench, ids.rowsId)), arrivals: sent('rows') };
			source.rows = others;
			const again = await retry(bench, failed);
			assertTruth('other rows', usersOf(others), ofRows, again);
			assert.ok(usersReached(again).includes(`rows-${ROWS}`), 'the row that is new is sent');

			await stillWaits(bench, asked);
			assert.match((await open(asked.link)).html, /5000 customers/);
			await assertRecorded(asked.link, 'approve');
			assert.deepEqual(await answerOf(bench, asked), { data: { approved: true } });
			const questions = bench.sandbox.record.filter(({ rawBody }) => rawBody.includes('5000'));
			assert.equal(questions.length, 1, 'the question was sent once');
		});
	});
}

const LIST = 150;
/** The maximum size of a chunk, and therefore the maximum in doubt after one run. */
const MAX_OF_CHUNK = 50;

/** Stop halfway, then SIGKILL halfway through the next run, then twice to the end. */
export async function sendOnceSurvives(bench: CrashableBench): Promise<void> {
	const { client, sandbox } = bench;
	const path = 'send-once';
	const rows = makeRows(path, LIST);
	const once = pushNode({ sendOnce: true, sendOnceKey: 'spring sale' }, withErrorOutput);
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
