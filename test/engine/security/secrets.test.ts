import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { useFastClock } from '../support/clock';
import { execute, type Order } from '../support/engine';
import { everythingIn } from '../support/everything';
import { unusedAddress, type LocalServer, startServer } from '../support/localServer';
import * as order from '../support/orders';
import { leaksIn, limits, recordLog, secrets } from './support/bench';

// The node waits before it retries a connection that failed.
useFastClock(20);

type Answer = [status: number, body?: unknown, headers?: Record<string, string>, reason?: string];
type Answering = (headers: object) => Answer;
const text = JSON.stringify;
const inUrl = (headers: object) => encodeURIComponent(text(headers));
const asNames = (headers: object) =>
	Object.fromEntries(Object.values(headers as Record<string, string>).map((value) => [value, 1]));

/** What becomes of it, by the answers of a service, a proxy or an error page that repeat the headers of the request. */
const echoes: Array<[what: string, Answering]> = [
	['accepts and gives the headers back', (headers) => [200, { headers }]],
	['accepts and gives them back as text', (headers) => [200, everythingIn(headers)]],
	['accepts and gives them back deep inside', (headers) => [200, [{ a: [{ headers }] }]]],
	['accepts and gives them back as names', (headers) => [200, asNames(headers)]],
	['refuses and names the key', (headers) => [400, { error: `bad key in ${text(headers)}` }]],
	['does not know the key and names it', (headers) => [401, { message: everythingIn(headers) }]],
	['answers with a page that shows it', (headers) => [404, `<html>${text(headers)}</html>`]],
	['breaks down and shows its memory', (headers) => [500, everythingIn(headers)]],
	['gives it back in its own headers', (headers) => [200, {}, { 'x-request': text(headers) }]],
	['names it in the reason of its status', (headers) => [403, '', {}, text(headers)]],
	['sends it on in an address', (headers) => [302, '', { location: `/?k=${inUrl(headers)}` }]],
];

let answer: Answering | undefined;
let service: LocalServer;
let logged: unknown[];

beforeAll(() => {
	logged = recordLog();
});
beforeEach(async () => {
	logged.length = 0;
	answer = undefined;
	// A new address for each test: the outage that one of them plays does not concern the next.
	service = await startServer((response, { headers: sent }) => {
		if (!answer) return response.destroy();
		const [status, body = '', headers = {}, reason = ''] = answer(sent);
		response.statusMessage = reason;
		return response.writeHead(status, headers).end(typeof body === 'string' ? body : text(body));
	});
});
afterEach(async () => await service.close());

const credentials: Record<string, ICredentialDataDecryptedObject> = {
	apiKey: { brandId: 'brand', apiKey: secrets.apiKey },
	partnerToken: { accessToken: secrets.accessToken },
};

const options = { includeRequest: true, sendDuplicates: true };

async function run(
	{ parameters = order.pushSend, ...rest }: Partial<Order> = {},
	authentication = 'apiKey',
) {
	return await execute({
		parameters: { ...parameters, authentication, options },
		credential: { ...service.urls, ...credentials[authentication], ...limits, ...rest.credential },
		rows: [{}, {}],
		onError: rest.onError,
	});
}

/** As names, and in a refusal: the same code hides it in the other answers. */
const two = echoes.slice(3, 5);

const sending =
	(by: string, parameters: Order['parameters']) =>
	([what, echo]: (typeof echoes)[number]) => ({ by, parameters, what, echo });

test.each([
	...echoes.map(sending('apiKey', order.pushSend)),
	...two.map(sending('partnerToken', order.pushSend)),
	...two.map(sending('partnerToken', order.createUser)),
	...two.map(sending('apiKey', order.customPost)),
])(
	'With $by, no output, error, hint or log of a $parameters.resource holds the secret where the service $what',
	async ({ by, parameters, echo }) => {
		answer = echo;
		const stopping = await run({ parameters }, by);
		const passing = await run({ parameters, onError: 'continueErrorOutput' }, by);
		expect(service.requests).toBeGreaterThan(0);
		expect(leaksIn(stopping.run, stopping.hints, passing.run, passing.hints, logged)).toEqual([]);
	},
);

test.each([
	...echoes.map(([what, echo]) => ({ by: 'apiKey', type: 'customerMessagingApi', what, echo })),
	...two.map(([what, echo]) => ({
		by: 'partnerToken',
		type: 'customerMessagingPartnerApi',
		what,
		echo,
	})),
])('The test with $by tells no secret where the service $what', async ({ by, type, echo }) => {
	answer = echo;
	const { testAccount } = new CustomerMessaging().methods.credentialTest;
	const { url } = service;
	const result = await testAccount.call(new CredentialTestContext(), {
		...{ id: '1', name: 'test', type },
		data: { baseUrl: url, pushUrl: unusedAddress(), mailUrl: url, ...credentials[by] },
	});
	expect(service.requests).toBeGreaterThan(0);
	expect(result.message).toContain(url);
	expect(leaksIn(result, logged)).toEqual([]);
});

test.each(Object.keys(credentials))(
	'With %s, no secret is told where a connection fails',
	async (by) => {
		const { run: broken } = await run({}, by);
		const { run: refused } = await run({ credential: { pushUrl: unusedAddress() } }, by);
		expect(service.requests).toBeGreaterThan(0);
		expect(leaksIn(broken, refused, logged)).toEqual([]);
	},
);
