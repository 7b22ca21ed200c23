import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../scripts/n8n/ports';
import { makeRows, editFields, eachRow, manualTrigger } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { pushNode, goingOn } from '../nodes';
import { assertRecorded, open, WaitingQuestion } from '../question';
import { assertNobodyTwice, usersOf, usersReached } from '../run';
import { everywhere, nightlyWaiting, nightly } from '../scenario';

const WITHIN_MS = 1_000;

/** Stop in the middle of 300 sends, each of which takes the service 400 ms, and then a retry of what was stopped. */
everywhere('Stop in the middle of 300 sends takes effect within a second', async (bench) => {
	const { client, sandbox } = bench;
	const rows = makeRows('stop', 300);
	const stored = await bench.forRows('stopped', pushNode());
	sandbox.reset();
	await bench.withLatency(400, async () => {
		const id = await bench.startUntil(stored, { rows }, 60);
		const stoppedAt = Date.now();
		await client.stopExecution(id);
		await sleep(3 * WITHIN_MS);

		const last = Math.max(...sandbox.record.map(({ time }) => time)) - stoppedAt;
		const sent = sandbox.record.length;
		say(`    ${sent} of 300 had been sent; the last one ${last} ms after Stop was asked for`);
		assert.ok(last <= WITHIN_MS, `a request arrived ${last} ms after Stop`);
		assert.ok(sent < rows.length / 2, `${sent} were sent`);
		const stopped = await bench.ended(id);
		assert.equal(stopped.status, 'canceled');
		// Only some versions run a stopped node again.
		await bench.retry(stopped);
		const bodies = sandbox.record.map(({ rawBody }) => rawBody);
		assert.equal(bodies.length, new Set(bodies).size, 'none of them twice');
	});
});

/**
 * n8n's Timeout Workflow ends a run in the middle: no items, no error, and a Retry that runs nothing. What remains is
 * the line in the log.
 */
nightlyWaiting(
	'Timeout Workflow ends a run, and the log tells',
	async (crashable) =>
		await crashable.withService(async (bench) => {
			const { sandbox } = bench;
			const rows = makeRows('timeout', 400);
			const push = pushNode({ options: { concurrency: 10 } });
			const stored = await bench.forRows('timed-out', push, { executionTimeout: 6 });
			const run = await bench.withLatency(400, async () => await bench.run(stored, { rows }));
			const stopped = new RegExp(
				`execution ${run.id}: The run was stopped, [^]* Accepted: (\\d+) of 400\\.[^]*\\nNot sent: (\\d+), items`,
			);
			// n8n ends the execution before the node does, on a busy machine long before.
			for (let tries = 0; tries < 30 && !stopped.test(bench.readLog()); tries++)
				await sleep(WITHIN_MS);
			const line = stopped.exec(bench.readLog());
			const pushes = () =>
				sandbox.record.filter(({ body }) => Object.hasOwn(body as object, 'user_id'));
			const reached = pushes().length;
			say(`    ${reached} of ${rows.length} were reached`);
			assert.ok(reached > 0 && reached < rows.length);
			assert.equal(run.status, 'canceled');
			assert.ok(!run.hasRun('Push'), 'n8n keeps no items');
			assert.ok(line, 'the log names what was not reached');
			// What was in flight may not have arrived.
			const left = rows.length - reached;
			assert.ok(Number(line[2]) <= left && Number(line[2]) >= left - 10, line[0]);

			const retried = (await bench.retry(run)).succeeded();
			assert.ok(!retried.hasRun('Push'), 'the retry runs nothing');
			assert.equal(pushes().length, reached, 'the retry sends nothing');
		}),
);

const KILLED_ROWS = 60;
/** The first hundred messages are claimed by so many. */
const MAX_IN_DOUBT = 10;

const keyed = (sendOnceKey: string) =>
	pushNode({ options: { concurrency: 4 }, sendOnce: true, sendOnceKey }, goingOn);

/** n8n is killed while an execution sends, whose key is corrected then. A question asked before can be answered. */
nightly('After a kill, a corrected retry reaches nobody twice', async (crashable) => {
	const rows = makeRows('killed', KILLED_ROWS);
	const users = usersOf(rows);
	await crashable.withService(async (bench) => {
		const settings = { saveExecutionProgress: true };
		const stored = await bench.forRows('killed', keyed('spring sale'), settings);
		const asked = await WaitingQuestion.ask(bench, 'ask-restart');
		const id = await bench.withLatency(400, async () => {
			const killed = await bench.startUntil(stored, { rows }, KILLED_ROWS / 3);
			await bench.crash();
			return killed;
		});
		const ended = await bench.ended(id);
		const before = usersReached(bench.sandbox.record).filter((user) => users.includes(user));
		await bench.replaceNode(stored, keyed('Spring sale'));
		const retried = await bench.retry(ended, true);
		const after = retried.reached;
		assertNobodyTwice([...before, ...after]);
		const told = retried.told().map(([, said]) => (said.startsWith('unknown') ? 'unknown' : said));
		const inDoubt = told.filter((said) => said === 'unknown').length;
		say(`    ${before.length} before, ${after.length} by the retry, ${inDoubt} unknown`);
		assert.ok(before.length < KILLED_ROWS, 'it was ended in the middle');
		assert.ok(inDoubt <= MAX_IN_DOUBT, `${inDoubt} are unknown`);
		const expected = users.map((user, row) => {
			if (told[row] === 'unknown') return 'unknown';
			assert.ok([...before, ...after].includes(user), 'everybody is reached or unknown');
			return before.includes(user) ? 'accepted before' : 'accepted';
		});
		assert.deepEqual(told, expected);

		await asked.assertWaits();
		assert.match((await open(asked.link)).html, /5000 customers/);
		await assertRecorded(asked.link, 'approve');
		await asked.assertAnswer({ approved: true });
		const questions = bench.sandbox.record.filter(({ rawBody }) => rawBody.includes('5000'));
		assert.equal(questions.length, 1, 'the question was sent once');
	});
});

nightlyWaiting('A run by hand names a wrong address within half a minute', async (bench) => {
	const own = await bench.at({ pushUrl: `http://127.0.0.1:${await freePort()}` });
	const jsonOutput = JSON.stringify({ body: { rows: makeRows('wrong-address', 60) } });
	const rows = editFields('Rows', { mode: 'raw', jsonOutput, options: {} });
	const push = pushNode({}, goingOn);
	const stored = await own.store('wrong-address', manualTrigger('By hand'), rows, eachRow, push);
	const startedMs = Date.now();
	const run = await own.ended(await own.client.runByHand(stored, 'By hand'));
	const seconds = (Date.now() - startedMs) / 1_000;
	say(`    told after ${seconds.toFixed(1)} s`);
	// It waits for half a minute, and a busy machine is slow.
	assert.ok(seconds < 50, `it took ${seconds} s`);
	assert.deepEqual(run.outcomes('Push'), Array(60).fill('notSent'));
	for (const [error, details] of run.values('Push', 'error', 'details')) {
		const { description } = details as { description: string };
		assert.match(String(error), /^No connection to /);
		assert.match(description, /start the workflow again with the items/);
		assert.doesNotMatch(description, /retry/i);
	}
});
