import assert from 'node:assert/strict';
import {
	assertSucceeded,
	failureText,
	outcomesOf,
	retry,
	runByWebhook,
	usersReached,
	type Bench,
	type Run,
} from '../bench';
import { createForRows, pushNode, replaceNode } from '../rows';
import { makeRows } from '../../../scripts/n8n/workflows';

const path = 'retry-unknown-row';
const rows = makeRows(path, 8);
const UNKNOWN = 3;

/** The service accepts one row, and the connection breaks before it responds. */
export async function unknownRowAlone(bench: Bench): Promise<void> {
	const stored = await createForRows(bench, path, pushNode({ options: { concurrency: 1 } }));
	const first = await runByWebhook(bench, stored, path, { rows }, ({ faults }) => {
		faults.add({ kind: 'resetAfterAccept', first: 1, match: { bodyText: `"${path}-${UNKNOWN}"` } });
	});
	assertNamesUnknownRow(first, [0, 1, 2, UNKNOWN]);
	assertNamesUnknownRow(await retry(bench, first), [4, 5, 6, 7]);
	assertNamesUnknownRow(await retry(bench, first), []);

	const options = { concurrency: 1, retryUnknown: true };
	await replaceNode(bench, stored, pushNode({ options }));
	const last = await retry(bench, first, true);
	assertSucceeded(last);
	assertReached(last, [UNKNOWN]);
	assert.deepEqual(
		outcomesOf(last, 'Done'),
		rows.map(() => 'accepted'),
	);
}

function assertNamesUnknownRow(run: Run, sent: number[]): void {
	assertReached(run, sent);
	assert.equal(run.status, 'error', 'it cannot be told whether the row was delivered');
	const text = failureText(run);
	assert.match(text, /may(?: or may not)? have been delivered/i);
	assert.match(text, new RegExp(`\\bitems? ${UNKNOWN}\\b`), `the row is named in:\n${text}`);
}

function assertReached(run: Run, indexes: number[]): void {
	assert.deepEqual(
		usersReached(run),
		indexes.map((index) => `${path}-${index}`),
		'the rows that it sent',
	);
}
