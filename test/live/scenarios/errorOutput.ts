import assert from 'node:assert/strict';
import { editFields, eachRow, makeRows } from '../../../scripts/n8n/workflows';
import { output, runByWebhook, succeeded, usersOf, usersReached, type Bench } from '../bench';
import { createBehindWebhook, goingOn, pushNode, withErrorOutput } from '../rows';

const [INVALID, REJECTED, UNKNOWN] = [4, 11, 15];

/** Reads the row of each item by its name, as nodes after the first one do. */
const readRow = (name: string) => {
	const value = "={{ $('Each row').item.json.city }}";
	const read = editFields(name, {
		assignments: { assignments: [{ id: 'row', name: 'row', value, type: 'string' }] },
		includeOtherFields: true,
		options: {},
	});
	// An empty item leads to no row.
	return { ...read, ...goingOn };
};

/**
 * Among 20 rows, one cannot be sent, one is refused and one stays unknown. Up to n8n 2, Always Output Data adds an empty
 * item to the first output if that has none, whatever the error output has.
 */
export async function errorOutputKeepsRows(bench: Bench): Promise<void> {
	const path = 'mixed';
	const rows = makeRows(path, 20).map((row, index) =>
		index === INVALID ? { ...row, userID: '' } : row,
	);
	const push = pushNode({}, { ...withErrorOutput, alwaysOutputData: true });
	const nodes = [eachRow, push, readRow('Sent'), readRow('Failed')];
	const wires = {
		Webhook: [['Each row']],
		'Each row': [['Push']],
		Push: [['Sent'], ['Failed']],
	};
	const stored = await createBehindWebhook(bench, path, nodes, { wires });
	const run = await succeeded(
		runByWebhook(bench, stored, { rows }, ({ faults }) => {
			const at = (row: number) => ({ match: { bodyText: `"${path}-${row}"` } });
			faults.add({ kind: 'status', status: 400, ...at(REJECTED) });
			faults.add({ kind: 'statusAfterAccept', status: 503, ...at(UNKNOWN) });
		}),
	);
	const sent = rows.filter((_, index) => ![INVALID, REJECTED].includes(index));
	assert.deepEqual(usersReached(run).sort(), usersOf(sent).sort(), 'the unknown one too, once');
	assert.equal(run.arrivals.length, rows.length - 1, 'and none was tried again');

	const shown = output(run.data, 'Failed').map(({ json }) => {
		const { error, details, user_id: _user, ...row } = json;
		const { outcome, statusCode, problems } = details as Record<string, unknown>;
		assert.equal(typeof error, 'string');
		const fields = (problems as Array<{ field: string }> | undefined)?.map(({ field }) => field);
		return { ...row, details: [outcome, statusCode ?? fields] };
	});
	const failedAs = (row: number, outcome: string, why: unknown) => ({
		...rows[row],
		...{ outcome, row: rows[row]?.city, details: [outcome, why] },
	});
	// The message names the user, too.
	const named = ['user_id', 'message'];
	assert.deepEqual(shown, [
		failedAs(INVALID, 'invalid', named),
		failedAs(REJECTED, 'rejected', 400),
		failedAs(UNKNOWN, 'unknown', 503),
	]);
	const cities = rows.filter((_, index) => ![INVALID, REJECTED, UNKNOWN].includes(index));
	assert.deepEqual(
		output(run.data, 'Sent').map(({ json }) => [json.outcome, json.row]),
		cities.map(({ city }) => ['accepted', city]),
	);

	const none = await succeeded(
		runByWebhook(bench, stored, { rows }, ({ faults }) =>
			faults.add({ kind: 'status', status: 400 }),
		),
	);
	assert.deepEqual(usersReached(none), []);
	assert.deepEqual(
		output(none.data, 'Failed').map(({ json }) => json.row),
		rows.map(({ city }) => city),
	);
	const empty = output(none.data, 'Push').map(({ json }) => json);
	assert.deepEqual(empty, [{}], 'no row, but an empty item');
}
