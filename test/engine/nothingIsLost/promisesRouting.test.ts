import type { INodeParameters } from 'n8n-workflow';

import type { Course } from '../support/executionList';
import { useNode } from '../support/node';
import { idOf, push, rowsOf, toldBy } from '../support/sends';

const node = useNode({ onError: 'continueErrorOutput' });

describe('A failed item', () => {
	const send = async (ids: string[], before: object = {}, more: Course = {}) => {
		node.sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: idOf(1) } });
		return await node.start({ rows: ids.map((id) => ({ id, ...before })), ...more });
	};
	const ofNodeBefore = { outcome: 'accepted', platform: 'ios' };
	const told = (outcome: string, error: string) => ({
		error: expect.stringContaining(error) as string,
		outcome,
		details: expect.objectContaining({ outcome }) as object,
	});

	test('leaves by the error output with its input row, and an accepted one by the first output', async () => {
		const { output, failed } = await send([0, 1, 2].map((row) => idOf(row)));
		expect(output.map(({ json, pairedItem }) => [json.outcome, pairedItem])).toEqual([
			['accepted', { item: 0 }],
			['accepted', { item: 2 }],
		]);
		const error = `The service refused the push to ${idOf(1)} (400): Caused by a fault of the sandbox`;
		expect(failed).toMatchObject([{ json: { id: idOf(1), error }, pairedItem: { item: 1 } }]);
	});

	test('has its own outcome, not that of the node before', async () => {
		const { failed } = await send([idOf(1), ''], ofNodeBefore);
		const ids = { id: idOf(1), user_id: idOf(1) };
		expect(failed.map(({ json }) => json)).toEqual([
			{ ...ids, platform: 'ios', ...told('rejected', '(400)') },
			{ id: '', platform: 'ios', ...told('invalid', 'User ID') },
		]);
	});

	test.each(['of the row', null, ''])('keeps a column user_id that holds %j', async (user_id) => {
		const { failed } = await send([idOf(1)], { user_id });
		expect(failed[0]?.json).toMatchObject({ user_id, outcome: 'rejected' });
	});

	test('of a run that cannot begin has its own outcome too', async () => {
		const parameters: INodeParameters = push({ concurrency: 'x' });
		const { failed } = await send([idOf(1)], ofNodeBefore, { parameters });
		expect(failed[0]?.json).toMatchObject({ id: idOf(1), outcome: 'invalid' });
		expect(failed[0]?.json).not.toHaveProperty('user_id');
	});

	test('has the same fields with Continue', async () => {
		const goingOn = { onError: 'continueRegularOutput' } as const;
		const { output } = await send([idOf(1)], ofNodeBefore, goingOn);
		expect(Object.keys(output[0]?.json ?? {})).toEqual(['error', 'outcome', 'user_id', 'details']);
		expect(output[0]?.json.outcome).toBe('rejected');
	});
});

test('The output keeps the order of the input, however long each response takes', async () => {
	node.sandbox.configure({ latencyMs: [0, 60] });
	node.sandbox.faults.add({ kind: 'status', status: 400, every: 7 });
	const platforms = ['android', 'ios', 'web'];
	const parameters = push({ concurrency: 25 }, platforms);
	const onError = 'continueRegularOutput';
	const { output } = await node.start({ parameters, rows: rowsOf(100), onError });
	const given = output.flatMap((one) => toldBy({ output: [one], failed: [] }));
	expect(given.map(({ item, details }) => [item, details.platform])).toEqual(
		rowsOf(100).flatMap((_, row) => platforms.map((platform) => [row, platform])),
	);
	expect(node.sandbox.record).toHaveLength(300);
});

test.each([1, 7])('No more than %s requests are ever under way', async (concurrency) => {
	const { server, output } = await node.against(
		(response) => setTimeout(() => response.end('{}'), Math.random() * 10),
		{ parameters: push({ concurrency }), rows: rowsOf(100) },
	);
	expect(output).toHaveLength(100);
	expect(server.mostAtOnce).toBe(concurrency);
});
