import type { Sandbox } from '../../sandbox';
import { executeInLoop } from './support/loop';
import { accountOf, idOf, push, roomySandbox, rowsOf } from './support/sends';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await roomySandbox();
});

afterEach(() => sandbox.close());

function acceptedIds(): string[] {
	return sandbox.accepted().map(({ body }) => (body as { user_id: string }).user_id);
}

test.each([false, true])(
	'In a loop each run sends its own rows, Retry On Fail %s',
	async (retryOnFail) => {
		const { runs } = await executeInLoop({
			parameters: push(),
			rows: rowsOf(9),
			rowsPerRun: 3,
			credential: accountOf(sandbox),
			retryOnFail,
		});

		expect(runs).toHaveLength(3);
		expect(acceptedIds().sort()).toEqual(rowsOf(9).map(({ id }) => id));
		expect(sandbox.record).toHaveLength(9);
	},
);

test('A later run of a loop that is tried again sends only what was not accepted in it', async () => {
	sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(4) }, first: 2 });
	const { run, runs } = await executeInLoop({
		parameters: push({ concurrency: 1 }),
		rows: rowsOf(9),
		rowsPerRun: 3,
		credential: accountOf(sandbox),
		retryOnFail: true,
	});

	expect(run.data.resultData.error).toBeUndefined();
	expect(runs.map(({ data }) => data?.main?.[0]?.map(({ json }) => json.outcome))).toEqual(
		[1, 2, 3].map(() => ['accepted', 'accepted', 'accepted']),
	);
	expect(acceptedIds()).toEqual(rowsOf(9).map(({ id }) => id));
	expect(sandbox.record).toHaveLength(11);
});

test('When one run of a loop is refused, only that run says so', async () => {
	sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: idOf(3) } });
	const { runs } = await executeInLoop({
		parameters: push(),
		rows: rowsOf(6),
		rowsPerRun: 2,
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
		retryOnFail: true,
	});

	const outcomes = runs.map(({ data }) =>
		data?.main?.[0]?.map(
			({ json }) => json.outcome ?? (json.details as { outcome: string }).outcome,
		),
	);
	expect(outcomes).toEqual([
		['accepted', 'accepted'],
		['accepted', 'rejected'],
		['accepted', 'accepted'],
	]);
	expect(sandbox.record).toHaveLength(6);
});

test('a list that is sent in parts with Send Once goes on where an earlier execution ended', async () => {
	const inParts = async (rowCount: number) =>
		await executeInLoop({
			parameters: { ...push(), sendOnce: true, sendOnceKey: 'spring' },
			rows: rowsOf(rowCount),
			rowsPerRun: 3,
			credential: accountOf(sandbox),
			onError: 'continueErrorOutput',
		});
	await inParts(5);
	const { runs } = await inParts(9);

	expect(runs.map(({ data }) => data?.main?.[0]?.map(({ json }) => json.outcome))).toEqual([
		['skipped', 'skipped', 'skipped'],
		['skipped', 'skipped', 'accepted'],
		['accepted', 'accepted', 'accepted'],
	]);
	expect(acceptedIds().sort()).toEqual(rowsOf(9).map(({ id }) => id));
});
