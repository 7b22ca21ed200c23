import assert from 'node:assert/strict';
import { assertSucceeded, output, runByWebhook, usersReached, type Bench } from '../bench';
import { createWithErrorOutput, pushNode } from '../rows';

const key = '={{ $json.key ?? "due-" + DateTime.fromISO($json.due ?? "").toFormat("yyyy-MM-dd") }}';
const message =
	'=Your appointment: {{ $json.at ? DateTime.fromISO($json.at).toFormat("HH:mm") : "soon" }}';
const rows = [
	{ userID: 'without-date' },
	{ userID: 'also-without-date', due: 'tomorrow' },
	{ userID: 'without-time', key: 'A1', at: 'tea time' },
	{ userID: 'a', key: 'caf\u00e9' },
	{ userID: 'a\u200b', key: 'cafe\u0301' },
	{ userID: '\u2060b', key: 'A2' },
	{ userID: 'b', key: '\u2060A2' },
];

/** Dates that are none are refused in a key and in a text, and keys and IDs that look alike are one. */
export async function oddKeys(bench: Bench): Promise<void> {
	const path = 'odd-keys';
	const node = pushNode(
		{ message, sendOnce: true, sendOnceKey: key },
		{ onError: 'continueErrorOutput' },
	);
	const stored = await createWithErrorOutput(bench, path, node);
	const run = await runByWebhook(bench, stored, path, { rows });
	assertSucceeded(run);
	assert.deepEqual(usersReached(run).sort(), ['a', 'b']);
	const sent = output(run.data, 'Sent').map(({ json }) => json.outcome);
	assert.deepEqual(sent, ['accepted', 'skipped', 'accepted', 'skipped']);
	const failed = output(run.data, 'Failed').map(({ json }) => json);
	assert.deepEqual(
		failed.map(({ userID }) => userID),
		rows.slice(0, 3).map(({ userID }) => userID),
	);
	for (const { error } of failed) assert.match(String(error), /Invalid DateTime/);
}
