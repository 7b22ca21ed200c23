import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { execute } from '../support/engine';
import { useNewStore } from '../support/memoryStore';
import { accountOf, createUsers, idOf, roomySandbox, toldBy } from '../support/sends';

let sandbox: Sandbox;
beforeEach(async () => {
	useNewStore();
	sandbox = await roomySandbox();
});
afterEach(async () => await sandbox.close());

interface Row {
	id: string;
	list: string;
	version: number;
	[column: string]: string | number;
}

/** What the service holds, after each accepted request in the order in which they arrived. */
interface Body {
	list: string;
	nv: Array<{ userID: string; user_attributes?: { version: number; list: string } }>;
}
const arrived = () => sandbox.record.map(({ body }) => body as Body);

async function send(rows: Row[], parameters: INodeParameters = createUsers()) {
	const extraBodyFields = '={{ { list: $json.list } }}';
	return toldBy(
		await execute({
			parameters: { ...parameters, additionalFields: { extraBodyFields } },
			rows,
			credential: accountOf(sandbox),
		}),
	);
}

const alternating = (count: number, lists: string[]): Row[] =>
	Array.from({ length: count }, (_, row) => ({
		id: idOf(row),
		list: lists[row % lists.length] ?? '',
		version: row,
	}));

test.each([
	[['a', 'b'], 2],
	[['a', 'b', 'c', 'd'], 4],
])(
	'200 users whose Extra Body Fields alternate between %j need %d requests',
	async (lists, requests) => {
		const told = await send(alternating(200, lists));
		expect(told.map(({ outcome }) => outcome)).toEqual(Array(200).fill('accepted'));
		expect(sandbox.record).toHaveLength(requests);
		for (const { list, nv } of arrived()) {
			expect(new Set(nv.map(({ user_attributes }) => user_attributes?.list))).toEqual(
				new Set([list]),
			);
		}
	},
);

test('The last row of a user remains, although his rows have different Extra Body Fields', async () => {
	const rows = Array.from({ length: 600 }, (_, row) => ({
		id: idOf((row * 7) % 90),
		list: ['a', 'b', 'c', 'd', 'e', 'f'][(row * row + (row % 5)) % 6] ?? '',
		version: row,
	}));
	sandbox.configure({ latencyMs: [0, 30] });
	const told = await send(rows, createUsers({ batchSize: 20, concurrency: 10 }));
	expect(told.map(({ outcome }) => outcome)).toEqual(Array(600).fill('accepted'));
	const stored = new Map<string, number>();
	for (const { nv } of arrived()) {
		for (const { userID, user_attributes } of nv)
			stored.set(userID, user_attributes?.version ?? -1);
	}
	expect(stored).toEqual(new Map(rows.map(({ id, version }) => [id, version])));
	expect(sandbox.record.length).toBeLessThan(600);
});
