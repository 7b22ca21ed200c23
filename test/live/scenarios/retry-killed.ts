import assert from 'node:assert/strict';
import { say } from '../../../scripts/steps';
import {
	assertNobodyTwice,
	failureText,
	killAfter,
	retry,
	usersReached,
	type CrashableBench,
} from '../bench';
import { createForRows, pushNode } from '../rows';
import { makeRows } from '../../../scripts/n8n/workflows';

const path = 'retry-killed';
const rows = makeRows(path, 100);
/** The first hundred rows are in chunks of so many. */
const MAX_IN_DOUBT = 10;

/** Kills n8n in the middle of a run whose workflow saves its progress, and retries from the list, twice. */
export async function retryOfKilled(bench: CrashableBench): Promise<void> {
	const push = pushNode({ options: { concurrency: 4 } });
	const stored = await createForRows(bench, path, push, { saveExecutionProgress: true });
	const killed = await killAfter(bench, stored, path, { rows }, 40);
	const before = usersReached(killed);

	const first = await retry(bench, killed, true);
	const second = await retry(bench, killed, true);
	const reached = [...before, ...usersReached(first), ...usersReached(second)];
	say(`    ${before.length} reached before n8n was killed, ${reached.length} after two retries`);
	assertNobodyTwice(reached);
	assert.deepEqual(second.arrivals, [], 'the second retry has nothing left to send');
	assert.ok(reached.length >= rows.length - MAX_IN_DOUBT, `${reached.length} are reached`);
	if (reached.length < rows.length)
		assert.match(failureText(first), /may or may not have been delivered/);
}
