import 'reflect-metadata';

import type { ServerResponse } from 'node:http';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { execute } from '../support/engine';
import { everythingIn } from '../support/everything';
import * as order from '../support/orders';
import { unusedAddress, type LocalServer, startServer } from '../support/localServer';
import { leaksIn, limits, recordLog } from './support/canaries';
import { secrets } from './support/secrets';

// The node waits before it retries a connection that failed.
jest.setTimeout(60_000);

const credentials: Record<string, ICredentialDataDecryptedObject> = {
	apiKey: { brandId: 'brand', apiKey: secrets.apiKey },
	partnerToken: { accessToken: secrets.accessToken },
};

type Answer = (response: ServerResponse, headers: object) => void;
let answer: Answer;
let service: LocalServer;
let elsewhere: LocalServer;
let nobody: string;
let logged: unknown[];

beforeAll(async () => {
	logged = recordLog();
	elsewhere = await startServer((response) => response.end('{}'));
	nobody = unusedAddress();
});
beforeEach(async () => {
	logged.length = 0;
	// A new address for each test: the outage that one of them plays does not concern the next.
	service = await startServer((response, { headers }) => answer(response, headers));
	elsewhere.requests = 0;
});
afterEach(async () => await service.close());
afterAll(async () => await elsewhere.close());

const json = { 'content-type': 'application/json' };

/** Responses of a service, a proxy or an error page that repeat the headers of the request. */
const echoes: Array<[string, Answer]> = [
	[
		'accepts and gives the headers back',
		(response, headers) => response.writeHead(200, json).end(JSON.stringify({ headers })),
	],
	[
		'accepts and gives them back as text',
		(response, headers) => response.end(everythingIn(headers)),
	],
	[
		'accepts and gives them back deep inside',
		(response, headers) =>
			response.writeHead(200, json).end(JSON.stringify([{ a: [{ headers }] }])),
	],
	[
		'accepts and gives them back as names',
		(response, headers) =>
			response
				.writeHead(200, json)
				.end(JSON.stringify(Object.fromEntries(Object.values(headers).map((value) => [value, 1])))),
	],
	[
		'refuses and names the key',
		(response, headers) =>
			response
				.writeHead(400, json)
				.end(JSON.stringify({ error: `bad key in ${JSON.stringify(headers)}` })),
	],
	[
		'does not know the key and names it',
		(response, headers) =>
			response.writeHead(401, json).end(JSON.stringify({ message: everythingIn(headers) })),
	],
	[
		'answers with a page that shows it',
		(response, headers) =>
			response
				.writeHead(404, { 'content-type': 'text/html' })
				.end(`<html>${JSON.stringify(headers)}</html>`),
	],
	[
		'breaks down and shows its memory',
		(response, headers) => response.writeHead(500).end(everythingIn(headers)),
	],
	[
		'gives it back in its own headers',
		(response, headers) =>
			response.writeHead(200, { 'x-request': JSON.stringify(headers) }).end('{}'),
	],
	[
		'names it in the reason of its status',
		(response, headers) => response.writeHead(403, JSON.stringify(headers)).end(),
	],
	[
		'sends it on in an address',
		(response, headers) =>
			response
				.writeHead(302, { location: `/login?k=${encodeURIComponent(JSON.stringify(headers))}` })
				.end(),
	],
];
const ways: Array<[string, INodeParameters]> = [
	['push', order.pushSend],
	['a batch of users', order.createUser],
	['a custom request', order.customPost],
];

