import assert from 'node:assert/strict';
import { makeRows } from '../../../scripts/n8n/workflows';
import { succeeded, outcomesOf, usersOf, usersReached, type Bench } from '../bench';
import { pushNode, runRows } from '../rows';

/** n8n runs the whole node again. Messages that were accepted in the first try must not be sent again. */
export async function retryOnFail(bench: Bench): Promise<void> {
	const rows = makeRows('retry', 30);
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
	const match = { bodyText: '"retry-12"' };
	const run = await succeeded(
		runRows(bench, 'retry-on-fail', pushNode({}, settings), rows, ({ faults }) =>
			faults.add({ kind: 'status', status: 400, first: 1, match }),
		),
	);
	const refused = run.arrivals.filter(({ rawBody }) => rawBody.includes(match.bodyText));
	assert.deepEqual(
		refused.map(({ status }) => status),
		[400, 200],
		'refused once, then accepted',
	);
	assert.deepEqual(usersReached(run).sort(), usersOf(rows).sort(), 'each user exactly once');
	assert.equal(run.arrivals.length, rows.length + 1);
	assert.equal(outcomesOf(run, 'Done').length, rows.length);
}
