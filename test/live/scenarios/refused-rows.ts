import assert from 'node:assert/strict';
import type { Item } from '../../../scripts/n8n/execution-data';
import {
	assertSucceeded,
	output,
	runByWebhook,
	usersReached,
	type Bench,
	type Run,
} from '../bench';
import { createWithErrorOutput, pushNode } from '../rows';
import { makeRows } from '../../../scripts/n8n/workflows';

const rows = makeRows('mixed', 20).map((row, index) =>
	index === 4 ? { ...row, userID: '' } : row,
);
const INVALID = 4;
const REJECTED = 11;
const UNKNOWN = 15;
const failed = [INVALID, REJECTED, UNKNOWN];
const outcomeOf = (index: number) =>
	index === INVALID
		? 'invalid'
		: index === REJECTED
			? 'rejected'
			: index === UNKNOWN
				? 'unknown'
				: 'accepted';

/** Among 20 rows, one cannot be sent, one is refused and one stays unknown. */
async function mixed(bench: Bench, path: string, onError: string): Promise<Run> {
	const stored = await createWithErrorOutput(bench, path, pushNode({}, { onError }));
	const run = await runByWebhook(bench, stored, path, { rows }, ({ faults }) => {
		faults.add({ kind: 'status', status: 400, match: { bodyText: `"mixed-${REJECTED}"` } });
		faults.add({
			kind: 'statusAfterAccept',
			status: 503,
			match: { bodyText: `"mixed-${UNKNOWN}"` },
		});
	});
	assertSucceeded(run);
	const reached = rows
		.filter((_, index) => ![INVALID, REJECTED].includes(index))
		.map(({ userID }) => userID);
	assert.deepEqual(usersReached(run).sort(), reached.sort(), 'each once, the unknown one too');
	assert.equal(run.arrivals.length, rows.length - 1, 'and none was tried again');
	return run;
}

function assertFailure({ json }: Item, index: number, columns: string[]): void {
	const { error, details } = json as { error: unknown; details: Record<string, unknown> };
	assert.deepEqual(
		Object.keys(json).sort(),
		[...columns, 'details', 'error'].sort(),
		`row ${index}`,
	);
	assert.equal(typeof error, 'string');
	assert.equal(details.outcome, outcomeOf(index));
	if (index === INVALID)
		assert.deepEqual(
			(details.problems as Array<{ field: string }>).map(({ field }) => field),
			// The message names the user, too.
			['message', 'user_id'],
		);
	if (index === REJECTED) assert.equal(details.statusCode, 400);
	if (index === UNKNOWN) assert.equal(details.statusCode, 503);
}

/** Continue (using error output): the item has the row's columns, `error` and `details`. */
export async function errorOutputKeepsRows(bench: Bench): Promise<void> {
	const { data } = await mixed(bench, 'mixed-error-output', 'continueErrorOutput');
	const items = output(data, 'Failed');
	assert.deepEqual(
		items.map(({ json }) => json.city),
		failed.map((index) => rows[index]?.city),
	);
	items.forEach((item, position) => {
		const index = failed[position] ?? -1;
		assertFailure(item, index, ['userID', 'city']);
		assert.equal(item.json.userID, rows[index]?.userID);
	});
	assert.deepEqual(
		output(data, 'Sent').map(({ json }) => json.outcome),
		rows.slice(failed.length).map(() => 'accepted'),
	);
}
