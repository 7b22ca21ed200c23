import assert from 'node:assert/strict';
import { say } from '../../../scripts/steps';
import { makeRows, type Row } from '../../../scripts/n8n/workflows';
import {
	assertNobodyTwice,
	killRetryAfter,
	outcomesOf,
	retry,
	runByWebhook,
	usersReached,
	type CrashableBench,
	type Run,
} from '../bench';
import { startRowSource } from '../rowSource';
import { createFromSource, pushNode } from '../rows';

const options = { concurrency: 4 };
const ROWS = 60;
const KILLED_AFTER = 25;
/** The first hundred messages are claimed by so many. */
const MAX_IN_DOUBT = 10;

/** The node before gives other rows after the kill: in another order, with one more. */
export async function killedWithOtherRows(bench: CrashableBench): Promise<void> {
	const path = 'killed-other-rows';
	const rows = makeRows(path, ROWS);
	const others = makeRows(path, ROWS + 1).reverse();
	const { before, retried } = await retryAfterKill(bench, path, { rows, others });
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
	assert.deepEqual(toFirst, ['unknown', 'unknown']);
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
	{ rows, others }: { rows: Row[]; others: Row[] },
): Promise<AfterKill> {
	const source = await startRowSource(rows);
	try {
		// Some of these rows are the same on purpose.
		const more = { options: { ...options, sendDuplicates: true } };
		const push = pushNode(more, { onError: 'continueRegularOutput' });
		const stored = await createFromSource(bench, path, source.url, push);
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
