import assert from 'node:assert/strict';
import {
	outcomesOf,
	output,
	pathsOf,
	requestsOf,
	runByWebhook,
	succeeded,
	valuesOf,
	type Bench,
} from '../bench';
import { createExample } from '../examples';

const items = [
	{ sku: 'SHOE-42', quantity: 1, price: 89.9 },
	{ sku: 'SOCK-3', quantity: 3, price: 13.3 },
];
const customer = { name: 'Asha Rao', email: 'asha@example.com' };
const large = {
	number: 'S-2001',
	placedAt: '2026-11-20T10:30:00+01:00',
	total: 129.8,
	currency: 'EUR',
	customer: { id: 'C-3001', ...customer },
	items,
};
const [USER, EVENT] = ['/api/v1/user/create', '/api/v1/event/create'];

export async function shopOrder(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'shop-order-to-user-event-and-push.json');
	const run = await succeeded(runByWebhook(bench, workflow, large));
	const [user, event, ...pushes] = requestsOf(run);
	const user_attributes = { ...customer, last_order: 'S-2001', last_order_total: 129.8 };
	assert.deepEqual(user, { path: USER, body: { nv: [{ userID: 'C-3001', user_attributes }] } });
	const placed = {
		userID: 'C-3001',
		event_name: 'Order Placed',
		ltv: 129.8,
		attributes: { order: 'S-2001', total: 129.8, currency: 'EUR', items },
		event_time: '2026-11-20 09:30:00',
	};
	assert.deepEqual(event, { path: EVENT, body: { nv: [placed] } });
	assert.deepEqual(
		pushes.sort((one, other) => one.path.localeCompare(other.path)),
		['android', 'ios', 'web'].map((platform) => ({
			path: `/api/v1/${platform}/send`,
			body: {
				user_id: 'C-3001',
				title: 'Thank you, Asha Rao!',
				message: 'We are packing your order S-2001.',
				url: 'https://shop.example.com/orders?number=S-2001',
			},
		})),
	);
	for (const { outcome } of run.arrivals) assert.equal(outcome, 'accepted');

	const again = await succeeded(runByWebhook(bench, workflow, large));
	assert.deepEqual(pathsOf(again), [USER], 'an order that comes again only updates the user');
	assert.deepEqual(outcomesOf(again, 'Thank by push'), ['skipped', 'skipped', 'skipped']);
	assert.deepEqual(output(again.data, 'Done'), [], 'what is skipped is not sent again');

	const small = { ...large, number: 'S-2002', total: 20 };
	assert.deepEqual(pathsOf(await succeeded(runByWebhook(bench, workflow, small))), [USER, EVENT]);

	const bad = { ...large, number: 'S-2003', customer: { id: 'C-3003', email: 'no address' } };
	const refused = await runByWebhook(bench, workflow, bad);
	assert.deepEqual(refused.arrivals, [], 'no event without its user');
	assert.deepEqual(valuesOf(refused, 'Log', 'order', 'outcome'), [['S-2003', 'invalid']]);
	assert.equal(refused.status, 'error', 'and the run stands out');
}
