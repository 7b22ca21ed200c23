import assert from 'node:assert/strict';
import { editFields, eachRow, makeRows } from '../../../scripts/n8n/workflows';
import { assertLike } from '../examplePlay';
import { pushNode, withErrorOutput } from '../nodes';
import { usersOf } from '../run';
import { everywhere } from '../scenario';

const [INVALID, REJECTED, UNKNOWN] = [4, 11, 15];

/** Reads the row of each item by its name, as nodes after the first one do. */
const readRow = (name: string) => {
	const value = "={{ $('Each row').item.json.city }}";
	const assignments = [{ id: 'row', name: 'row', value, type: 'string' }];
	const parameters = { assignments: { assignments }, includeOtherFields: true, options: {} };
	return editFields(name, parameters);
};

/** Among 20 rows, one cannot be sent, one is refused and one stays unknown. */
everywhere('Invalid, refused and unknown rows keep their columns as errors', async (bench) => {
	const rows = makeRows('mixed', 20).map((row, index) =>
		index === INVALID ? { ...row, userID: '' } : row,
	);
	const nodes = [eachRow, pushNode({}, withErrorOutput), readRow('Sent'), readRow('Failed')];
	const toBoth = { Push: [['Sent'], ['Failed']] };
	const wires = { Webhook: [['Each row']], 'Each row': [['Push']], ...toBoth };
	const stored = await bench.behindWebhook('mixed', nodes, { wires });
	const mixed = await bench.run(stored, { rows }, ({ faults }) => {
		const at = (row: number) => ({ match: { bodyText: `"mixed-${row}"` } });
		faults.add({ kind: 'status', status: 400, ...at(REJECTED) });
		faults.add({ kind: 'statusAfterAccept', status: 503, ...at(UNKNOWN) });
	});
	const failed = [INVALID, REJECTED, UNKNOWN];
	const others = rows.filter((_, index) => !failed.includes(index));
	const reached = usersOf(others).concat(`mixed-${UNKNOWN}`).sort();
	assert.deepEqual(mixed.succeeded().reached.sort(), reached, 'the unknown one too, once');
	assert.equal(mixed.arrivals.length, rows.length - 1, 'and none was tried again');
	const told = ['invalid', 'rejected', 'unknown'].map((outcome, index) => {
		const { userID, city } = rows[failed[index] ?? 0] ?? {};
		return [userID, city, city, outcome, /./];
	});
	assertLike(mixed.values('Failed', 'userID', 'city', 'row', 'outcome', 'error'), told);
	const sent = others.map(({ city }) => ['accepted', city]);
	assert.deepEqual(mixed.values('Sent', 'outcome', 'row'), sent);
});
