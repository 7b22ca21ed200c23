import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { wordsOf } from '../support/attempts';
import { executeInLoop } from '../support/loop';
import * as order from '../support/orders';
import { useNewStore } from '../support/memoryStore';
import { accountOf, createUsers, idOf, push, roomySandbox, rowsOf } from '../support/sends';

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

describe('A round of a loop that is refused says what earlier rounds sent:', () => {
	const five = rowsOf(5);
	const nextFive = rowsOf(5, 'v');
	test.each<[string, INodeParameters, object[], string]>([
		[
			'a bad row',
			push(),
			[...five, ...nextFive.slice(1), { id: '' }],
			'5 accepted. User ID is empty',
		],
		[
			'Max Messages',
			push({ maxMessages: 9 }),
			[...five, ...nextFive],
			'5 accepted. With this run, the execution would send 10 messages',
		],
		[
			'an event without a name',
			{ ...order.trackEvent, event_name: '={{ $json.name ?? "seen" }}' },
			[...five, { id: 'w', name: '' }],
			'5 accepted. Event Name is empty',
		],
		[
			'a user without an ID',
			{ ...createUsers(), userIdField: 'id' },
			[...five, { id: '' }],
			'5 accepted. ',
		],
	])('%s', async (_, parameters, rows, words) => {
		const { run } = await executeInLoop({
			parameters,
			rows: rows as typeof five,
			rowsPerRun: 5,
			credential: accountOf(sandbox),
		});
		const { message = '' } = run.data.resultData.error ?? {};
		expect(message).toContain(`Nothing more was sent. Earlier in this execution: ${words}`);
		expect(message).not.toContain('Nothing was sent');
		const { error: _error, ...runs } = run.data.resultData;
		expect(runs.runData['Customer Messaging']).toHaveLength(2);
	});

	test('Max Broadcasts', async () => {
		const { run } = await executeInLoop({
			parameters: order.pushToAll,
			rows: rowsOf(3),
			rowsPerRun: 1,
			credential: accountOf(sandbox),
		});
		expect(run.data.resultData.error?.message).toMatch(
			/^Nothing more was sent\. Earlier in this execution: 1 accepted\. This would make 2 broadcasts to everyone/,
		);
		expect(sandbox.accepted()).toHaveLength(1);
	});

	test('in a retry too, with what may have been delivered', async () => {
		useNewStore();
		sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText: idOf(3) }, first: 1 });
		const start = {
			parameters: push({ concurrency: 1 }),
			rows: [...rowsOf(8), { id: '' }],
			rowsPerRun: 4,
			credential: accountOf(sandbox),
		};
		const first = await executeInLoop(start);
		expect(wordsOf({ error: first.run.data.resultData.error })).toContain('3 accepted');
		const second = await executeInLoop({ ...start, retryOf: first.run });
		expect(second.run.data.resultData.error?.message).toMatch(
			/^Nothing more was sent\. Earlier in this execution: 7 accepted, 1 may have been delivered\. User ID is empty/,
		);
		const third = await executeInLoop({ ...start, retryOf: second.run });
		expect(third.run.data.resultData.error?.message).toMatch(
			/^Nothing more was sent\. Earlier in this execution: 7 accepted, 1 may have been delivered\. User ID is empty/,
		);
		expect(sandbox.accepted()).toHaveLength(8);
	});

	test('and nothing where no round sent anything', async () => {
		const { run } = await executeInLoop({
			parameters: push({ previewOnly: true }),
			rows: [...rowsOf(2), { id: '' }],
			rowsPerRun: 2,
			credential: accountOf(sandbox),
		});
		expect(run.data.resultData.error?.message).toMatch(/^Nothing was sent: User ID is empty/);
	});
});
