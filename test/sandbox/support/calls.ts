import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
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

export const sms = {
	sender_name: 'Shop',
	campaign_name: 'Autumn',
	sender_mobile: '+4912345',
	message: 'Hi',
	serviceproviderID: 7,
	schedule_date: 20261121,
	schedule_time: 905,
};

/** One sandbox for the tests of a file, which is as at first before each of them. */
export function sandboxForTests(options: () => SandboxOptions = () => ({})) {
	const held = {} as { sandbox: Sandbox };
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

/** Unlike fetch, sends any Host header and any method, and no additional headers. */
export function call(
	url: string,
	{
		method = 'POST',
		headers = brandHeaders,
		body,
	}: {
		method?: string;
		headers?: Record<string, string>;
		/** A string is sent as it is, everything else as JSON. */
		body?: unknown;
	} = {},
) {
	return new Promise<Answered>((resolve, reject) => {
		const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
		// For methods that rarely have a body, Node leaves out its length.
		const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
		const options = { method, headers: { ...headers, ...length }, agent: false };
		const outgoing = httpRequest(url, options, (incoming) => {
			let answer = '';
			incoming.setEncoding('utf8');
			incoming.on('data', (chunk: string) => (answer += chunk));
			incoming.on('error', reject);
			incoming.on('end', () =>
				resolve({
					status: incoming.statusCode ?? 0,
					headers: incoming.headers,
					text: answer,
					json: jsonOrUndefined(answer),
				}),
			);
		});
		outgoing.on('error', reject);
		outgoing.end(text);
	});
}

interface Answered {
	status: number;
	headers: IncomingHttpHeaders;
	text: string;
	json: unknown;
}

export function remainingOf({ headers }: Answered): string | undefined {
	const value = headers['x-ratelimit-remaining'];
	return typeof value === 'string' ? value : undefined;
}
