import type { NodeMemory } from '../../../nodes/CustomerMessaging/n8n/memory';
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

const rows = [{ id: 'C-1' }, { id: 'C-2' }];
const values = { response: {}, statusCode: 200, rateLimitRemaining: 5 };
const accepted = { kind: 'accepted', values } as const;
/** The next try of a run, of which an earlier one had reached the first row. */
async function nextTry(more = {}) {
	const context: NodeMemory = {};
	const first = await planPushes(rows, context);
	const { sent } = await reconcile(first.plan, first.run, first.n8n);
	const [delivery] = first.plan.deliveries;
	if (delivery) sent?.ledger.record(delivery, { ending: accepted, attempts: 1 });
	const next = await planPushes(rows, context, more);
	return await reconcile(next.plan, next.run, next.n8n);
}

test('The next try knows who was reached', async () => {
	const { plan, sent } = await nextTry();
	const known = plan.deliveries.map((delivery) => sent?.find(delivery)?.ending.kind);
	expect(known).toEqual(['accepted', undefined]);
});

test('A run that is stopped before it was compared tells the truth about each row', async () => {
	const untilStopped = async () => await Promise.resolve(undefined);
	const { plan } = await nextTry({ untilStopped });
	expect(plan.deliveries).toEqual([]);
	expect(plan.earlier.map(({ delivery, ending }) => [delivery.itemIndex, ending.kind])).toEqual([
		[0, 'accepted'],
		[1, 'notSent'],
	]);
});
