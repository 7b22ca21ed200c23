import { reconcile } from '../../../nodes/CustomerMessaging/plan/reconcile';
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

test('Reconciled with an earlier try, the next one knows who was reached, also if it is stopped before', async () => {
	const memory = { context: {}, runIndex: 0, execution: '1' };
	const nextTry = async (more = {}) => {
		const made = await planPushes([{ id: 'C-1' }, { id: 'C-2' }], {
			memory: () => memory,
			...more,
		});
		return await reconcile(made.plan, made.run, made.n8n);
	};
	const first = await nextTry();
	const [delivery] = first.plan.deliveries;
	const values = { response: {}, statusCode: 200, rateLimitRemaining: 5 };
	const accepted = { ending: { kind: 'accepted', values }, attempts: 1 } as const;
	if (delivery) first.sent?.ledger.record(delivery, accepted);
	const { plan, sent } = await nextTry();
	const known = plan.deliveries.map((one) => sent?.find(one)?.ending.kind);
	expect(known).toEqual(['accepted', undefined]);

	const stopped = await nextTry({ untilStopped: async () => await Promise.resolve(undefined) });
	expect(stopped.plan.deliveries).toEqual([]);
	expect(stopped.plan.earlier.map(({ ending }) => ending.kind)).toEqual(['accepted', 'notSent']);
});
