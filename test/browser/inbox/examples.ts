import type { Sandbox } from '../../../sandbox/index';
import { email, send, sms } from '../../../sandbox/support/sampleRequests';

const shop = 'https://shop.example.com';

const nv = [
	['C-1001', 'Asha Rao', 'asha@example.com', '+919812345670', 'pro'],
	['C-1004', 'Jonas Weber', 'jonas@example.com', '+4915112345678', 'trial'],
].map(([userID, name, address, mobile, plan]) => ({
	...{ userID, user_attributes: { name, email: address, mobile, plan } },
}));

const events = ['Item Viewed', 'Cart Updated', 'Cart Abandoned'].map((event_name, index) => ({
	...{ userID: 'C-1003', event_name, event_time: `2026-11-21 08:5${index}:07` },
	attributes: { item: 'Wool scarf, amber' },
}));

const examples: Array<[path: string, body: object]> = [
	['user/create', { nv }],
	[
		'web/broadcast/all',
		{
			title: 'Free delivery this weekend',
			message: 'On every order over 40 €, until Sunday at midnight.',
			url: `${shop}/delivery`,
			hero_image_url: 'https://cdn.example.com/weekend.png',
			button_one_title: 'Shop now',
			button_two_title: 'Remind me',
			button_two_url: `${shop}/remind`,
		},
	],
	[
		'android/send',
		{
			user_id: 'C-1002',
			title: 'A title that goes on and on until no lock screen in the world has room for it',
			message: 'Too long',
			url: shop,
		},
	],
	[
		'email/broadcast/segment',
		{
			...{ ...email, email: undefined, segment_id: 42, schedule_date: 20261124 },
			subject: 'Warm colours, soft wool',
			content: `<p>THE AUTUMN COLLECTION</p><h1>Warm colours, soft wool</h1><a href="${shop}">See it</a>`,
		},
	],
	['event/create', { nv: events }],
	['sendMessage', { ...sms, message: 'Ihr Termin: morgen um 10 Uhr. Bis dann! ★' }],
	[
		'sendMessage',
		{
			...{ ...email, reply_to: 'help@shop.example.com', subject: 'Your receipt, order 48213' },
			content: 'Thank you for your order.\n\n1 × Wool scarf, amber: 39.00 €',
		},
	],
	[
		'ios/send',
		{
			user_id: 'C-1001',
			title: 'Your order is on its way',
			message: 'It arrives tomorrow between 9 and 12. Tap to choose a safe place or another day.',
			url: `${shop}/orders/48213`,
			image_url: 'https://cdn.example.com/parcel.jpg',
		},
	],
];

/** The messages of a small shop on one day. An SMS fails. */
export async function sendExamples(sandbox: Sandbox): Promise<void> {
	sandbox.faults.add({ kind: 'status', status: 503, match: { channel: 'sms' }, first: 1 });
	for (const [path, body] of examples) await send(sandbox, `/api/v1/${path}`, body);
}
