import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
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

/** Sends `count` pushes, each with its number in the title. */
export async function sendMany(
	sandbox: Pick<Sandbox, 'url'>,
	count: number,
	title = 'Message',
): Promise<void> {
	const numbers = Array.from({ length: count }, (_, index) => index + 1);
	const sendNext = async () => {
		for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
			await post(
				`${sandbox.url}/api/v1/web/send`,
				JSON.stringify({ ...push, user_id: `C-${number}`, title: `${title} ${number}` }),
			);
		}
	};
	await Promise.all(Array.from({ length: 20 }, sendNext));
}

const agent = new Agent({ keepAlive: true });

/** Much faster than fetch for thousands of requests. */
async function post(url: string, body: string): Promise<void> {
	const outgoing = request(url, { method: 'POST', headers, agent });
	outgoing.end(body);
	const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
	incoming.resume();
	await once(incoming, 'end');
}
