import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import {
	type Bench,
	outcomesOf,
	output,
	pathsOf,
	requestsOf,
	retry,
	runByHand,
	runByWebhook,
	succeeded,
	usersReached,
	valuesOf,
} from '../bench';
import { createExample, example } from '../examples';

type Requests = ReturnType<typeof requestsOf>;

function assertOnEveryPlatform(pushes: Requests, body: object): void {
	assert.deepEqual(
		pushes.sort((one, other) => one.path.localeCompare(other.path)),
		['android', 'ios', 'web'].map((platform) => ({ path: `/api/v1/${platform}/send`, body })),
	);
}

const customer = { name: 'Asha Rao', email: 'asha@example.com' };
const asha = { ...customer, mobile: '+447700900101' };
const attributes = { ...asha, plan: 'pro' };

export async function newCrmRow(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'new-crm-row-to-users-and-welcome-push.json');
	const userID = 'C-1001';
	const run = await succeeded(runByWebhook(bench, workflow, { userID, ...attributes }));
	for (const { outcome } of run.arrivals) assert.equal(outcome, 'accepted');
	const [user, ...pushes] = requestsOf(run);
	assert.deepEqual(
		user,
		{ path: '/api/v1/user/create', body: { nv: [{ userID, user_attributes: attributes }] } },
		'the user comes before the welcome',
	);
	assertOnEveryPlatform(pushes, {
		user_id: userID,
		title: 'Welcome, Asha Rao!',
		message: 'You are on the pro plan. Have a look around.',
		url: 'https://shop.example.com/welcome?user=C-1001',
	});
	assert.equal(output(run.data, 'Done').length, 3);

	await badRow(bench, workflow);
	await onePlatformRefused(bench, workflow);
}

async function badRow(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const bad = { userID: 'C-1002', name: 'Nobody', email: 'not an address' };
	const run = await runByWebhook(bench, workflow, bad);
	assert.deepEqual(run.arrivals, [], 'a bad row is not sent');
	const [[whatHappened, ...kept] = [], ...others] = valuesOf(
		run,
		'Log',
		...['whatHappened', 'outcome', ...Object.keys(bad)],
	);
	assert.deepEqual(others, []);
	assert.deepEqual(kept, ['invalid', ...Object.values(bad)], 'the row is kept');
	assert.equal(run.status, 'error', 'and the run stands out');
	const advice = 'Retry sends nothing: call the webhook again with this row';
	assert.equal(run.data.resultData.error?.message, `C-1002: ${String(whatHappened)}. ${advice}`);
}

async function onePlatformRefused(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const row = { userID: 'C-1003', ...attributes };
	const failed = await runByWebhook(bench, workflow, row, ({ faults }) =>
		faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } }),
	);
	assert.equal(failed.arrivals.length, 4, 'none was tried again');
	assert.deepEqual(valuesOf(failed, 'Done', 'platform'), [['web'], ['android']]);
	assert.deepEqual(valuesOf(failed, 'Log', 'userID', 'outcome'), [['C-1003', 'rejected']]);
	assert.equal(failed.status, 'error');

	// n8n begins a retry at Stop and Error, the node that failed, so nothing reaches the service.
	const { arrivals } = await retry(bench, failed);
	assert.deepEqual(arrivals, [], 'Retry after an error branch sends nothing');

	// Send Once makes it safe to call the webhook again: only the platform that refused gets its push.
	for (const paths of [['/api/v1/user/create', '/api/v1/ios/send'], ['/api/v1/user/create']]) {
		const again = await succeeded(runByWebhook(bench, workflow, row));
		assert.deepEqual(pathsOf(again), paths);
	}
}

const items = [
	{ sku: 'SHOE-42', quantity: 1, price: 89.9 },
	{ sku: 'SOCK-3', quantity: 3, price: 13.3 },
];
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
	assertOnEveryPlatform(pushes, {
		user_id: 'C-3001',
		title: 'Thank you, Asha Rao!',
		message: 'We are packing your order S-2001.',
		url: 'https://shop.example.com/orders?number=S-2001',
	});
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

