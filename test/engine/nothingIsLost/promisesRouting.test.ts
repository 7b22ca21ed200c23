import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { execute } from '../support/engine';
import { accountOf, idOf, push, roomySandbox, rowsOf } from '../support/sends';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await roomySandbox();
	sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: idOf(1) } });
});

afterEach(() => sandbox.close());

test('A failed item leaves by the error output with its input row, and an accepted one by the first output', async () => {
	const { output, failed } = await execute({
		parameters: push(),
		rows: rowsOf(3),
		credential: accountOf(sandbox),
		onError: 'continueErrorOutput',
	});

	expect(output.map(({ json, pairedItem }) => [json.outcome, pairedItem])).toEqual([
		['accepted', { item: 0 }],
		['accepted', { item: 2 }],
	]);
	expect(failed.map(({ json, pairedItem }) => [json.id, json.error, pairedItem])).toEqual([
		[
			idOf(1),
			`The service refused the push to ${idOf(1)} (400): Caused by a fault of the sandbox`,
			{ item: 1 },
		],
	]);
	expect(failed[0]?.json.details).toMatchObject({ outcome: 'rejected', statusCode: 400 });
});

const failing = async (rows: IDataObject[], changes: INodeParameters = {}) =>
	(
		await execute({
			parameters: { ...push(), ...changes },
			rows,
			credential: accountOf(sandbox),
			onError: 'continueErrorOutput',
		})
	).failed.map(({ json }) => json);

const ofNodeBefore = { outcome: 'accepted', platform: 'ios' };

test('A failed item has its own outcome, not that of the node before', async () => {
	const [refused] = await failing([{ id: idOf(1), ...ofNodeBefore }]);
	expect(refused).toEqual({
		id: idOf(1),
		platform: 'ios',
		error: expect.stringContaining('(400)') as string,
		outcome: 'rejected',
		user_id: idOf(1),
		details: expect.objectContaining({ outcome: 'rejected' }) as object,
	});

	const [invalid] = await failing([{ id: '', ...ofNodeBefore }]);
	expect(invalid).toEqual({
		id: '',
		platform: 'ios',
		error: expect.stringContaining('User ID') as string,
		outcome: 'invalid',
		details: expect.objectContaining({ outcome: 'invalid' }) as object,
	});
});

test.each([
	['a value of its own', 'of the row'],
	['null', null],
	['nothing', ''],
])(
	'A failed item keeps a column called like the recipient that holds %s',
	async (_what, user_id) => {
		const [refused] = await failing([{ id: idOf(1), user_id }]);
		expect(refused).toMatchObject({ user_id, outcome: 'rejected' });
	},
);

test('A failed item of a run that cannot begin has its own outcome too', async () => {
	const [refused] = await failing([{ id: idOf(1), ...ofNodeBefore }], {
		options: { concurrency: 'x' },
	});
	expect(refused).toMatchObject({ id: idOf(1), outcome: 'invalid' });
	expect(refused).not.toHaveProperty('user_id');
});

test('With Continue, a failed item has the same fields', async () => {
	const { output } = await execute({
		parameters: push(),
		rows: [{ id: idOf(1), ...ofNodeBefore }],
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
	});
	expect(Object.keys(output[0]?.json ?? {})).toEqual(['error', 'outcome', 'user_id', 'details']);
	expect(output[0]?.json.outcome).toBe('rejected');
});
