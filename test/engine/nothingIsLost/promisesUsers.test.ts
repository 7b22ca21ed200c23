import type { Sandbox } from '../../../sandbox';
import { execute } from '../support/engine';
import {
	accountOf,
	createUsers,
	creations,
	idOf,
	listedAs,
	roomySandbox,
	rowsOf,
	toldBy,
} from '../support/sends';

const rows = rowsOf(1_000);
const bad = [3, 99, 100, 250, 251, 777, 999];
/** One request for the batch, and for each bad row two more for each time that 100 can be halved. */
const mostRequests = 10 + bad.length * 2 * 7;
let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await roomySandbox({ rejectUserIDs: bad.map((row) => idOf(row)) });
});

afterEach(() => sandbox.close());

test('Of 1,000 users in batches, 7 bad rows are named and all others created once', async () => {
	const report = await execute({
		parameters: createUsers({ batchSize: 100 }),
		rows,
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
	});

	const told = toldBy(report);
	expect(told.map(({ item }) => item)).toEqual(rows.map((_, row) => row));
	expect(told.filter(({ outcome }) => outcome === 'rejected').map(({ item }) => item)).toEqual(bad);
	expect(told.filter(({ outcome }) => outcome !== 'accepted')).toHaveLength(bad.length);
	expect(told.map(({ details }) => details.userID)).toEqual(rows.map(({ id }) => id));

	const created = creations(sandbox.record);
	expect(created.size).toBe(993);
	expect([...created.values()].every((times) => times === 1)).toBe(true);
	expect(sandbox.record.length).toBeLessThanOrEqual(mostRequests);
});

test.each([false, true])(
	'On Error Stop, Retry On Fail %s: the output names who was created, and nobody is created twice',
	async (retryOnFail) => {
		const { error } = await execute({
			parameters: createUsers({ batchSize: 100, concurrency: 2 }),
			rows,
			credential: accountOf(sandbox),
			retryOnFail,
		});

		const created = creations(sandbox.record);
		const refused = listedAs('Refused', error);
		const notSent = listedAs('Not sent', error);
		const missing = new Set([...refused, ...notSent]);
		const accepted = rows.filter((_, row) => !missing.has(row)).map(({ id }) => id);

		expect(refused.length).toBeGreaterThan(0);
		expect(refused.filter((row) => !bad.includes(row))).toEqual([]);
		expect([...created.keys()].sort()).toEqual(accepted);
		expect([...created.values()].every((times) => times === 1)).toBe(true);
		expect(error?.message).toContain(`. ${accepted.length} accepted, `);
	},
);
