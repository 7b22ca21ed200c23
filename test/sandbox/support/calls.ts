import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { jsonOrUndefined } from '../../../sandbox/json';
import { defaultSettings } from '../../../sandbox/settings';

export const brandHeaders = {
	'x-brand-id': 'sandbox-brand',
	'x-api-key': 'sandbox-key',
	accept: 'application/json',
	'content-type': 'application/json',
};

export const tokenHeaders = {
	authorization: 'Bearer sandbox-token',
	'content-type': 'application/json',
};

export const webPush = {
	user_id: 'u1',
	title: 'Hello',
	message: 'There',
	url: 'https://x.example',
};

export const email = {
	sender_name: 'Shop',
	sender_email: 'shop@x.example',
	subject: 'News',
	campaign_name: 'Autumn',
	content: '<p>Hi</p>',
	serviceproviderID: 7,
	schedule_date: 20261121,
	schedule_time: 905,
};

const { sender_email: _email, subject: _subject, content: _content, ...campaign } = email;
export const sms = { ...campaign, sender_mobile: '+4912345', message: 'Hi' };

/** One sandbox for the tests of a file, which is as at first before each of them. */
export function sandboxForTests(options: () => SandboxOptions = () => ({})) {
	const held = {
		sandbox: {} as Sandbox,
		/** Sends a request of the service, by default a push. */
		send: async (path = 'web/send', body: unknown = webPush, headers = brandHeaders as Headers) =>
			await call(`${held.sandbox.url}/api/v1/${path}`, { headers, body }),
	};
	beforeAll(async () => {
		held.sandbox = await startSandbox(options());
	});
	beforeEach(() => {
		held.sandbox.reset();
		held.sandbox.configure(defaultSettings);
	});
	afterAll(() => held.sandbox.close());
	return held;
}

type Headers = Record<string, string>;

/** Unlike fetch, sends any Host header and any method, and no additional headers. */
export async function call(
	url: string,
	// A body that is a string is sent as it is, everything else as JSON.
	{ method = 'POST', headers = brandHeaders, body }: Call = {},
) {
	const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
	// For methods that rarely have a body, Node leaves out its length.
	const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
	const options = { method, headers: { ...headers, ...length }, agent: false };
	const outgoing = request(url, options).end(text);
	const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
	const answer = await textOf(incoming);
	return {
		...{ status: incoming.statusCode ?? 0, headers: incoming.headers },
		...{ text: answer, json: jsonOrUndefined(answer) },
		remaining: incoming.headers['x-ratelimit-remaining'],
	};
}

interface Call {
	method?: string;
	headers?: Headers;
	body?: unknown;
}
