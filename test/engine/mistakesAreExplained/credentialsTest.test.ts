import 'reflect-metadata';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { startServer, startServerAnswering, unusedAddress } from '../support/localServer';
import { keyCredential, tokenCredential, useSandbox } from '../support/service';

const sandbox = useSandbox();

/** Tests a credential as n8n does, with the context that it has for that. */
async function testing(data: ICredentialDataDecryptedObject): Promise<INodeCredentialTestResult> {
	const { description, methods } = new CustomerMessaging();
	const type = 'accessToken' in data ? 'customerMessagingPartnerApi' : 'customerMessagingApi';
	expect(description.credentials?.find(({ name }) => name === type)?.testedBy).toBe('testAccount');
	return await methods.credentialTest.testAccount.call(new CredentialTestContext(), {
		id: '1',
		name: 'test',
		type,
		data,
	});
}

afterEach(() => {
	expect(sandbox().accepted()).toEqual([]);
	for (const { method, path, body } of sandbox().record) {
		expect(method).toBe('POST');
		expect([
			['/api/v1/user/create', { nv: [] }],
			['/api/v1/web/send', {}],
			['/api/v1/sendMessage', {}],
		]).toContainEqual([path, body]);
	}
});

describe.each([
	['brand ID and API key', keyCredential],
	['a partner token', tokenCredential],
])('With %s', (_, credentialOf) => {
	it('passes if the service refuses nothing but the empty list of users', async () => {
		const result = await testing(credentialOf(sandbox()));
		const { baseUrl, pushUrl, mailUrl } = sandbox().urls;
		expect(result).toEqual({
			status: 'OK',
			message: `${baseUrl} accepts the credentials. ${pushUrl} and ${mailUrl} can be reached. The first message will show whether the credentials are valid there. Nothing was sent to anyone.`,
		});
		expect(
			sandbox()
				.record.map(({ host }) => host)
				.sort(),
		).toEqual(['base', 'mail', 'push']);
		expect(sandbox().record.find(({ host }) => host === 'base')?.status).toBe(400);
	});

	it('passes if all three addresses are the same, and asks each API', async () => {
		const { url } = sandbox();
		const one = { baseUrl: url, pushUrl: url, mailUrl: `${url}/` };
		expect(await testing({ ...credentialOf(sandbox()), ...one })).toEqual({
			status: 'OK',
			message: `${url} accepts the credentials. Nothing was sent to anyone.`,
		});
		expect(sandbox().record.map(({ path }) => path)).toEqual([
			'/api/v1/user/create',
			'/api/v1/web/send',
			'/api/v1/sendMessage',
		]);
	});

	it('fails on a malformed segment and a malformed default sender, before any request', async () => {
		const wrong = { segments: '42 VIP\nVIP', defaultSenders: true, emailSenderAddress: 'Acme' };
		expect(await testing({ ...credentialOf(sandbox()), ...wrong })).toEqual({
			status: 'Error',
			message:
				"In the credential, Email Sender Address 'Acme' is not an email address. Write it as name@example.com; Line 2 of Segments, 'VIP', is not a segment. Write its ID, a space and its name, such as 42 VIP customers",
		});
		expect(sandbox().record).toEqual([]);
	});

	it('sends the headers that the node sends', async () => {
		await testing(credentialOf(sandbox()));
		const [first] = sandbox().record;
		expect(first?.headers).toMatchObject(
			'accessToken' in credentialOf(sandbox())
				? { authorization: 'Bearer sandbox-token', 'content-type': 'application/json' }
				: {
						'x-api-key': 'sandbox-key',
						'x-brand-id': 'sandbox-brand',
						accept: 'application/json',
						'content-type': 'application/json',
					},
		);
	});

	it('says that invalid credentials are invalid', async () => {
		const wrong = { apiKey: 'wrong-key', accessToken: 'wrong-token' };
		const credential = credentialOf(sandbox());
		const known = Object.fromEntries(Object.entries(wrong).filter(([name]) => name in credential));
		const { status, message } = await testing({ ...credential, ...known });
		expect(status).toBe('Error');
		expect(message).toBe(
			`Invalid credentials: ${sandbox().urls.baseUrl} answered 401. ${'accessToken' in credential ? 'Check Access Token. A token' : 'Check whether Brand ID and API Key are swapped. A key'} that was replaced no longer works`,
		);
		expect(message).not.toContain('wrong-');
		expect(sandbox().record).toHaveLength(1);
	});

	it('says that the address is wrong if it belongs to another host of the service', async () => {
		const { urls } = sandbox();
		const { status, message } = await testing({
			...credentialOf(sandbox()),
			baseUrl: urls.mailUrl,
		});
		expect(status).toBe('Error');
		expect(message).toMatch(/wrong address/i);
		expect(message).toContain(urls.mailUrl);
		expect(message).toContain('404');
	});
});

