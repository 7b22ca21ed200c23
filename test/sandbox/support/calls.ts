import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { jsonOrUndefined } from '../../../sandbox/json';
import { defaultSettings } from '../../../sandbox/settings';
import * as sample from '../../../sandbox/support/sampleRequests';

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

export const webPush = sample.push;
/** Without whom they are for. */
export const { email: _address, ...email } = sample.email;
export const { mobile: _number, ...sms } = sample.sms;

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
