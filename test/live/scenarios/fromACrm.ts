import assert from 'node:assert/strict';
import { output, pathsOf, runByHand, succeeded, type Bench } from '../bench';
import { example } from '../examples';

const asha = { name: 'Asha Rao', email: 'asha@example.com', mobile: '+447700900101' };
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
	const [user, event, ...pushes] = run.arrivals.map(({ body }) => body as { nv: object[] });
	assert.deepEqual(
		user?.nv,
		Object.entries(users).map(([userID, [attributes, ofEvent]]) => ({
			...{ userID, user_attributes: { ...attributes, ...ofEvent } },
		})),
	);
	assert.deepEqual(
		event?.nv.map((one) => ({ ...one, event_time: '' })),
		Object.entries(users).map(([userID, [, attributes]]) => ({
			...{ userID, event_name, ...(attributes && { attributes }), event_time: '' },
		})),
	);
	const [user_id = ''] = Object.keys(users);
	const sent = { user_id, ...push, url: 'https://shop.example.com/welcome' };
	assert.deepEqual(pushes, [sent, sent, sent]);
	assert.equal(output(run.data, 'Done').length, 3);

	const again = await succeeded(runByHand(bench, workflow, trigger));
	assert.deepEqual(pathsOf(again), ['/api/v1/user/create'], 'only users are stored again');
}