const page = '<!DOCTYPE html><title>Welcome</title>';
const addresses = [
	['baseUrl', 'User and Event API URL', 'user API'],
	['pushUrl', 'Push API URL', 'push API'],
	['mailUrl', 'Email and SMS API URL', 'email and SMS API'],
] as const;

describe.each(addresses)('The test names a wrong %s, the %s,', (field, label, api) => {
	const before = (origin: string) =>
		field === 'baseUrl'
			? `Wrong address: ${origin}`
			: `${sandbox().urls.baseUrl} accepts the credentials, but wrong address: ${origin}`;

	it.each([
		['with 404', 404, '{}', `answered 404 where the ${api} should be`],
		['with a web page', 200, page, 'answered with a web page (200), not as an API'],
		[
			'with a page that refuses',
			400,
			`\n <html>${page}`,
			'answered with a web page (400), not as an API',
		],
	])('that answers %s', async (_, status, body, says) => {
		const server = await startServerAnswering(status, {}, body);
		const result = await testing({ ...keyCredential(sandbox()), [field]: server.url });
		await server.close();
		expect(result).toEqual({
			status: 'Error',
			message: `${before(server.url)} ${says}. Check the '${label}'`,
		});
		expect(server.received).toHaveLength(1);
	});

	it('that speaks http where https is entered', async () => {
		const server = await startServerAnswering(200, {}, '{}');
		const url = server.url.replace('http:', 'https:');
		const result = await testing({ ...keyCredential(sandbox()), [field]: url });
		await server.close();
		expect(result).toEqual({
			status: 'Error',
			message: `${before(url)} does not speak https. Check the '${label}' and its port`,
		});
	});

	it.each([
		['without a scheme', 'api.example.com', 'https://api.example.com'],
		['without a scheme but with a port', 'api.example.com:8443', 'https://api.example.com:8443'],
		['with http', 'http://api.example.com', 'https://api.example.com'],
		['of this machine without a scheme', 'localhost:4010/api/v1', 'http://localhost:4010/api/v1'],
		['of this machine by number', '127.0.0.1:4010', 'http://127.0.0.1:4010'],
		['of this machine in IPv6', '[::1]:4010', 'http://[::1]:4010'],
	])('%s, and the one that is meant', async (_, written, meant) => {
		expect(await testing({ ...keyCredential(sandbox()), [field]: written })).toEqual({
			status: 'Error',
			message: `${label} '${written}' cannot be used. Enter an ${meant.replace(/(:\/\/).*/, '$1')} address. Did you mean ${meant}?`,
		});
		expect(sandbox().record).toEqual([]);
	});
});

it('The test takes a key and a brand that were copied with spaces and a line break', async () => {
	const padded = { apiKey: ' sandbox-key\n', brandId: 'sandbox-brand ' };
	expect((await testing({ ...keyCredential(sandbox()), ...padded })).status).toBe('OK');
	const token = { accessToken: ' sandbox-token\n' };
	expect((await testing({ ...tokenCredential(sandbox()), ...token })).status).toBe('OK');
});

describe.each(['baseUrl', 'pushUrl', 'mailUrl'])('Where nothing listens at the %s', (field) => {
	it('names the address that could not be reached', async () => {
		const address = unusedAddress();
		const { status, message } = await testing({ ...keyCredential(sandbox()), [field]: address });
		expect(status).toBe('Error');
		expect(message).toContain(address);
		expect(message).toContain('ECONNREFUSED');
		expect(message).not.toContain('sandbox-key');
	});
});

