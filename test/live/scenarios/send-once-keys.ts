import assert from 'node:assert/strict';
import { messaging } from '../../../scripts/n8n/workflows';
import {
	assertSucceeded,
	outcomesOf,
	output,
	runByWebhook,
	usersReached,
	type Bench,
} from '../bench';
import { createForRows, pushNode } from '../rows';

/** Expressions that format a date which a row does not have: in a key, in a text and in an attribute. */
export async function missingDates(bench: Bench): Promise<void> {
	const date = "DateTime.fromISO($json.due).toFormat('d MMM')";
	const rows = [{ userID: 'dates-1', due: '2026-12-01' }, { userID: 'dates-2' }];
	const nodes: Record<string, object> = {
		key: { sendOnce: true, sendOnceKey: `={{ "due-" + ${date} }}` },
		text: { title: `=Your appointment: {{ ${date} }}` },
		script: { message: '=Since {{ new Date($json.due) }}' },
	};
	for (const [name, more] of Object.entries(nodes)) {
		const node = pushNode({ ...more }, { onError: 'continueRegularOutput' });
		const stored = await createForRows(bench, `date-${name}`, node);
		const run = await runByWebhook(bench, stored, `date-${name}`, { rows });
		assert.deepEqual(outcomesOf(run), ['accepted', 'invalid'], name);
		assert.equal(run.arrivals.length, 1);
		assert.match(JSON.stringify(output(run.data, 'Push')[1]?.json), /Invalid Date/);
	}
	const assignments = [{ id: '1', name: 'due', type: 'string', value: `={{ ${date} }}` }];
	const user = {
		resource: 'user',
		operation: 'create',
		userID: '={{ $json.userID }}',
		customAttributes: { assignments },
	};
	const node = messaging('Push', user, { onError: 'continueRegularOutput' });
	const stored = await createForRows(bench, 'date-attribute', node);
	const run = await runByWebhook(bench, stored, 'date-attribute', { rows });
	assert.deepEqual(outcomesOf(run), ['accepted', 'invalid']);
}

/** One order number and one user, as people copy them from different programs. */
export async function keysWrittenAlike(bench: Bench): Promise<void> {
	const rows = [
		{ userID: 'alike-1', key: 'Caf\u00e9-17' },
		{ userID: 'alike-1\u200b', key: 'Cafe\u0301-17' },
		{ userID: '\ufeffalike-1', key: 'Caf\u00e9\u200b-17' },
	];
	const node = pushNode({ sendOnce: true, sendOnceKey: '={{ $json.key }}' });
	const stored = await createForRows(bench, 'keys-alike', node);
	const run = await runByWebhook(bench, stored, 'keys-alike', { rows });
	assertSucceeded(run);
	assert.deepEqual(outcomesOf(run), ['accepted', 'skipped', 'skipped']);
	assert.deepEqual(usersReached(run), ['alike-1']);
}
