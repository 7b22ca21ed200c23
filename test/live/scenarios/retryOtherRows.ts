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
import { settableClock } from '../../faults/clock';
import { startRowSource } from '../rowSource';
import { createFromSource, pushNode } from '../rows';
import { assertTruth } from './secondTries';

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

const DAY_MS = 24 * 3_600_000;
const order = 'order {{ $json.order }}';

/**
 * The node before gives the rows another text each time it runs, once without Send Once and once with it. Then the
 * retry comes the next day, which changes the key. Both the first and the last user have two orders.
 */
export async function killedWithOtherTexts(bench: CrashableBench): Promise<void> {
	const clock = settableClock();
	// From 2.41 on, n8n evaluates expressions where the clock cannot be set.
	const tomorrow = { ...clock.env, N8N_EXPRESSION_ENGINE: 'legacy' };
	const cases: Array<[path: string, once: object, env?: NodeJS.ProcessEnv]> = [
		['texts-plain', {}],
		['texts-once', { sendOnce: true, sendOnceKey: `=${order}` }],
		['next-day', { sendOnce: true, sendOnceKey: `=${order} {{ $today.toISODate() }}` }, tomorrow],
	];
	await clock.set(DAY_MS);
	try {
		for (const [path, once, env] of cases) {
			const orders = Array.from({ length: ROWS }, (_, index) => `${path}-order-${index}`);
			const rows = (text: string) =>
				orders.map((name, index) => {
					const user = [1, ROWS - 1].includes(index) ? index - 1 : index;
					return { userID: `${path}-${user}`, city: text, order: name };
				});
			const parameters = {
				...once,
				message: '={{ $json.city }} on {{ $today.toISODate() }}',
				url: '=https://shop.example.com/{{ $json.order }}',
			};
			const ordersIn = ({ arrivals }: Pick<Run, 'arrivals'>) =>
				arrivals
					.filter(({ accepted }) => accepted)
					.map(({ body }) => (body as { url: string }).url.split('/').at(-1) ?? '');
			const given = { rows: rows('Soon'), others: rows('Now') };
			const crashing = { ...bench, crash: async () => await bench.crash(env) };
			const { killed, retried } = await retryAfterKill(crashing, path, given, parameters);
			assertTruth(path, orders, ordersIn(killed), retried, ordersIn);
			const days = [killed, retried].flatMap(({ arrivals }) =>
				arrivals.map(({ body }) => (body as { message: string }).message.split(' ').at(-1)),
			);
			assert.equal(new Set(days).size, env ? 2 : 1, 'the day is another one');
		}
	} finally {
		await clock.close();
		await bench.crash();
	}
}

interface AfterKill {
	killed: Run;
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
	parameters: object = {},
): Promise<AfterKill> {
	const source = await startRowSource(rows);
	try {
		// Some of these rows are the same on purpose.
		const more = { options: { ...options, sendDuplicates: true } };
		const push = pushNode({ ...more, ...parameters }, { onError: 'continueRegularOutput' });
		const stored = await createFromSource(bench, path, source.url, push);
		const first = await runByWebhook(bench, stored, path, {});
		assert.equal(first.status, 'error', 'the node before it failed');
		source.isDown = false;
		const killed = await killRetryAfter(bench, stored, first, KILLED_AFTER);
		source.rows = others;
		return { killed, before: usersReached(killed), retried: await retry(bench, first) };
	} finally {
		await source.close();
	}
}
