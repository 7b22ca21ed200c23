import type { Sandbox } from '../index';

const headers = {
	'x-brand-id': 'sandbox-brand',
	'x-api-key': 'sandbox-key',
	accept: 'application/json',
	'content-type': 'application/json',
};

/** Sends one request as a workflow would. Returns the status, or 0 if there was no response. */
export async function send(
	{ url }: Pick<Sandbox, 'url'>,
	path: string,
	body: unknown,
): Promise<number> {
	try {
		const response = await fetch(url + path, {
			method: 'POST',
			headers,
			body: JSON.stringify(body),
		});
		await response.text();
		return response.status;
	} catch {
		return 0;
	}
}

export const push = {
	user_id: 'C-1001',
	title: 'Hello',
	message: 'There',
	url: 'https://shop.example.com/',
};

const campaign = {
	sender_name: 'Acme Shop',
	campaign_name: 'Autumn',
	serviceproviderID: 7,
	schedule_date: 20261121,
	schedule_time: 900,
};

export const email = {
	...campaign,
	email: 'asha@example.com',
	sender_email: 'news@shop.example.com',
	subject: 'Our autumn sale',
	content: '<h1>Autumn sale</h1><p>Twenty per cent off.</p>',
};

export const sms = {
	...campaign,
	mobile: '+447700900102',
	sender_mobile: '+447700900100',
	message: 'Your appointment is tomorrow at 10:00',
};
