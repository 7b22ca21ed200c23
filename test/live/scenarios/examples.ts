import assert from 'node:assert/strict';
import { DateTime } from 'luxon';
import { platforms, playSteps, type Step, toEach } from '../examplePlay';
import { everywhere, newest } from '../scenario';

const CREATE = 'user/create';
const EVENT = 'event/create';
const SEND = 'sendMessage';
const SHOP = 'https://shop.example.com';

const eachPath = (operation = 'send') => platforms.map((platform) => `${platform}/${operation}`);
const list = (...nv: object[]) => ({ nv });
const creates = (...users: object[]): Step['sends'][number] => [CREATE, list(...users)];
const user = (userID: string, user_attributes: object) => ({ userID, user_attributes });
const refusing =
	(status: number, match: object): Step['prepare'] =>
	({ faults }) =>
		faults.add({ kind: 'status', status, match });

/** What an example makes of what arrives, run after run. One of pinned data has no account to be activated. */
function example(title: string, file: string, steps: Step[]) {
	const add = file === 'every-operation' ? everywhere : newest;
	add(title, async (bench) => {
		const stored = await bench.client.createWorkflow(bench.example(file));
		if (steps.some(({ call }) => call !== undefined)) await bench.client.activate(stored);
		await playSteps(bench, stored, steps);
	});
}

const customer = { name: 'Asha Rao', email: 'asha@example.com' };
const asha = { ...customer, mobile: '+447700900101' };
const attributes = { ...asha, plan: 'pro' };
const third = { userID: 'C-1003', ...attributes };
const bad = { userID: 'C-1002', name: 'Nobody', email: 'not an address' };

example('A new CRM row becomes a user with a push, a bad one is logged', 'new-crm-row', [
	{
		call: { userID: 'C-1001', ...attributes },
		sends: [
			creates(user('C-1001', attributes)),
			...toEach({
				user_id: 'C-1001',
				title: 'Welcome, Asha Rao!',
				message: 'You are on the pro plan. Have a look around.',
				url: `${SHOP}/welcome?user=C-1001`,
			}),
		],
		gives: { Done: 3 },
		also: ({ paths }) => assert.equal(paths[0], CREATE, 'the user comes before the welcome'),
	},
	{
		call: bad,
		sends: [],
		gives: { 'Log: outcome, userID, name, email': [['invalid', ...Object.values(bad)]] },
		fails: /^C-1002: .*Email.*\. Retry sends nothing: call the webhook again with this row/,
	},
	{
		call: third,
		prepare: refusing(400, { platform: 'ios' }),
		sends: [CREATE, ...eachPath()],
		gives: {
			'Done: platform': [['web'], ['android']],
			'Log: userID, outcome': [['C-1003', 'rejected']],
		},
		fails: /^C-1003: /,
	},
	// n8n begins a retry at Stop and Error, the node that failed.
	{ retries: true, sends: [], fails: /^C-1003: / },
	// Send Once makes it safe to call the webhook again: only the platform that refused gets its push.
	{ call: third, sends: [CREATE, 'ios/send'] },
]);

const items = [
	{ sku: 'SHOE-42', quantity: 1, price: 89.9 },
	{ sku: 'SOCK-3', quantity: 3, price: 13.3 },
];
const large = {
	...{ number: 'S-2001', placedAt: '2026-11-20T10:30:00+01:00', total: 129.8, currency: 'EUR' },
	...{ customer: { id: 'C-3001', ...customer }, items },
};

example('A shop order creates user and event, and a large one gets a push', 'shop-order', [
	{
		call: large,
		sends: [
			creates(user('C-3001', { ...customer, last_order: 'S-2001', last_order_total: 129.8 })),
			[
				EVENT,
				list({
					...{ userID: 'C-3001', event_name: 'Order Placed', ltv: 129.8 },
					attributes: { order: 'S-2001', total: 129.8, currency: 'EUR', items },
					event_time: '2026-11-20 09:30:00',
				}),
			],
			...toEach({
				user_id: 'C-3001',
				title: 'Thank you, Asha Rao!',
				message: 'We are packing your order S-2001.',
				url: `${SHOP}/orders?number=S-2001`,
			}),
		],
	},
	{
		call: large,
		sends: [CREATE],
		gives: { 'Thank by push: outcome': Array(3).fill(['skipped']), Done: 0 },
	},
	{ call: { ...large, number: 'S-2002', total: 20 }, sends: [CREATE, EVENT] },
	{
		call: { ...large, number: 'S-3', customer: { id: 'C-3', email: 'no address' } },
		...{ sends: [], gives: { 'Log: order, outcome': [['S-3', 'invalid']] }, fails: /./ },
	},
]);

