import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Course } from '../support/executionList';
import { each, inShort, saidBy, useNode } from '../support/node';
import { createUsers, creations, idOf, listedAs, rowsOf, toldBy } from '../support/sends';

interface Body {
	list?: string;
	nv: Array<{ userID: string; user_attributes?: Record<string, unknown> }>;
}

const node = useNode({ onError: 'continueRegularOutput' });
const bodies = () => node.sandbox.record.map(({ body }) => body as Body);
const users = () => bodies().flatMap(({ nv }) => nv);
const send = async (rows: IDataObject[], options: INodeParameters = {}, more: Course = {}) =>
	await node.start({ parameters: createUsers(options), rows, ...more });

describe('Against a service that refuses bodies above 40 kB', () => {
	async function sendSmall(rows: IDataObject[]) {
		const created: string[] = [];
		const report = await node.against(
			(response, _request, body) => {
				if (Buffer.byteLength(body) > 40_000) return response.writeHead(413).end();
				created.push(...(JSON.parse(body) as Body).nv.map(({ userID }) => userID));
				return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
			},
			{ parameters: createUsers(), rows },
		);
		return { report, created: created.sort() };
	}

	test('200 users with 800 characters each are created, each once', async () => {
		const rows = rowsOf(200).map(({ id }) => ({ id, about: 'x'.repeat(800) }));
		const { report, created } = await sendSmall(rows);
		expect(created).toEqual(rows.map(({ id }) => id));
		expect(inShort(report)).toBe('200 accepted');
		// Each batch of 100 is refused whole (85 kB) and in halves (43 kB), and accepted in quarters.
		expect(report.server.requests).toBe(2 * (1 + 2 + 4));
	});

	test('a single user who is too large is refused and named', async () => {
		const rows = [{ id: 'a' }, { id: 'b', about: 'x'.repeat(50_000) }, { id: 'c' }];
		const { report, created } = await sendSmall(rows);
		expect(inShort(report)).toBe('1 accepted, 1 rejected, 1 accepted');
		expect(report.output[1]?.json.error).toBe('The service refused the request for b (413)');
		expect(created).toEqual(['a', 'c']);
	});
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
	expect(toldBy(report).map(({ outcome }) => outcome)).toEqual(each('accepted', 4));
	const stored = node.sandbox
		.accepted()
		.flatMap(({ body }) => (body as Body).nv)
		.map(({ userID, user_attributes: { version } = {} }) => `${userID}${String(version)}`);
	expect(stored.filter((one) => one.startsWith('a'))).toEqual(['a3', 'a0', 'a3']);
	expect(stored.filter((one) => !one.startsWith('a')).sort()).toEqual(['b1', 'c2']);
});

describe('Rows whose Extra Body Fields differ', () => {
	const sendLists = async (rows: IDataObject[], options: INodeParameters = {}) => {
		const additionalFields = { extraBodyFields: '={{ { list: $json.list } }}' };
		const parameters = { ...createUsers(options), additionalFields };
		const report = await node.start({ parameters, rows });
		expect(saidBy(report)).toEqual(each('accepted', rows.length));
	};

	test('are 200 users who alternate between four lists in as many requests', async () => {
		await sendLists(rowsOf(200).map(({ id }, row) => ({ id, list: 'abcd'.charAt(row % 4) })));
		expect(bodies()).toHaveLength(4);
		for (const { list, nv } of bodies())
			expect(new Set(nv.map((user) => user.user_attributes?.list))).toEqual(new Set([list]));
	});

	test('are of the same users, and the last row of each remains', async () => {
		const rows = Array.from({ length: 600 }, (_, row) => ({
			id: idOf((row * 7) % 90),
			list: 'abcdef'.charAt((row * row + (row % 5)) % 6),
			version: row,
		}));
		node.sandbox.configure({ latencyMs: [0, 30] });
		await sendLists(rows, { batchSize: 20, concurrency: 10 });
		const stored = new Map(users().map((user) => [user.userID, user.user_attributes?.version]));
		expect(stored).toEqual(new Map(rows.map(({ id, version }) => [id, version])));
		expect(bodies().length).toBeLessThan(600);
	});
});

describe('Of 1,000 users in batches, 7 of whom the service refuses,', () => {
	const rows = rowsOf(1_000);
	const bad = [3, 99, 100, 250, 251, 777, 999];
	/** One request for the batch, and for each bad row two more for each time that 100 can be halved. */
	const mostRequests = 10 + bad.length * 2 * 7;
	beforeEach(() => node.sandbox.configure({ rejectUserIDs: bad.map((row) => idOf(row)) }));

	test('these are named and all others created once', async () => {
		const told = toldBy(await send(rows, { batchSize: 100 }));
		expect(told.map(({ item }) => item)).toEqual(rows.map((_, row) => row));
		expect(told.map(({ outcome }) => outcome)).toEqual(
			rows.map((_, row) => (bad.includes(row) ? 'rejected' : 'accepted')),
		);
		expect(told.map(({ details }) => details.userID)).toEqual(rows.map(({ id }) => id));

		const created = creations(node.sandbox.record);
		expect(created.size).toBe(993);
		expect([...created.values()].every((times) => times === 1)).toBe(true);
		expect(bodies().length).toBeLessThanOrEqual(mostRequests);
	});

	test('a stop names who was created, also by Retry On Fail', async () => {
		const options = { batchSize: 100, concurrency: 2 };
		const { error } = await send(rows, options, { retryOnFail: true, onError: undefined });
		const created = creations(node.sandbox.record);
		const refused = listedAs('Refused', error);
		const missing = new Set([...refused, ...listedAs('Not sent', error)]);
		const accepted = rows.filter((_, row) => !missing.has(row)).map(({ id }) => id);

		expect(refused.length).toBeGreaterThan(0);
		expect(refused.filter((row) => !bad.includes(row))).toEqual([]);
		expect([...created.keys()].sort()).toEqual(accepted);
		expect([...created.values()].every((times) => times === 1)).toBe(true);
		expect(error?.message).toContain(`. ${accepted.length} accepted, `);
	});
});
