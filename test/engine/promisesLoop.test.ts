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
