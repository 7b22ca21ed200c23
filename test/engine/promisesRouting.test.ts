import type { Sandbox } from '../../sandbox';
import { execute } from './support/engine';
import { accountOf, idOf, push, roomySandbox, rowsOf } from './support/sends';

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
