import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRows } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { goingOn, pushNode } from '../nodes';
import { assertRecorded, open, WaitingQuestion } from '../question';
import { withRowSource } from '../rowSource';
import { assertNobodyTwice, usersOf, usersReached, type Run } from '../run';
import { nightly } from '../scenario';

const options = { concurrency: 4 };
const ROWS = 60;
const KILLED_AFTER = 20;
/** The first hundred messages are claimed by so many. */
const MAX_IN_DOUBT = 10;

const keyed = (sendOnceKey: string) => pushNode({ options, sendOnce: true, sendOnceKey }, goingOn);

/** What an attempt did, and the next one says and did, agree row by row. */
function assertTruth(what: string, users: readonly string[], before: string[], next: Run): void {
	const after = next.reached;
	assertNobodyTwice([...before, ...after]);
	const told = next.told().map(([, said]) => (said.startsWith('unknown') ? 'unknown' : said));
	const inDoubt = told.filter((said) => said === 'unknown').length;
	say(`    ${what}: ${before.length} before, ${after.length} by the retry, ${inDoubt} unknown`);
	assert.ok(before.length < users.length, 'it was ended in the middle');
	assert.ok(inDoubt <= MAX_IN_DOUBT, `${inDoubt} are unknown`);
	const expected = users.map((user, row) => {
		if (told[row] === 'unknown') return 'unknown';
		assert.ok([...before, ...after].includes(user), 'everybody is reached or unknown');
		return before.includes(user) ? 'accepted before' : 'accepted';
	});
	assert.deepEqual(told, expected, what);
}

/**
 * n8n is killed while an execution sends, whose key is corrected then, and the retry of another one, whose rows come in
 * another order then, with one more and with another text. A question that was asked before can be answered.
 */
nightly('After a kill, corrected retries reach nobody twice', async (crashable) => {
	const others = makeRows('rows', ROWS + 1).reverse();
	const rows = makeRows('key', ROWS);
	await crashable.withService(async (bench) => {
		await withRowSource(makeRows('rows', ROWS), async (source) => {
			const settings = { saveExecutionProgress: true };
			const corrected = await bench.forRows('killed-key', keyed('spring sale'), settings);
			const push = pushNode({ options, message: '={{ $execution.id }}' }, goingOn);
			const fetching = await bench.fromSource('killed-rows', source.url, push);
			const failed = await bench.run(fetching, {});
			assert.equal(failed.status, 'error', 'the node before it failed');
			source.isDown = false;
			const asked = await WaitingQuestion.ask(bench, 'ask-restart');

			const sent = (name: string) =>
				bench.sandbox.record.filter(({ rawBody }) => rawBody.includes(`"${name}-`));
			const ids = await bench.withLatency(400, async () => {
				const ofKey = await bench.call(corrected, { rows });
				const ofRows = await bench.begin(fetching.id, () => {
					// n8n responds when the retry has ended.
					bench.client.startRetry(failed.id).catch(() => undefined);
				});
				while (Math.min(sent('key').length, sent('rows').length) < KILLED_AFTER) await sleep(20);
				await bench.crash();
				return { ofKey, ofRows };
			});

			const ofKey = await bench.ended(ids.ofKey);
			const beforeByKey = usersReached(sent('key'));
			await bench.replaceNode(corrected, keyed('Spring sale'));
			assertTruth('another key', usersOf(rows), beforeByKey, await bench.retry(ofKey, true));
			await bench.ended(ids.ofRows);
			const beforeByRows = usersReached(sent('rows'));
			source.rows = others;
			const again = await bench.retry(failed);
			assertTruth('other rows', usersOf(others), beforeByRows, again);
			assert.ok(again.reached.includes(`rows-${ROWS}`), 'the row that is new is sent');

			await asked.assertWaits();
			assert.match((await open(asked.link)).html, /5000 customers/);
			await assertRecorded(asked.link, 'approve');
			await asked.assertAnswer({ approved: true });
			const questions = bench.sandbox.record.filter(({ rawBody }) => rawBody.includes('5000'));
			assert.equal(questions.length, 1, 'the question was sent once');
		});
	});
});
