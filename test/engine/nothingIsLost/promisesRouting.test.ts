import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { execute } from '../support/engine';
import { startServer } from '../support/localServer';
import { accountOf, idOf, push, roomySandbox, rowsOf } from '../support/sends';
import { keyCredential } from '../support/service';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await roomySandbox();
});

afterEach(() => sandbox.close());

const itemOf = ({ pairedItem }: { pairedItem?: unknown }) => (pairedItem as { item: number }).item;

describe('A failed item', () => {
	beforeEach(() => {
		sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: idOf(1) } });
	});
	const send = async (
		rows: IDataObject[],
		changes: INodeParameters = {},
		onError: 'continueErrorOutput' | 'continueRegularOutput' = 'continueErrorOutput',
	) =>
		await execute({
			parameters: { ...push(), ...changes },
			rows,
			credential: accountOf(sandbox),
			onError,
		});
	const ofNodeBefore = { outcome: 'accepted', platform: 'ios' };
	const told = (outcome: string, error: string) => ({
		error: expect.stringContaining(error) as string,
		outcome,
		details: expect.objectContaining({ outcome }) as object,
	});

	test('leaves by the error output with its input row, and an accepted one by the first output', async () => {
		const { output, failed } = await send(rowsOf(3));
		expect(output.map(({ json, pairedItem }) => [json.outcome, pairedItem])).toEqual([
			['accepted', { item: 0 }],
			['accepted', { item: 2 }],
		]);
		const error = `The service refused the push to ${idOf(1)} (400): Caused by a fault of the sandbox`;
		expect(failed).toMatchObject([{ json: { id: idOf(1), error }, pairedItem: { item: 1 } }]);
		expect(failed[0]?.json.details).toMatchObject({ outcome: 'rejected', statusCode: 400 });
	});

	test('has its own outcome, not that of the node before', async () => {
		const { failed } = await send([idOf(1), ''].map((id) => ({ id, ...ofNodeBefore })));
		const ids = { id: idOf(1), user_id: idOf(1) };
		expect(failed.map(({ json }) => json)).toEqual([
			{ ...ids, platform: 'ios', ...told('rejected', '(400)') },
			{ id: '', platform: 'ios', ...told('invalid', 'User ID') },
		]);
	});

	test.each([
		['a value of its own', 'of the row'],
		['null', null],
		['nothing', ''],
	])('keeps a column called like the recipient that holds %s', async (_what, user_id) => {
		const { failed } = await send([{ id: idOf(1), user_id }]);
		expect(failed[0]?.json).toMatchObject({ user_id, outcome: 'rejected' });
	});

	test('of a run that cannot begin has its own outcome too', async () => {
		const options = { concurrency: 'x' };
		const { failed } = await send([{ id: idOf(1), ...ofNodeBefore }], { options });
		expect(failed[0]?.json).toMatchObject({ id: idOf(1), outcome: 'invalid' });
		expect(failed[0]?.json).not.toHaveProperty('user_id');
	});

	test('has the same fields with Continue', async () => {
		const { output } = await send([{ id: idOf(1), ...ofNodeBefore }], {}, 'continueRegularOutput');
		expect(Object.keys(output[0]?.json ?? {})).toEqual(['error', 'outcome', 'user_id', 'details']);
		expect(output[0]?.json.outcome).toBe('rejected');
	});
});

test('The output keeps the order of the input, however long each response takes', async () => {
	sandbox.configure({ latencyMs: [0, 60] });
	sandbox.faults.add({ kind: 'status', status: 400, every: 7 });
	const platforms = ['android', 'ios', 'web'];
	const { output } = await execute({
		parameters: push({ concurrency: 25 }, platforms),
		rows: rowsOf(100),
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
	});

	const given = output.map((one) => [
		itemOf(one),
		one.json.platform ?? (one.json.details as { platform: string }).platform,
	]);
	expect(given).toEqual(
		rowsOf(100).flatMap((_, row) => platforms.map((platform) => [row, platform])),
	);
	const arrived = sandbox.record.map(
		({ platform, body }) => `${platform} ${(body as { user_id: string }).user_id}`,
	);
	expect(new Set(arrived).size).toBe(300);
});

test.each([1, 7])('No more than %s requests are ever under way', async (concurrency) => {
	const service = await startServer((response) => {
		setTimeout(() => response.end('{}'), Math.random() * 10);
	});
	const { output } = await execute({
		parameters: push({ concurrency }),
		rows: rowsOf(100),
		credential: keyCredential(service),
	});
	expect(output).toHaveLength(100);
	expect(service.mostAtOnce).toBe(concurrency);
	await service.close();
});
