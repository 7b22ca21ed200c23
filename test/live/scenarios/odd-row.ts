import assert from 'node:assert/strict';
import { assertSucceeded, output, runByWebhook, usersReached, type Bench } from '../bench';
import { createWithErrorOutput, pushNode } from '../rows';

/** A value that cannot become a text. */
const odd = { toString: 1 };

/** The Timezone or the Weekdays of a row are an object without a text. With the error output, only that row fails. */
export async function oddRow(bench: Bench): Promise<void> {
	const path = 'odd-row';
	const scheduled = {
		sendAt: 'next',
		nextTime: '09:30',
		nextDays: '={{ $json.days }}',
		scheduleTimezone: '={{ $json.zone }}',
	};
	const push = pushNode(scheduled, { onError: 'continueErrorOutput' });
	const stored = await createWithErrorOutput(bench, path, push);
	const rows = [
		{ userID: 'odd-a', zone: 'UTC', days: ['monday'] },
		{ userID: 'odd-b', zone: odd, days: ['monday'] },
		{ userID: 'odd-c', zone: 'UTC', days: [odd] },
		{ userID: 'odd-d', zone: 'UTC', days: ['friday'] },
	];
	const run = await runByWebhook(bench, stored, path, { rows });
	assertSucceeded(run);
	assert.deepEqual(usersReached(run), ['odd-a', 'odd-d']);
	assert.deepEqual(
		output(run.data, 'Sent').map(({ json }) => json.outcome),
		['accepted', 'accepted'],
	);
	assert.deepEqual(
		output(run.data, 'Failed').map(({ json }) => [
			json.userID,
			(json.details as { outcome: string }).outcome,
		]),
		[
			['odd-b', 'invalid'],
			['odd-c', 'invalid'],
		],
	);
}
