import type { Sandbox } from '../../../sandbox/index';
import { email, send, sms } from '../../../sandbox/support/sampleRequests';

const DAY_MS = 24 * 60 * 60 * 1000;

const offer = `<p>THE AUTUMN COLLECTION</p><h1>Warm colours, soft wool</h1>
<p>Twenty per cent off everything until Sunday night. <a href="https://shop.example.com/autumn">See the collection</a></p>
<p>Dear Asha,<br>the first cold mornings are here, and so are the scarves you asked about.</p>`;

const users = [
	['C-1001', 'Asha Rao', 'asha@example.com', '+919812345670', { plan: 'pro', city: 'Pune' }],
	['C-1002', 'Ravi Iyer', 'ravi@example.com', '+919812345679', { plan: 'free', city: 'Chennai' }],
	['C-1003', 'Mira Sen', 'mira@example.com', '+919812345671', { plan: 'pro', points: 1200 }],
	['C-1004', 'Jonas Weber', 'jonas@example.com', '+4915112345678', { plan: 'trial', vip: true }],
] as const;

const nv = users.map(([userID, name, email, mobile, more]) => ({
	userID,
	user_attributes: { name, email, mobile, ...more },
}));

/** The messages of a small shop on one day: now, or on the given one. */
export async function sendExamples(sandbox: Sandbox, today = new Date()): Promise<void> {
	const shop = 'https://shop.example.com';
	const dateIn = (days: number) =>
		new Date(today.getTime() + days * DAY_MS).toISOString().slice(0, 10);
	const numberIn = (days: number) => Number(dateIn(days).replaceAll('-', ''));
	sandbox.spend('push', 437);
	sandbox.spend('email', 180);
	sandbox.spend('user', 31);
	await send(sandbox, '/api/v1/user/create', { nv });
	await send(sandbox, '/api/v1/sendMessage', {
		...sms,
		mobile: '+919812345670',
		message:
			'Acme Shop: your parcel is with the courier and arrives today between 2 and 4 pm. Track it: https://shop.example.com/t/48213 – reply STOP to receive no more of these messages.',
	});
	await send(sandbox, '/api/v1/android/broadcast/segment', {
		segment_id: 42,
		title: 'Back in stock',
		message: 'The wool scarf you looked at is here again, in three new colours.',
		url: `${shop}/scarves`,
		image_url: 'https://cdn.example.com/scarf.jpg',
		schedule_date: dateIn(2),
		schedule_time: '04:00:00',
		time_zone: '0',
	});
	await send(sandbox, '/api/v1/sms/broadcast/segment', {
		...sms,
		mobile: undefined,
		segment_id: 17,
		message: 'Doors open at 9 tomorrow. Members come in at 8.',
		schedule_date: numberIn(1),
		schedule_time: 330,
	});
	await send(sandbox, '/api/v1/web/broadcast/all', {
		title: 'Free delivery this weekend',
		message: 'On every order over 40 €, until Sunday at midnight.',
		url: `${shop}/delivery`,
		hero_image_url: 'https://cdn.example.com/weekend.png',
		button_one_title: 'Shop now',
		button_two_title: 'Remind me',
		button_two_url: `${shop}/remind`,
	});
	await send(sandbox, '/api/v1/ios/send', {
		user_id: 'C-1002',
		title: 'A title that goes on and on until no lock screen in the world has room for it',
		message: 'Too long',
		url: shop,
	});
	await send(sandbox, '/api/v1/email/broadcast/segment', {
		...email,
		email: undefined,
		segment_id: 42,
		subject: 'Warm colours, soft wool',
		campaign_name: 'Autumn collection',
		reply_to: 'help@shop.example.com',
		content: offer,
		schedule_date: numberIn(3),
		schedule_time: 700,
	});
	await send(sandbox, '/api/v1/event/create', {
		nv: [
			['Item Viewed', `${dateIn(0)} 08:51:07`, { item: 'Wool scarf, amber' }],
			['Cart Updated', `${dateIn(0)} 08:53:40`, { total: 84.5, items: 2 }],
			['Cart Abandoned', `${dateIn(0)} 09:25:00`, { total: 84.5 }],
		].map(([event_name, event_time, attributes]) => ({
			userID: 'C-1003',
			...{ event_name, event_time, attributes },
		})),
	});
	sandbox.faults.add({ kind: 'status', status: 503, match: { channel: 'sms' }, first: 1 });
	await send(sandbox, '/api/v1/sendMessage', {
		...sms,
		mobile: '+4915112345678',
		message: 'Ihr Termin: morgen um 10 Uhr. Bis dann! ★',
	});
	await send(sandbox, '/api/v1/sendMessage', {
		...email,
		subject: 'Your receipt, order 48213',
		content:
			'Thank you for your order.\n\n1 × Wool scarf, amber: 39.00 €\nDelivery: free\n\nIt leaves our shop tomorrow.',
		campaign_name: 'Receipts',
	});
	await send(sandbox, '/api/v1/ios/send', {
		user_id: 'C-1001',
		title: 'Your order is on its way',
		message: 'It arrives tomorrow between 9 and 12. Tap to choose a safe place or another day.',
		url: `${shop}/orders/48213`,
		image_url: 'https://cdn.example.com/parcel.jpg',
	});
}
