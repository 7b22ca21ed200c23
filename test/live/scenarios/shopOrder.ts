import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { assertSucceeded, create, output, runByWebhook, type Bench } from '../bench';
import { example } from '../examples';

const items = [
	{ sku: 'SHOE-42', quantity: 1, price: 89.9 },
	{ sku: 'SOCK-3', quantity: 3, price: 13.3 },
];
const large = {
	number: 'S-2001',
	placedAt: '2026-11-20T10:30:00+01:00',
	total: 129.8,
	currency: 'EUR',
	customer: { id: 'C-3001', name: 'Asha Rao', email: 'asha@example.com' },
	items,
};

export async function shopOrder(bench: Bench): Promise<void> {
	const workflow = await create(bench, example(bench, 'shop-order-to-user-event-and-push.json'));
	await largeOrder(bench, workflow);
	await sameOrderAgain(bench, workflow);
	await smallOrder(bench, workflow);
	await userNotCreated(bench, workflow);
}

async function largeOrder(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const run = await runByWebhook(bench, workflow, 'shop-order', large);
	assertSucceeded(run);
	const [user, event, ...pushes] = run.arrivals;
	assert.deepEqual(
		[user, event].map((arrival) => [arrival?.path, arrival?.outcome, arrival?.body]),
		[
			[
				'/api/v1/user/create',
				'accepted',
				{
					nv: [
						{
							userID: 'C-3001',
							user_attributes: {
								name: 'Asha Rao',
								email: 'asha@example.com',
								last_order: 'S-2001',
								last_order_total: 129.8,
							},
						},
					],
				},
			],
			[
				'/api/v1/event/create',
				'accepted',
				{
					nv: [
						{
							userID: 'C-3001',
							event_name: 'Order Placed',
							ltv: 129.8,
							attributes: { order: 'S-2001', total: 129.8, currency: 'EUR', items },
							event_time: '2026-11-20 09:30:00',
						},
					],
				},
			],
		],
	);
	assert.deepEqual(pushes.map(({ path }) => path).sort(), [
		'/api/v1/android/send',
		'/api/v1/ios/send',
		'/api/v1/web/send',
	]);
	for (const { body } of pushes) {
		assert.deepEqual(body, {
			user_id: 'C-3001',
			title: 'Thank you, Asha Rao!',
			message: 'We are packing your order S-2001.',
			url: 'https://shop.example.com/orders?number=S-2001',
		});
	}
}

async function sameOrderAgain(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const run = await runByWebhook(bench, workflow, 'shop-order', large);
	assertSucceeded(run);
	assert.deepEqual(
		run.arrivals.map(({ path }) => path),
		['/api/v1/user/create'],
		'an order that comes again only updates the user',
	);
	assert.deepEqual(
		output(run.data, 'Thank by push').map(({ json }) => json.outcome),
		['skipped', 'skipped', 'skipped'],
	);
	assert.deepEqual(output(run.data, 'Done'), [], 'what is skipped is not sent again');
}

async function smallOrder(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const small = { ...large, number: 'S-2002', total: 20 };
	const run = await runByWebhook(bench, workflow, 'shop-order', small);
	assertSucceeded(run);
	assert.deepEqual(
		run.arrivals.map(({ path }) => path),
		['/api/v1/user/create', '/api/v1/event/create'],
	);
}

async function userNotCreated(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const bad = { ...large, number: 'S-2003', customer: { id: 'C-3003', email: 'no address' } };
	const { status, data, arrivals } = await runByWebhook(bench, workflow, 'shop-order', bad);
	assert.deepEqual(arrivals, [], 'no event without its user');
	assert.deepEqual(
		output(data, 'Log').map(({ json }) => [json.order, json.outcome]),
		[['S-2003', 'invalid']],
	);
	assert.equal(status, 'error', 'and the run stands out');
}