const ben = { name: 'Ben Okoye', email: 'ben@example.com', mobile: '+447700900102' };
const carla = { name: 'Carla Diaz', mobile: '+447700900103' };
const dmitri = { name: 'Dmitri Weber', email: 'dmitri@example.com', mobile: '+491713920004' };
const farid = { name: 'Farid Khan', email: 'farid@example.com', mobile: '+447700900104' };

/** Of users with their own attributes and those that their events have too. Only the first one agreed to a push. */
function examplePinned(
	[file, byHand, event_name]: [file: string, trigger: string, event: string],
	push: { title: string; message: string },
	users: Record<string, [own: object, ofEvent?: object]>,
) {
	const all = Object.entries(users);
	const created = all.map(([userID, [own, ofEvent]]) => user(userID, { ...own, ...ofEvent }));
	const event_time = /^\d{4}(-\d\d){2} (\d\d:?){3}$/;
	const tracked = all.map(([userID, [, ofEvent]]) => ({
		...{ userID, event_name, ...(ofEvent && { attributes: ofEvent }), event_time },
	}));
	const pushes = toEach({ user_id: all[0]?.[0], ...push, url: `${SHOP}/welcome` });
	const sends: Step['sends'] = [creates(...created), [EVENT, list(...tracked)], ...pushes];
	example(`Pinned rows of ${file} become users with an event and a push`, file, [
		{ byHand, sends, gives: { Done: 3 } },
		{ byHand, sends: [CREATE] },
	]);
}

const welcome = { title: 'Welcome, Asha!', message: 'Have a look around.' };
examplePinned(['hubspot', 'New contact', 'Contact Created'], welcome, {
	1001: [asha, { lifecycle_stage: 'customer' }],
	1002: [ben, { lifecycle_stage: 'lead' }],
	1003: [carla, { lifecycle_stage: 'lead' }],
});

const toPro = {
	title: 'Welcome, Asha Rao!',
	message: 'You are on the pro plan. Have a look around.',
};
examplePinned(['google-sheets', 'New row', 'Signed Up'], toPro, {
	2001: [asha, { plan: 'pro' }],
	2002: [ben, { plan: 'free' }],
	2003: [carla],
});

const consents = [true, 'no', undefined, 'subscribed'];
const toUsers = (...ids: string[]) =>
	ids.flatMap((user_id) => toEach({ user_id, title: /./, message: /./, url: /./ }));

example('Only users who agreed get the push', 'push-to-users', [
	{ byHand: 'Rows by webhook', sends: toUsers('U-1001') },
	{
		call: { rows: consents.map((consent, at) => ({ userID: `P-${at}`, name: 'Asha', consent })) },
		sends: toUsers('P-0'),
		gives: { Sent: 3, 'Not sent: whatHappened': [[/'subscribed'/]] },
	},
]);

example('Rows of a sheet become users, and bad ones end in a file', 'sheet-rows', [
	{
		sends: [
			creates(
				user('S-1001', { ...asha, mobile: '+447700900103', city: 'Pune' }),
				user('S-1002', { name: 'Ben Okafor', email: 'ben@example.com', city: 'Lagos' }),
				user('S-1004', { ...dmitri, city: 'Berlin' }),
				user('S-1006', { ...farid, city: 'Delhi' }),
			),
		],
		gives: {
			'Created: userID': [['S-1001'], ['S-1002'], ['S-1004'], ['S-1006']],
			'Failed rows: row_number, name, outcome, whatHappened': [
				[4, 'Carla Diaz', 'invalid', /email/i],
				[6, 'Emi Sato', 'invalid', /User ID/],
			],
		},
		also: (run) => {
			const files = run.items('Log').map(({ binary }) => binary?.data?.fileName);
			assert.match(files.join(), /^failed-rows-\d{4}-\d\d-\d\d\.csv$/, 'one file for all of them');
		},
	},
]);

/** By SHA-256 of `autumn:` and the user ID. */
const sample = Object.entries({
	a: ['U-1001', 'U-1002', 'U-1005'],
	b: ['U-1003', 'U-1004', 'U-1006'],
});

