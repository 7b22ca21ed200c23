import assert from 'node:assert/strict';
import { say } from '../../../scripts/steps';
import { makeRows, type Row } from '../../../scripts/n8n/workflows';
import {
	assertNobodyTwice,
	failureText,
	killAfter,
	killRetryAfter,
	outcomesOf,
	retry,
	runByWebhook,
	usersReached,
	type CrashableBench,
	type Run,
} from '../bench';
import { startRowSource } from '../row-source';
import { createForRows, createFromSource, pushNode, replaceNode } from '../rows';

const options = { concurrency: 4 };
const ROWS = 60;
const KILLED_AFTER = 25;
/** The first hundred messages are claimed by so many. */
const MAX_IN_DOUBT = 10;

/** The node before gives other rows after the kill: in another order, with one more. */
export async function killedWithOtherRows(bench: CrashableBench): Promise<void> {
	await otherRows(bench, 'killed-other-rows');
}

/** The same where the node runs once for ten rows at a time. */
export async function killedInLoopWithOtherRows(bench: CrashableBench): Promise<void> {
	await otherRows(bench, 'killed-loop-rows', 10);
}

async function otherRows(bench: CrashableBench, path: string, batchSize?: number): Promise<void> {
	const rows = makeRows(path, ROWS);
	const others = makeRows(path, ROWS + 1).reverse();
	const { before, retried } = await retryAfterKill(bench, path, { rows, others, batchSize });
	const after = usersReached(retried);
	const outcomes = outcomesOf(retried);
	const unknown = others.filter((_, index) => outcomes[index] === 'unknown');
	say(
		`    ${before.length} of ${ROWS} reached before n8n was killed, ${after.length} of ${others.length} by the retry, ${unknown.length} unknown`,
	);
	assertNobodyTwice([...before, ...after]);
	const accounted = new Set([...before, ...after, ...unknown.map(({ userID }) => userID)]);
	assert.deepEqual(
		others.filter(({ userID }) => !accounted.has(userID)),
		[],
		'everybody is reached or unknown',
	);
	assert.ok(after.includes(`${path}-${ROWS}`), 'the row that is new is sent');
	assert.ok(unknown.length <= MAX_IN_DOUBT, `${unknown.length} are unknown`);
	assert.equal(
		outcomes.filter((outcome) => outcome === 'accepted').length,
		others.length - unknown.length,
	);
}

/** The first user has a message that was sent before the kill, and one that was not. The last user has two that were not. */
export async function severalToOneRecipient(bench: CrashableBench): Promise<void> {
	const path = 'killed-several';
	const single = makeRows(path, ROWS);
	const [first, last] = [`${path}-0`, `${path}-${ROWS - 1}`];
	const second = [first, last].map((userID) => ({ userID, city: 'A second message' }));
	const rows = [...single, ...second];
	const { before, retried } = await retryAfterKill(bench, path, { rows, others: rows });
	const after = usersReached(retried);
	const outcomes = outcomesOf(retried);
	const toFirst = [outcomes[0], outcomes[ROWS]];
	const toLast = [outcomes[ROWS - 1], outcomes[ROWS + 1]];
	say(
		`    ${before.length} of ${rows.length} reached before n8n was killed, ${after.length} by the retry; of two messages, one sent before: ${toFirst.join(', ')}; none sent before: ${toLast.join(', ')}`,
	);
	assert.deepEqual(toFirst, ['accepted', 'unknown']);
	assert.deepEqual(toLast, ['accepted', 'accepted']);
	const countOf = (user: string) => [...before, ...after].filter((one) => one === user).length;
	assert.equal(countOf(first), 1, 'the other message is not sent');
	assert.equal(countOf(last), 2);
	assertNobodyTwice([...before, ...after].filter((user) => user !== last));
}

interface AfterKill {
	/** Whom the killed attempt reached. */
	before: string[];
	/** The attempt after it. */
	retried: Run;
}

/**
 * An execution fails at the node before, its first retry is killed in the middle, and its second retry gets other rows.
 */
async function retryAfterKill(
	bench: CrashableBench,
	path: string,
	{ rows, others, batchSize }: { rows: Row[]; others: Row[]; batchSize?: number },
): Promise<AfterKill> {
	const source = await startRowSource(rows);
	try {
		const push = pushNode({ options }, { onError: 'continueRegularOutput' });
		const stored = await createFromSource(bench, path, source.url, push, batchSize);
		const first = await runByWebhook(bench, stored, path, {});
		assert.equal(first.status, 'error', 'the node before it failed');
		source.isDown = false;
		const killed = await killRetryAfter(bench, stored, first, KILLED_AFTER);
		source.rows = others;
		return { before: usersReached(killed), retried: await retry(bench, first) };
	} finally {
		await source.close();
	}
}

/** Without Send Once, the retry would know nothing of what was sent under keys. */
export async function turnedOffForRetry(bench: CrashableBench): Promise<void> {
	const path = 'once-off-for-retry';
	const rows = makeRows(path, ROWS);
	const on = pushNode({ options, sendOnce: true, sendOnceKey: 'spring sale' });
	const stored = await createForRows(bench, path, on, { saveExecutionProgress: true });
	const killed = await killAfter(bench, stored, path, { rows }, KILLED_AFTER);
	const before = usersReached(killed);

	await replaceNode(bench, stored, pushNode({ options }));
	const turnedOff = await retry(bench, killed, true);
	const refusal = failureText(turnedOff);
	assert.deepEqual(turnedOff.arrivals, []);
	assert.match(refusal, /had Send Once on[^]*Turn on Send Once again and retry/);

	await replaceNode(bench, stored, on);
	const turnedOn = await retry(bench, killed, true);
	const reached = [...before, ...usersReached(turnedOn)];
	say(
		`    ${before.length} reached before n8n was killed, ${usersReached(turnedOff).length} with Send Once off: ${refusal.split('\n')[0]}; ${reached.length} of ${ROWS} after it was turned on again`,
	);
	assertNobodyTwice(reached);
	assert.ok(reached.length >= ROWS - MAX_IN_DOUBT, `${reached.length} are reached`);
	if (reached.length < ROWS)
		assert.match(failureText(turnedOn), /may or may not have been delivered/);
}
