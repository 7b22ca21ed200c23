/**
 * What `examples/every-operation.json` must send, typed from the service's description and not derived from the
 * node's own table, so that the two can disagree.
 */
export interface ExpectedRequest {
	host: 'base' | 'push' | 'mail';
	path: string;
	/** Without the schedule fields, which hold the present. */
	body: Record<string, unknown>;
	scheduled: boolean;
}

const push = {
	title: 'New season',
	message: 'The autumn collection is here.',
	url: 'https://shop.example.com/autumn',
};

const email = {
	sender_name: 'Example Shop',
	sender_email: 'news@shop.example.com',
	subject: 'This week: 20 % off running shoes',
	campaign_name: 'Running shoes week 12',
	content: '<h1>20 % off</h1><p>Until Sunday, on every pair.</p>',
	serviceproviderID: 3,
	segment_id: 4711,
};

const sms = {
	sender_name: 'EXSHOP',
	campaign_name: 'Autumn SMS',
	sender_mobile: '+447700900100',
	message: 'The autumn collection is here.',
	serviceproviderID: 7,
	segment_id: 4711,
};

const toPush = (path: string, body: object): ExpectedRequest => ({
	host: 'push',
	path,
	body: { ...push, ...body },
	scheduled: false,
});
const toMail = (path: string, body: object): ExpectedRequest => ({
	host: 'mail',
	path,
	body: { ...body },
	scheduled: true,
});

export const everyRequest: ExpectedRequest[] = [
	{
		host: 'base',
		path: '/api/v1/user/create',
		body: {
			nv: [
				{
					userID: 'C-2001',
					user_attributes: {
						name: 'Ravi Iyer',
						email: 'ravi@example.com',
						mobile: '+447700900102',
						tier: 'gold',
					},
				},
			],
		},
		scheduled: false,
	},
	{
		host: 'base',
		path: '/api/v1/event/create',
		body: {
			nv: [
				{
					userID: 'C-2001',
					event_name: 'Order Placed',
					ltv: 49.9,
					attributes: { total: 49.9, currency: 'EUR' },
					event_time: '2026-11-20 09:30:00',
				},
			],
		},
		scheduled: false,
	},
	toPush('/api/v1/web/send', { user_id: 'C-2001' }),
	toPush('/api/v1/android/send', { user_id: 'C-2001' }),
	toPush('/api/v1/ios/send', { user_id: 'C-2001' }),
	toPush('/api/v1/web/broadcast/all', {}),
	toPush('/api/v1/android/broadcast/all', {}),
	toPush('/api/v1/ios/broadcast/all', {}),
	toPush('/api/v1/web/broadcast/segment', { segment_id: 4711 }),
	toPush('/api/v1/android/broadcast/segment', { segment_id: 4711 }),
	toPush('/api/v1/ios/broadcast/segment', { segment_id: 4711 }),
	toMail('/api/v1/sendMessage', { ...email, email: 'ravi@example.com' }),
	toMail('/api/v1/email/broadcast', email),
	toMail('/api/v1/email/broadcast/all', email),
	toMail('/api/v1/email/broadcast/segment', email),
	toMail('/api/v1/sendMessage', { ...sms, mobile: '+447700900102' }),
	toMail('/api/v1/sms/broadcast/', sms),
	toMail('/api/v1/sms/broadcast/all', sms),
	toMail('/api/v1/sms/broadcast/segment', sms),
];