example('Each user gets one of two variants by the user ID', 'two-variants', [
	{
		sends: sample.flatMap(([variant, users]) =>
			users.flatMap((user_id) =>
				toEach({ user_id, title: /./, message: /./, url: `${SHOP}/sale?variant=${variant}` }),
			),
		),
	},
]);

const REPORT = 'report/campaign';

example('Each campaign report comes with its response, or the reason why not', 'campaign-report', [
	{
		call: { campaigns: [{ campaign_id: 301 }, { campaign_id: 302 }, { campaign_id: 303 }] },
		prepare: refusing(400, { bodyText: '302' }),
		sends: [REPORT, REPORT, REPORT],
		also: ({ arrivals, answer }) => {
			for (const { api, host } of arrivals) assert.deepEqual([api, host], ['reporting', 'base']);
			const told = JSON.parse(answer) as Array<Record<string, unknown>>;
			const outcomes = told.map(({ campaign_id, outcome }) => [campaign_id, outcome]);
			const [accepted, rejected] = ['accepted', 'rejected'];
			assert.deepEqual(outcomes, [
				[301, accepted],
				[303, accepted],
				[302, rejected],
			]);
			assert.ok(told.every(({ report, whatHappened }) => report ?? whatHappened));
		},
	},
]);

const now = DateTime.now().setZone('Europe/Berlin');
const day = now.plus({ days: 10 });
const remindAt = day.minus({ days: 1 }).set({ hour: 10, minute: 0 }).toUTC();
const toPhone = [
	['Carla', 'ask her', `${day.toISODate()}T09:00`],
	['Ben', '+491713920005', now.plus({ hours: 2 }).toFormat("yyyy-MM-dd'T'HH:mm")],
	['Dmitri', '+4915100000006', 'next week'],
];
const appointments = [['Asha', '+447700900101', `${day.toISODate()}T15:30`], ...toPhone];
const LIST = 'All without a reminder';

example('An SMS reminder is scheduled for the day before, or its row listed', 'sms-reminder', [
	{
		call: {
			appointments: appointments.map(([name, mobile, startsAt]) => ({ name, mobile, startsAt })),
		},
		sends: [
			[
				SEND,
				{
					...{ mobile: '+447700900101', sender_name: 'EXCLINIC', sender_mobile: '+447700900100' },
					...{ campaign_name: 'Appointment reminder', serviceproviderID: 7 },
					message:
						'Dear Asha, we look forward to seeing you tomorrow at 15:30. Call 020 555 010 to move your appointment.',
					schedule_date: Number(remindAt.toFormat('yyyyMMdd')),
					schedule_time: Number(remindAt.toFormat('HHmm')),
				},
			],
		],
		gives: {
			Scheduled: 1,
			[`${LIST}: name, mobile, startsAt, whatHappened`]: toPhone.map((row) => [...row, /.{11}/]),
		},
		also: (run) => {
			const files = run.items('People to phone').map(({ binary }) => binary?.data?.fileName);
			assert.deepEqual(files, [`people-to-phone-${now.toISODate()}.csv`]);
		},
	},
	{ sends: [SEND], gives: { [`${LIST}: name`]: [['Carla Diaz'], ['Ben Okafor']] } },
]);

/** Their bodies are compared without a server, and what the service would not take is refused by the sandbox. */
const everyRequest = [
	...[CREATE, EVENT, ...eachPath(), ...eachPath('broadcast/all'), ...eachPath('broadcast/segment')],
	...[SEND, 'email/broadcast', 'email/broadcast/all', 'email/broadcast/segment'],
	...[SEND, 'sms/broadcast/', 'sms/broadcast/all', 'sms/broadcast/segment'],
];

example('Every operation sends the requests of the reference, 19 in all', 'every-operation', [
	{
		call: {},
		sends: everyRequest,
		gives: { 'Broadcast push to all: outcome': Array(3).fill(['accepted']) },
		also: ({ arrivals }) => {
			for (const { outcome, problems } of arrivals)
				assert.equal(outcome, 'accepted', JSON.stringify(problems));
		},
	},
	// A run started by hand sends no broadcast.
	{ byHand: 'Start by hand', sends: [CREATE, EVENT, SEND, SEND, ...eachPath()] },
]);
