import assert from 'node:assert/strict';
import { makeRows } from '../../../scripts/n8n/workflows';
import { say } from '../../../scripts/steps';
import { goingOn, pushNode } from '../nodes';
import { assertRecorded, open, WaitingQuestion } from '../question';
import { assertNobodyTwice, usersOf, usersReached } from '../run';
import { nightly } from '../scenario';

const ROWS = 60;
/** The first hundred messages are claimed by so many. */
const MAX_IN_DOUBT = 10;

const keyed = (sendOnceKey: string) =>
	pushNode({ options: { concurrency: 4 }, sendOnce: true, sendOnceKey }, goingOn);

/** n8n is killed while an execution sends, whose key is corrected then. A question asked before can be answered. */
nightly('After a kill, a corrected retry reaches nobody twice', async (crashable) => {
	const rows = makeRows('killed', ROWS);
	const users = usersOf(rows);
	await crashable.withService(async (bench) => {
		const settings = { saveExecutionProgress: true };
		const stored = await bench.forRows('killed', keyed('spring sale'), settings);
		const asked = await WaitingQuestion.ask(bench, 'ask-restart');
		const id = await bench.withLatency(400, async () => {
			const killed = await bench.startUntil(stored, { rows }, ROWS / 3);
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
		assert.ok(before.length < ROWS, 'it was ended in the middle');
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
