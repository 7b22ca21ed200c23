import { planPushes } from '../support/planned';

const people = [{ id: 'C-1' }, { id: 'C-2' }];

test('Rows that can be sent become deliveries in their order, and the others say why', async () => {
	const { plan } = await planPushes([{ id: 'C-1' }, {}, { id: 'C-3' }]);
	expect(plan.deliveries.map(({ itemIndex, to }) => [itemIndex, to])).toEqual([
		[0, { user_id: 'C-1' }],
		[2, { user_id: 'C-3' }],
	]);
	const problems = [{ field: 'user_id' }];
	expect(plan.invalid).toMatchObject([
		{ delivery: { itemIndex: 1 }, ending: { kind: 'invalid', values: { problems } } },
	]);
	expect([plan.itemCount, plan.isStopped, plan.concernsAll]).toEqual([3, false, undefined]);
});

test('More messages than allowed are refused as a whole', async () => {
	const { plan } = await planPushes(people, { options: { maxMessages: 1 } });
	expect(plan.deliveries).toEqual([]);
	expect(plan.concernsAll).toEqual([
		{
			field: 'maxMessages',
			rule: 'This run would send 2 messages, and Max Messages is 1. If that is meant, raise it under Options',
		},
	]);
});

test('The same message to the same person again is left out', async () => {
	const { plan } = await planPushes([...people, { id: 'C-1' }]);
	expect(plan.leftOut).toMatchObject([
		{ delivery: { itemIndex: 2 }, ending: { code: 'sameMessage', values: { firstItem: 0 } } },
	]);
});

test('By hand, one person is sent to, and a list is only shown', async () => {
	const byHand = { mode: 'manual' } as const;
	const one = await planPushes([{ id: 'C-1' }], {}, byHand);
	expect([one.run.mode.kind, one.plan.deliveries.length]).toEqual(['send', 1]);
	const list = await planPushes(people, {}, byHand);
	expect(list.run.mode).toEqual({ kind: 'show', because: 'list' });
});
