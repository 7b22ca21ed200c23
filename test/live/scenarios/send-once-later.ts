import assert from 'node:assert/strict';
import { say } from '../../../scripts/steps';
import {
	assertNobodyTwice,
	failureText,
	hintsOf,
	killAfter,
	outcomesOf,
	output,
	runByWebhook,
	retry,
	usersReached,
	type Bench,
	type CrashableBench,
	type Run,
} from '../bench';
import { createForRows, pushNode, replaceNode } from '../rows';
import { makeRows } from '../../../scripts/n8n/workflows';
import { withService } from './outages';

/** The maximum size of a chunk, and therefore the maximum in doubt after a kill. */
const MAX_IN_DOUBT = 50;
const sendOnce = { sendOnce: true, sendOnceKey: 'spring sale' };

/** Kills n8n in the middle of a run without Send Once, then turns Send Once on and retries from the list, twice. */
export async function turnedOnForRetry(bench: CrashableBench): Promise<void> {
	const path = 'once-for-retry';
	const options = { concurrency: 4 };
	const rows = makeRows(path, 100);
	const stored = await createForRows(bench, path, pushNode({ options }));
	const killed = await killAfter(bench, stored, path, { rows }, 40);
	const before = usersReached(killed);
	assert.ok(before.length >= 30 && before.length < rows.length, `${before.length} reached before`);

	await replaceNode(bench, stored, pushNode({ options, ...sendOnce }));
	const reached = [...before];
	for (const attempt of ['first', 'second']) {
		const retried = await retry(bench, killed, true);
		reached.push(...usersReached(retried));
		const text = failureText(retried);
		say(
			`    ${before.length} reached before n8n was killed; the ${attempt} retry of the ${killed.status} execution reached ${usersReached(retried).length} and ended with ${retried.status}: ${text.split('\n')[0]}`,
		);
		assertNobodyTwice(reached);
		assert.equal(retried.status, 'error');
		// n8n 2.41 tells a retry what it continues. Without that, nothing can be sent.
		if (retried.arrivals.length > 0 || reached.length > before.length)
			assert.match(text, /may or may not have been delivered/);
		else assert.match(text, /retry of an execution that was interrupted/);
	}
	const missing = rows.length - reached.length;
	if (reached.length > before.length)
		assert.ok(missing <= MAX_IN_DOUBT, `${missing} are not reached`);
}

const ROWS = 40;

/** Every other row fails, because the node pauses once several fail in a row. */
export async function outageIsNotSuccess(bench: Bench): Promise<void> {
	await withService(bench, async (own) => {
		const path = 'once-next-day';
		const rows = makeRows(path, ROWS);
		const stored = await createForRows(own, path, pushOnce);
		const failing = rows.filter((_, index) => index % 2 === 1).map(({ userID }) => userID);
		const first = await runByWebhook(own, stored, path, { rows }, ({ faults }) => {
			for (const user of failing)
				faults.add({ kind: 'status', status: 503, match: { bodyText: `"${user}"` } });
		});
		assert.deepEqual(countOutcomes(first), { accepted: ROWS / 2, unknown: ROWS / 2 });

		const nextDay = await runByWebhook(own, stored, path, { rows });
		assert.deepEqual(nextDay.arrivals, []);
		assert.deepEqual(countOutcomes(nextDay), { skipped: ROWS });
		assert.deepEqual(
			output(nextDay.data, 'Push').map(({ json }) => json.earlierOutcome),
			rows.map((_, index) => (index % 2 === 1 ? 'unknown' : 'accepted')),
		);
		const warnings = hintsOf(nextDay).filter(({ type }) => type === 'warning');
		assert.equal(warnings.length, 1);
		assert.match(
			warnings[0]?.message ?? '',
			/^Send Once: 20 messages were skipped that may never have arrived.*'Retry Unknown'/,
		);
		const others = hintsOf(nextDay).filter(({ type }) => type !== 'warning');
		const [skipped, coarse] = others.map(({ message }) => message);
		assert.equal(
			skipped,
			'Send Once: 20 messages were skipped, because this node has sent them before. To send them again on purpose, turn Send Once off for one run.',
		);
		assert.match(
			String(coarse),
			/^Send Once: all 40 messages .* 'Send Once Key' may be too coarse/,
		);

		const again = rows.map((row) => ({ ...row, retryUnknown: true }));
		const repaired = await runByWebhook(own, stored, path, { rows: again });
		assert.deepEqual(usersReached(repaired), failing);
		assert.deepEqual(countOutcomes(repaired), { accepted: ROWS / 2, skipped: ROWS / 2 });
		say(`    ${warnings[0]?.message}`);
	});
}

const pushOnce = pushNode(
	{
		...sendOnce,
		options: { concurrency: 1, retryUnknown: '={{ $json.retryUnknown ?? false }}' },
	},
	{ onError: 'continueRegularOutput' },
);

function countOutcomes(run: Run): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const outcome of outcomesOf(run).map(String)) counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
}
