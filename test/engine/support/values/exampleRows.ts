import type { IDataObject } from 'n8n-workflow';

const order = {
	number: 'S-1001',
	placedAt: '2026-11-20T10:30:00+01:00',
	total: 129.8,
	currency: 'EUR',
	customer: { id: 'C-1001', name: 'Asha Rao', email: 'asha@example.com' },
	items: [{ sku: 'SHOE-42', quantity: 1 }],
};
const campaign = {
	...{ campaign: 'Autumn 2030', title: 'New season', message: 'The autumn collection is here.' },
	...{ url: 'https://shop.example.com/autumn', author: 'author-1001', what: 'Declined.' },
};
const appointment = {
	...{ id: 'A-1038', userID: 'C-1001', name: 'Asha Rao', mobile: '+447700900101' },
	...{ startsAt: '2030-01-15T15:30', remindAt: '2030-01-14T15:30', what: 'Cannot come' },
};
const ofAgent = { user_id: 'C-1001', title: 'Your order', message: 'It is on its way' };

/** For each file of `examples/`, the first row of its sample, with what the nodes before add. */
export const exampleRows: Readonly<Record<string, IDataObject>> = {
	'ai-agent-asks-before-it-sends.json': ofAgent,
	'ai-agent-messages-one-user.json': ofAgent,
	'announcement-with-preview-and-approval.json': {
		...{ title: 'We are closed on Monday', message: 'Back on Tuesday at 9.' },
		...{ link: 'https://shop.example.com/news', tester: 'tester-1', campaign: 'Monday' },
	},
	'appointment-confirmed-by-sms.json': appointment,
	'campaign-approved-by-push.json': campaign,
	'campaign-report-by-custom-request.json': { campaign_id: 301 },
	'csv-file-by-form-to-users.json': {
		...{ userID: 'C-1001', name: 'Asha Rao', email: 'asha@example.com', city: 'Pune' },
	},
	'every-operation.json': {},
	'failed-rows-again-next-day.json': {
		...{ userID: 'C-1001', name: 'Asha', order: '1038', details: { platform: 'web' } },
	},
	'google-sheets-row-to-user-event-and-push.json': {
		...{ 'Customer ID': 2001, Name: 'Asha Rao', Email: 'asha@example.com' },
		...{ Phone: '+447700900101', Plan: 'pro', Consent: true, userID: '2001' },
	},
	'hubspot-contact-to-user-event-and-push.json': {
		vid: 1001,
		userID: '1001',
		properties: {
			firstname: { value: 'Asha' },
			lastname: { value: 'Rao' },
			email: { value: 'asha@example.com' },
			mobilephone: { value: '+447700900101' },
			lifecyclestage: { value: 'customer' },
			push_consent: { value: 'true' },
		},
	},
	'new-crm-row-to-users-and-welcome-push.json': {
		...{ userID: 'C-1001', name: 'Asha Rao', email: 'asha@example.com' },
		...{ mobile: '+447700900101', plan: 'pro' },
	},
	'push-to-users-with-consent.json': { userID: 'U-1001', name: 'Asha', consent: true },
	'rows-claimed-in-postgres.json': {
		...{ user_id: 'U-1001', title: 'Autumn', message: 'Your offer is here' },
		...{ url: 'https://shop.example.com/autumn' },
	},
	'segment-email-every-monday.json': { week: '2026-W48', validUntil: '29 November' },
	'sheet-rows-to-users-in-batches.json': {
		...{ row_number: 2, userID: 'S-1001', name: 'Asha Rao', email: 'asha@example.com' },
		...{ mobile: '+447700900103', city: 'Pune' },
	},
	'shop-order-to-user-event-and-push.json': order,
	'sms-reminder-day-before-appointment.json': appointment,
	'two-variants-by-user-id.json': { userID: 'U-1001', name: 'Asha', hash: 'a1' },
	'very-large-list-in-parts.json': { userID: 'U-1001', name: 'Asha' },
};