const ben = { name: 'Ben Okoye', email: 'ben@example.com', mobile: '+447700900102' };
const carla = { name: 'Carla Diaz', mobile: '+447700900103' };

interface Expected {
	trigger: string;
	event_name: string;
	/** The attributes of the users, and beside them those that their events have too, by user ID. */
	users: Record<string, [attributes: object, ofEvent?: object]>;
	/** The text of the push to the first user, the only one who agreed. */
	push: { title: string; message: string };
}

export async function hubspotContacts(bench: Bench): Promise<void> {
	await fromPinned(bench, 'hubspot-contact-to-user-event-and-push.json', {
		trigger: 'New contact',
		event_name: 'Contact Created',
		users: {
			1001: [asha, { lifecycle_stage: 'customer' }],
			1002: [ben, { lifecycle_stage: 'lead' }],
			1003: [carla, { lifecycle_stage: 'lead' }],
		},
		push: { title: 'Welcome, Asha!', message: 'Have a look around.' },
	});
}

export async function googleSheetsRows(bench: Bench): Promise<void> {
	await fromPinned(bench, 'google-sheets-row-to-user-event-and-push.json', {
		trigger: 'New row',
		event_name: 'Signed Up',
		users: { 2001: [asha, { plan: 'pro' }], 2002: [ben, { plan: 'free' }], 2003: [carla] },
		push: {
			title: 'Welcome, Asha Rao!',
			message: 'You are on the pro plan. Have a look around.',
		},
	});
}

/** Runs an example by hand with its pinned data: its trigger has no account, so it cannot be activated. */
async function fromPinned(
	bench: Bench,
	file: string,
	{ trigger, event_name, users, push }: Expected,
): Promise<void> {
	const workflow = await bench.client.createWorkflow(example(bench, file));
	const run = await succeeded(runByHand(bench, workflow, trigger));
	const [user, event, ...pushes] = requestsOf(run);
	const rowsOf = (request?: { body: unknown }) => (request?.body as { nv: object[] }).nv;
	assert.deepEqual(
		rowsOf(user),
		Object.entries(users).map(([userID, [attributes, ofEvent]]) => ({
			...{ userID, user_attributes: { ...attributes, ...ofEvent } },
		})),
	);
	assert.deepEqual(
		rowsOf(event).map((one) => ({ ...one, event_time: '' })),
		Object.entries(users).map(([userID, [, attributes]]) => ({
			...{ userID, event_name, ...(attributes && { attributes }), event_time: '' },
		})),
	);
	const [user_id = ''] = Object.keys(users);
	assertOnEveryPlatform(pushes, { user_id, ...push, url: 'https://shop.example.com/welcome' });
	assert.equal(output(run.data, 'Done').length, 3);

	const again = await succeeded(runByHand(bench, workflow, trigger));
	assert.deepEqual(pathsOf(again), ['/api/v1/user/create'], 'only users are stored again');
}

const everyPlatform = (ids: string[]) => ids.flatMap((id) => [id, id, id]);

/** The example sends to nobody who has not agreed. */
export async function pushWithConsent(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'push-to-users-with-consent.json');
	const byHand = await succeeded(runByHand(bench, workflow, 'Rows by webhook'));
	assert.deepEqual(usersReached(byHand), everyPlatform(['U-1001']));

	const values = [true, 'yes', 1, false, 'no', 0, '', null, undefined];
	const rows = values.map((consent, index) => ({ userID: `P-${index}`, name: 'Asha', consent }));
	const run = await succeeded(runByWebhook(bench, workflow, { rows }));
	assert.deepEqual(usersReached(run).sort(), everyPlatform(['P-0', 'P-1', 'P-2']));
	assert.equal(output(run.data, 'Sent').length, 9);
	const skipped = output(run.data, 'Send push').filter(({ json }) => json.reason === 'noConsent');
	assert.equal(skipped.length, 18);

	const unclear = [{ userID: 'P-1', name: 'Asha', consent: 'subscribed' }];
	const refused = await runByWebhook(bench, workflow, { rows: unclear });
	assert.deepEqual(refused.arrivals, []);
	assert.match(String(output(refused.data, 'Not sent')[0]?.json.whatHappened), /'subscribed'/);
}
