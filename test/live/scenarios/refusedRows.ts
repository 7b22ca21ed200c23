import assert from 'node:assert/strict';
import type { Item } from '../../../scripts/n8n/executionData';
import {
	assertSucceeded,
	output,
	runByWebhook,
	usersReached,
	type Bench,
	type Run,
} from '../bench';
import { createWithErrorOutput, pushNode } from '../rows';
import { editFields, makeRows, messaging, pushToRow } from '../../../scripts/n8n/workflows';

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
async function mixed(bench: Bench, path: string, more: object = {}): Promise<Run> {
	const settings = { onError: 'continueErrorOutput', ...more };
	const stored = await createWithErrorOutput(bench, path, pushNode({}, settings));
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
		Object.keys(json)
			.filter((key) => key !== 'user_id')
			.sort(),
		[...columns, 'details', 'error', 'outcome'].sort(),
		`row ${index}`,
	);
	assert.equal(typeof error, 'string');
	assert.equal(json.outcome, outcomeOf(index));
	assert.equal(details.outcome, outcomeOf(index));
	if (index === INVALID)
		assert.deepEqual(
			(details.problems as Array<{ field: string }>).map(({ field }) => field),
			// The message names the user, too.
			['user_id', 'message'],
		);
	if (index === REJECTED) assert.equal(details.statusCode, 400);
	if (index === UNKNOWN) assert.equal(details.statusCode, 503);
}

/** Continue (using error output): the item has the row's columns, `error`, `outcome` and `details`. */
export async function errorOutputKeepsRows(bench: Bench): Promise<void> {
	assertRows(await mixed(bench, 'mixed-error-output'));
}

/** Up to n8n 2, it adds an empty item to the first output if that has none, whatever the error output has. */
export async function alwaysOutputData(bench: Bench): Promise<void> {
	const alwaysOutput = { alwaysOutputData: true };
	assertRows(await mixed(bench, 'mixed-always', alwaysOutput));

	const path = 'always-failed';
	const settings = { onError: 'continueErrorOutput', ...alwaysOutput };
	const stored = await createWithErrorOutput(bench, path, pushNode({}, settings));
	const run = await runByWebhook(bench, stored, path, { rows }, ({ faults }) =>
		faults.add({ kind: 'status', status: 400 }),
	);
	assertSucceeded(run);
	assert.deepEqual(usersReached(run), []);
	assert.deepEqual(
		output(run.data, 'Failed').map(({ json }) => json.city),
		rows.map(({ city }) => city),
	);
	assert.deepEqual(
		output(run.data, 'Sent').map(({ json }) => json),
		[{}],
		'no row, but an empty item',
	);
}

/** Reads the row of each item by its name, as nodes after the first one do. */
const readRow = (name: string) =>
	editFields(name, {
		assignments: {
			assignments: [
				{ id: 'row', name: 'row', value: "={{ $('Each row').item.json.city }}", type: 'string' },
			],
		},
		includeOtherFields: true,
		options: {},
	});

/** Of five rows, one may not be sent, one is not valid, and one is refused: its push to Android, and its batch. */
export async function itemsLeadToTheirRows(bench: Bench): Promise<void> {
	const pushes = {
		...pushToRow,
		platforms: ['web', 'android'],
		additionalFields: { consent: '={{ $json.consent }}' },
	};
	const users = { resource: 'user', operation: 'create', userID: '={{ $json.userID }}' };
	const read = async (path: string, parameters: object) => {
		const rows = makeRows(path, 5).map(({ userID, city }, index) => ({
			userID: index === 3 ? '' : userID,
			city,
			consent: index !== 2,
		}));
		const settings = { onError: 'continueErrorOutput' };
		const node = messaging('Send', { ...parameters }, settings);
		const stored = await createWithErrorOutput(bench, path, node, readRow);
		const run = await runByWebhook(bench, stored, path, { rows }, ({ faults }) => {
			const refused = { bodyText: `"${path}-1"` };
			faults.add({ kind: 'status', status: 400, match: { ...refused, platform: 'android' } });
			faults.add({ kind: 'status', status: 400, match: { ...refused, channel: 'user' } });
		});
		assertSucceeded(run);
		const told = ({ json }: Item) => {
			const {
				outcome,
				platform = 'all',
				row,
			} = { ...(json.details as object), ...json } as Item['json'];
			return `${String(row)}: ${String(outcome)} on ${String(platform)}`;
		};
		return {
			sent: output(run.data, 'Sent').map(told),
			failed: output(run.data, 'Failed').map(told),
		};
	};
	assert.deepEqual(await read('rows-of-pushes', pushes), {
		sent: [
			'City 0: accepted on web',
			'City 0: accepted on android',
			'City 1: accepted on web',
			'City 2: skipped on web',
			'City 2: skipped on android',
			'City 4: accepted on web',
			'City 4: accepted on android',
		],
		failed: ['City 1: rejected on android', 'City 3: invalid on all'],
	});
	assert.deepEqual(await read('rows-of-users', users), {
		sent: [0, 2, 4].map((index) => `City ${index}: accepted on all`),
		failed: ['City 1: rejected on all', 'City 3: invalid on all'],
	});
}

function assertRows({ data }: Run): void {
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
