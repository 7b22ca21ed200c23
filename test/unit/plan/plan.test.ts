import { planPushes } from '../support/planned';

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
