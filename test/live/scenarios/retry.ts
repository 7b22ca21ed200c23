import assert from 'node:assert/strict';
import { assertSucceeded, output, runByWebhook, usersReached, type Bench } from '../bench';
import { createForRows, pushNode } from '../rows';
import { makeRows } from '../../../scripts/n8n/workflows';

const path = 'retry-on-fail';
const rows = makeRows('retry', 30);
const refused = 'retry-12';

/** n8n runs the whole node again. Messages that were accepted in the first try must not be sent again. */
export async function retryOnFail(bench: Bench): Promise<void> {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
	const stored = await createForRows(bench, path, pushNode({}, settings));
	const run = await runByWebhook(bench, stored, path, { rows }, ({ faults }) => {
		faults.add({ kind: 'status', status: 400, first: 1, match: { bodyText: `"${refused}"` } });
	});
	assertSucceeded(run);
	const outcomes = run.arrivals.filter(
		({ body }) => (body as { user_id: string }).user_id === refused,
	);
	assert.deepEqual(
		outcomes.map(({ status }) => status),
		[400, 200],
		'refused once, then accepted',
	);
	assert.deepEqual(
		usersReached(run).sort(),
		rows.map(({ userID }) => userID).sort(),
		'each user exactly once',
	);
	assert.equal(run.arrivals.length, rows.length + 1);
	assert.deepEqual(
		output(run.data, 'Done').map(({ json }) => json.userID ?? json.outcome).length,
		rows.length,
	);
}