it.each([
	['a limit used up', 429, { 'content-type': 'application/json' }, '{}', /429.*try again/i],
	['a failure of its own', 500, { 'content-type': 'application/json' }, '{}', /500/],
	['a way to another address', 302, { location: 'https://example.com/' }, '', /302/],
	['a refusal of another kind', 405, { 'content-type': 'application/json' }, '{}', /405/],
	[
		'a 403',
		403,
		{},
		'{}',
		/403\. The key may lack the right.*plan.*list.*If it is none of these: Check whether Brand ID and API Key are swapped/,
	],
	['a 2xx about the key', 200, {}, '{"success":false,"message":"Invalid API key"}', /200.*API key/],
	['a 2xx about the brand', 200, {}, '{"status":"error","code":"unknown_brand"}', /unknown_brand/],
	['a 2xx about rights', 200, {}, '{"error":"Permission denied"}', /Permission denied/],
	['a 2xx about a login', 202, {}, '{"errors":["Unauthorised"]}', /Unauthorised/],
])('The test proves nothing if the response is %s', async (_, status, headers, body, says) => {
	const server = await startServerAnswering(status, headers, body);
	const result = await testing({ ...keyCredential(sandbox()), ...server.urls });
	await server.close();

	expect(result.status).toBe('Error');
	expect(result.message).toMatch(says);
	expect(result.message).toContain(server.url);
	expect(server.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ nv: [] }]);
});

it.each([
	['422', 422, '{"error":"nv must not be empty"}'],
	[
		'a 2xx that says it failed for the empty list',
		200,
		'{"success":false,"message":"nv is empty"}',
	],
	['a 2xx that says nothing', 200, '{}'],
])('The test passes if the service answers the empty list with %s', async (_, status, body) => {
	const server = await startServerAnswering(status, {}, body);
	const result = await testing({ ...keyCredential(sandbox()), ...server.urls });
	const custom = { customAnswers: true, answerField: 'code', acceptedValues: '0' };
	const same = await testing({ ...keyCredential(sandbox()), ...server.urls, ...custom });
	await server.close();
	expect([result.status, same.status]).toEqual(['OK', 'OK']);
});

it.each([
	['baseUrl', (url: string) => `${url}/eu1/api/v1/user/create`, 'belongs to the service'],
	['pushUrl', (url: string) => `${url}/api/v1/web/send/`, 'only adds a slash at the end'],
	['mailUrl', () => 'https://user:pw@new.example.com/x?key=1#y', 'belongs to the service'],
])('The test names where the %s redirects to', async (field, lead, says) => {
	const { urls } = sandbox();
	const server = await startServer((response, { url }) =>
		response.writeHead(308, { location: lead(server.url) }).end(url),
	);
	const { status, message } = await testing({
		...keyCredential(sandbox()),
		...urls,
		[field]: server.url,
	});
	await server.close();
	expect(status).toBe('Error');
	const shown = field === 'mailUrl' ? 'https://new.example.com/x' : lead(server.url);
	expect(message).toContain(`redirects to ${shown} (308), which is not followed. `);
	expect(message).toContain(says);
});

it('The test does not follow a redirect with the key', async () => {
	const { urls } = sandbox();
	const server = await startServerAnswering(
		307,
		{ location: `${urls.baseUrl}/api/v1/user/create` },
		'',
	);
	const { status } = await testing({ ...keyCredential(sandbox()), ...server.urls });
	await server.close();
	expect(status).toBe('Error');
	expect(sandbox().record).toEqual([]);
});

it.each([
	['an address that is none', { baseUrl: 'example' }, 'User and Event API URL'],
	['http to another machine', { mailUrl: 'http://mail.example.com' }, 'Email and SMS API URL'],
	['a key with a line break', { apiKey: 'a\nb' }, 'API Key'],
	['no brand', { brandId: '' }, 'Brand ID'],
	['a limit of zero', { customLimits: true, pushLimit: 0 }, 'Push Limit per Minute'],
	['a zone that is none', { customSchedule: true, scheduleZone: 'Mars/Olympus' }, 'Mars/Olympus'],
])('The test sends no request if there is %s', async (_, change, named) => {
	const { status, message } = await testing({ ...keyCredential(sandbox()), ...change });
	expect(status).toBe('Error');
	expect(message).toContain(named);
	expect(sandbox().record).toEqual([]);
});