describe.each(['apiKey', 'partnerToken'])('With %s', (authentication) => {
	const run = async (
		parameters: INodeParameters,
		base = service.url,
		onError?: 'continueErrorOutput',
	) =>
		await execute({
			parameters: {
				...parameters,
				authentication,
				options: { includeRequest: true, sendDuplicates: true },
			},
			credential: {
				baseUrl: base,
				pushUrl: base,
				mailUrl: base,
				...credentials[authentication],
				...limits,
			},
			rows: [{}, {}],
			onError,
		});

	/** Every execution's data, error, hint and log line. */
	function expectNoSecret(...reports: unknown[]): void {
		expect(leaksIn(reports, logged)).toEqual([]);
	}

	describe.each(ways)('%s', (_, parameters) => {
		it.each(echoes)('keeps the secret where the service %s', async (__, echo) => {
			answer = echo;
			const stopping = await run(parameters);
			const passing = await run(parameters, service.url, 'continueErrorOutput');
			expect(service.requests).toBeGreaterThan(0);
			expectNoSecret(stopping.run, stopping.hints, passing.run, passing.hints);
		});
	});

	it.each(echoes)(
		'keeps the secret when the credential is tested and the service %s',
		async (_, echo) => {
			answer = echo;
			const { testAccount } = new CustomerMessaging().methods.credentialTest;
			const { url } = service;
			const result = await testAccount.call(new CredentialTestContext(), {
				id: '1',
				name: 'test',
				type: authentication === 'apiKey' ? 'customerMessagingApi' : 'customerMessagingPartnerApi',
				data: { baseUrl: url, pushUrl: nobody, mailUrl: url, ...credentials[authentication] },
			});
			expect(service.requests).toBeGreaterThan(0);
			expect(result.message).toContain(url);
			expectNoSecret(result);
		},
	);

	it('keeps the secret when the connection breaks', async () => {
		answer = (response) => response.destroy();
		const { run: stopping } = await run(order.pushSend);
		expectNoSecret(stopping);
	});

	it('keeps the secret when nothing listens at the address', async () => {
		const { run: stopping } = await run(order.pushSend, nobody);
		expectNoSecret(stopping);
	});

	it.each([301, 302, 303, 307, 308])('follows no redirect to another host (%i)', async (status) => {
		answer = (response) =>
			response.writeHead(status, { location: `${elsewhere.url}/api/v1/web/send` }).end();
		const { failed, run: passing } = await run(order.pushSend, service.url, 'continueErrorOutput');
		const outcome = [302, 303].includes(status) ? 'unknown' : 'rejected';
		expect(failed.map(({ json: { details } }) => details)).toMatchObject([
			{ outcome },
			{ outcome },
		]);
		expect(service.requests).toBe(2);
		expect(elsewhere.requests).toBe(0);
		expectNoSecret(passing);
	});
});

describe('A key that occurs by chance in other data', () => {
	const run = async (body: string) => {
		answer = (response) => response.writeHead(200, json).end(body);
		const { output } = await execute({
			parameters: order.pushSend,
			credential: {
				baseUrl: service.url,
				pushUrl: service.url,
				mailUrl: service.url,
				brandId: 'brand',
				apiKey: '20250117',
				...limits,
			},
		});
		return output.map(({ json: item }) => item);
	};

	it('changes no number that merely begins with it', async () => {
		const [item] = await run('{"id": 2025011799}');
		expect(item).toMatchObject({ outcome: 'accepted' });
		expect(item?.response).toStrictEqual({ id: 2025011799 });
	});

	it('is masked if it is the whole number, and the rest of the response stays', async () => {
		const [item] = await run(
			'{"id": 2025011799, "key": 20250117, "__proto__": {"Key 20250117": true}}',
		);
		expect(item).toMatchObject({ outcome: 'accepted' });
		expect(JSON.stringify(item?.response)).toBe(
			'{"id":2025011799,"key":"…","__proto__":{"Key …":true}}',
		);
	});

	it('does not make an accepted message unknown where the response is nested deeply', async () => {
		const [item] = await run('['.repeat(20_000) + '"20250117"' + ']'.repeat(20_000));
		expect(item).toMatchObject({ outcome: 'accepted' });
		expect(JSON.stringify(item?.response)).toContain('nested too deeply');
	});
});
