import type { Sandbox } from '../../../sandbox';
import { execute, type Report } from '../support/engine';
import { ExecutionList } from '../support/executionList';
import { type LocalServer, startServer } from '../support/localServer';
import { keyCredential, useSandbox } from '../support/service';
import { createUsers, idOf, roomySandbox, accountOf, rowsOf, toldBy } from '../support/sends';

interface Users {
	nv: Array<{ userID: string; user_attributes: Record<string, unknown> }>;
}

const messagesOf = ({ hints }: Report) => hints.map(({ message }) => message);

describe('Against a service that refuses bodies above 40 kB', () => {
	let server: LocalServer;
	let created: string[];
	let sizes: number[];
	beforeEach(async () => {
		created = [];
		sizes = [];
		server = await startServer((response, _request, body) => {
			sizes.push(Buffer.byteLength(body));
			if (Buffer.byteLength(body) > 40_000) return response.writeHead(413).end();
			created.push(...(JSON.parse(body) as Users).nv.map(({ userID }) => userID));
			return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		});
	});
	afterEach(async () => await server.close());

	const rows = rowsOf(200).map(({ id }) => ({ id, about: 'x'.repeat(800) }));
	const send = async () =>
		await execute({
			parameters: createUsers(),
			rows,
			credential: keyCredential(server),
		});

	test('200 users with 800 characters each are created, each once', async () => {
		const report = await send();
		expect(created.sort()).toEqual(rows.map(({ id }) => id));
		expect(toldBy(report).map(({ item, outcome }) => [item, outcome])).toEqual(
			rows.map((_, item) => [item, 'accepted']),
		);
		// Each batch of 100 is refused whole (85 kB) and in halves (43 kB), and accepted in quarters.
		expect(sizes).toHaveLength(2 * (1 + 2 + 4));
	});

	test('a single user who is too large is refused and named', async () => {
		const report = await execute({
			parameters: createUsers(),
			rows: [{ id: 'a' }, { id: 'b', about: 'x'.repeat(50_000) }, { id: 'c' }],
			credential: keyCredential(server),
			onError: 'continueRegularOutput',
		});
		expect(toldBy(report).map(({ outcome }) => outcome)).toEqual([
			'accepted',
			'rejected',
			'accepted',
		]);
		expect(report.output[1]?.json.error).toBe(
			'The service or a proxy refused the request because it is too large (413)',
		);
		expect(created.sort()).toEqual(['a', 'c']);
	});
});

describe('A batch', () => {
	const sandbox = useSandbox();
	const send = async (rows: Array<{ id: string }>, options: object = {}) =>
		await execute({
			parameters: createUsers({ ...options }),
			rows,
			credential: keyCredential(sandbox()),
		});

	test('is closed before its body exceeds 1 MB', async () => {
		const rows = rowsOf(30).map(({ id }) => ({ id, about: 'x'.repeat(99_000) }));
		await send(rows);
		expect(sandbox().record.map(({ body }) => (body as Users).nv.length)).toEqual([10, 10, 10]);
	});
});

describe('Rows with the same user ID', () => {
	const sandbox = useSandbox();
	const rows = ['a', 'b', 'a', 'c', 'b', 'a'].map((id, version) => ({ id, version }));
	const send = async (options: object) =>
		await execute({
			parameters: createUsers({ ...options }),
			rows,
			credential: keyCredential(sandbox()),
		});

	test('are sent in their order, even in batches that leave at the same time', async () => {
		sandbox().configure({ latencyMs: [0, 30] });
		await send({ batchSize: 1, concurrency: 6 });
		sandbox().configure({ latencyMs: 0 });
		const versions = sandbox().record.flatMap(({ body }) => (body as Users).nv);
		const of = (id: string) =>
			versions
				.filter(({ userID }) => userID === id)
				.map(({ user_attributes: attributes }) => attributes.version);
		expect([of('a'), of('b'), of('c')]).toEqual([[0, 2, 5], [1, 4], [3]]);
	});

	test('are named in a hint, whether or not they share a batch', async () => {
		const hint =
			"2 user IDs occur more than once: 'a' (items 0, 2, 5), 'b' (items 1, 4). Their items are sent in the order of the input, so the values of the last item remain.";
		expect(messagesOf(await send({}))).toEqual([hint]);
		expect(messagesOf(await send({ batchSize: 1 }))).toEqual([hint]);
		expect(messagesOf(await send({ previewOnly: true }))).toContain(hint);
	});
});

test('A batch that is answered 422 is sent in halves, as after 400, and the row at fault is named', async () => {
	const sandbox = await roomySandbox();
	sandbox.faults.add({ kind: 'status', status: 422, match: { bodyText: idOf(5) } });
	const report = await execute({
		parameters: createUsers(),
		rows: rowsOf(8),
		credential: accountOf(sandbox),
		onError: 'continueErrorOutput',
	});
	expect(toldBy(report).map(({ outcome }) => outcome)).toEqual(
		rowsOf(8).map((_, item) => (item === 5 ? 'rejected' : 'accepted')),
	);
	expect(report.failed[0]?.json).toMatchObject({
		error: expect.stringContaining('The service refused user u000005 (422)') as unknown,
		details: { statusCode: 422 },
	});
	await sandbox.close();
});

describe('A retry that sends a row which failed before', () => {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await roomySandbox();
	});
	afterEach(async () => await sandbox.close());

	test('sends the later rows with its ID once more, so that their values remain', async () => {
		const rows = ['a', 'b', 'c', 'a'].map((id, version) => ({ id, version }));
		sandbox.faults.add({
			kind: 'status',
			status: 404,
			match: { bodyText: '"version":0' },
			first: 1,
		});
		const list = new ExecutionList();
		const first = await list.start({
			parameters: createUsers({ batchSize: 1, concurrency: 3 }),
			rows,
			credential: accountOf(sandbox),
			onError: 'continueRegularOutput',
			retryOnFail: true,
		});
		expect(toldBy(first).map(({ outcome }) => outcome)).toEqual([
			'accepted',
			'accepted',
			'accepted',
			'accepted',
		]);
		const stored = sandbox.record
			.filter(({ accepted }) => accepted)
			.flatMap(({ body }) => (body as Users).nv)
			.map(({ userID, user_attributes: { version } }) => `${userID}${String(version)}`);
		expect(stored.filter((one) => one.startsWith('a'))).toEqual(['a3', 'a0', 'a3']);
		expect(stored.filter((one) => !one.startsWith('a')).sort()).toEqual(['b1', 'c2']);
	});
});
