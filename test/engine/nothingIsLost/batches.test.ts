import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Course } from '../support/executionList';
import { inShort, useNode } from '../support/node';
import { countsOf, createUsers, idOf, listedAs, rowsOf, toldBy } from '../support/sends';

interface Body {
	list?: string;
	nv: Array<{ userID: string; user_attributes: Record<string, string> }>;
}

const node = useNode({ onError: 'continueRegularOutput' });
const bodies = () => node.bodies() as Body[];
const users = (record = node.sandbox.record) => record.flatMap(({ body }) => (body as Body).nv);
const send = async (rows: IDataObject[], options: INodeParameters = {}, more: Course = {}) =>
	await node.start({ parameters: createUsers(options), rows, ...more });

/** Sends to a service that refuses bodies above 40 kB. */
async function sendSmall(rows: IDataObject[]) {
	const created: string[] = [];
	const report = await node.against(
		(response, _request, body) => {
			if (Buffer.byteLength(body) > 40_000) return response.writeHead(413).end();
			created.push(...(JSON.parse(body) as Body).nv.map(({ userID }) => userID));
			return response.end('{}');
		},
		{ parameters: createUsers(), rows },
	);
	return { ...report, created: created.sort() };
}

test('Users whose bodies are too large together are created in parts, each once', async () => {
	const rows = rowsOf(200).map(({ id }) => ({ id, about: 'x'.repeat(800) }));
	const report = await sendSmall(rows);
	expect(report.created).toEqual(rows.map(({ id }) => id));
	expect(inShort(report)).toBe('200 accepted');
	// Each batch of 100 is refused whole (85 kB) and in halves (43 kB), and accepted in quarters.
	expect(report.server.requests).toBe(2 * (1 + 2 + 4));
});

test('A single user who is too large is refused and named', async () => {
	const about = 'x'.repeat(50_000);
	const report = await sendSmall([{ id: 'a' }, { id: 'b', about }, { id: 'c' }]);
	expect(inShort(report)).toBe('1 accepted, 1 rejected, 1 accepted');
	expect(report.output[1]?.json.error).toBe('The service refused the request for b (413)');
	expect(report.created).toEqual(['a', 'c']);
});

test('A batch is closed before its body exceeds 1 MB', async () => {
	await send(rowsOf(30).map(({ id }) => ({ id, about: 'x'.repeat(99_000) })));
	expect(bodies().map(({ nv }) => nv.length)).toEqual([10, 10, 10]);
});

test('Rows with the same user ID are sent once more after a row of theirs that is repeated, so that the last values remain', async () => {
	const versions = ['a', 'b', 'c', 'a'].map((id, version) => ({ id, version }));
	node.refuseOnce('"version":0');
	const options = { batchSize: 1, concurrency: 3 };
	const report = await send(versions, options, { retryOnFail: true });
	expect(countsOf(toldBy(report))).toEqual({ accepted: 4 });
	const accepted = users(node.sandbox.accepted());
	const stored = accepted.map((user) => `${user.userID}${user.user_attributes.version}`);
	expect(stored.filter((one) => one.startsWith('a'))).toEqual(['a3', 'a0', 'a3']);
	expect(stored.filter((one) => !one.startsWith('a')).sort()).toEqual(['b1', 'c2']);
});

/** Sends rows in requests to several lists. */
const sendLists = async (rows: IDataObject[], options: INodeParameters = {}) => {
	const additionalFields = { extraBodyFields: '={{ { list: $json.list } }}' };
	const parameters = { ...createUsers(options), additionalFields };
	const report = await node.start({ parameters, rows });
	expect(inShort(report)).toBe(`${rows.length} accepted`);
};

test('Of 200 users who alternate between four lists, each list is one request', async () => {
	await sendLists(rowsOf(200).map(({ id }, row) => ({ id, list: 'abcd'.charAt(row % 4) })));
	expect(bodies()).toHaveLength(4);
	for (const { list, nv } of bodies())
		expect(nv.filter((user) => user.user_attributes.list !== list)).toEqual([]);
});

test('Of rows of the same users in several lists, the last row of each remains', async () => {
	const rows = Array.from({ length: 600 }, (_, row) => ({
		id: idOf((row * 7) % 90),
		list: 'abcdef'.charAt((row * row + (row % 5)) % 6),
		version: row,
	}));
	node.sandbox.configure({ latencyMs: [0, 30] });
	await sendLists(rows, { batchSize: 20, concurrency: 10 });
	const stored = new Map(users().map((user) => [user.userID, user.user_attributes.version]));
	expect(stored).toEqual(new Map(rows.map(({ id, version }) => [id, version])));
	expect(bodies().length).toBeLessThan(600);
});

describe('Of 1,000 users in batches, 7 of whom the service refuses,', () => {
	const rows = rowsOf(1_000);
	const bad = [3, 99, 100, 250, 251, 777, 999];
	/** One request for the batch, and for each bad row two more for each time that 100 can be halved. */
	const mostRequests = 10 + bad.length * 2 * 7;
	beforeEach(() => node.sandbox.configure({ rejectUserIDs: bad.map((row) => idOf(row)) }));

	test('these are named and all others created once', async () => {
		const told = toldBy(await send(rows, { batchSize: 100 }));
		const outcomeOf = (row: number) => (bad.includes(row) ? 'rejected' : 'accepted');
		const all = told.map(({ item, outcome, details }) => [item, outcome, details.userID]);
		expect(all).toEqual(rows.map(({ id }, row) => [row, outcomeOf(row), id]));
		expect(node.acceptedRows(1_000)).toEqual(rows.map((_, row) => (bad.includes(row) ? 0 : 1)));
		expect(bodies().length).toBeLessThanOrEqual(mostRequests);
	});

	test('a stop names who was created, also by Retry On Fail', async () => {
		const options = { batchSize: 100, concurrency: 2 };
		const { error } = await send(rows, options, { retryOnFail: true, onError: undefined });
		const refused = listedAs('Refused', error);
		expect(refused.length).toBeGreaterThan(0);
		expect(refused.filter((row) => !bad.includes(row))).toEqual([]);
		const missing = new Set([...refused, ...listedAs('Not sent', error)]);
		expect(node.acceptedRows(1_000)).toEqual(rows.map((_, row) => (missing.has(row) ? 0 : 1)));
		expect(error?.message).toContain(`. ${1_000 - missing.size} accepted, `);
	});
});
