import type { NodeMemory } from '../../../nodes/CustomerMessaging/n8n/memory';
import { reconcile } from '../../../nodes/CustomerMessaging/plan/reconcile';
import { planPushes } from '../support/planned';

const rows = [{ id: 'C-1' }, { id: 'C-2' }];
const values = { response: {}, statusCode: 200, rateLimitRemaining: 5 };
const accepted = { kind: 'accepted', values } as const;
/** The next try of a run, of which an earlier one had reached the first row. */
async function nextTry(later = rows, more = {}) {
	const context: NodeMemory = {};
	const first = await planPushes(rows, {}, { context });
	const { sent } = await reconcile(first.plan, first.run, first.n8n);
	const [delivery] = first.plan.deliveries;
	if (delivery) sent?.ledger.record(delivery, { ending: accepted, attempts: 1 });
	const next = await planPushes(later, {}, { context, ...more });
	return { ...(await reconcile(next.plan, next.run, next.n8n)), planned: next.plan };
}

test('A first try knows of nothing that was sent', async () => {
	const { plan, run, n8n } = await planPushes(rows);
	const { plan: compared, sent } = await reconcile(plan, run, n8n);
	expect([compared.deliveries, compared.earlier]).toEqual([plan.deliveries, []]);
	expect(plan.deliveries.map((delivery) => sent?.find(delivery))).toEqual([undefined, undefined]);
});

test('The next try knows who was reached', async () => {
	const { plan, sent } = await nextTry();
	expect(plan.deliveries.map((delivery) => sent?.find(delivery)?.ending.kind)).toEqual([
		...['accepted', undefined],
	]);
});

test('A row that was reached, and cannot be sent now, keeps its ending', async () => {
	const { plan } = await nextTry([{} as never, { id: 'C-2' }]);
	expect(plan.invalid).toEqual([]);
	expect(plan.earlier).toMatchObject([
		{ delivery: { itemIndex: 0 }, ending: accepted, sentBefore: true },
	]);
});

test('A run that is stopped before it was compared tells the truth about each row', async () => {
	const untilStopped = async () => await Promise.resolve(undefined);
	const { plan } = await nextTry(rows, { untilStopped });
	expect(plan.deliveries).toEqual([]);
	expect(plan.earlier.map(({ delivery, ending }) => [delivery.itemIndex, ending.kind])).toEqual([
		[0, 'accepted'],
		[1, 'notSent'],
	]);
});
