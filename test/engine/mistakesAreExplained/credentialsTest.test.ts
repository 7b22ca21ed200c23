import 'reflect-metadata';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject as Data } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { startServer, startServerAnswering, unusedAddress } from '../support/localServer';
import { useNode } from '../support/node';

const node = useNode();

/** Tests a credential as n8n does, with the context that it has for that. */
async function testing(data: Data) {
	const { description, methods } = new CustomerMessaging();
	const type = 'accessToken' in data ? 'customerMessagingPartnerApi' : 'customerMessagingApi';
	expect(description.credentials?.find(({ name }) => name === type)?.testedBy).toBe('testAccount');
	const credential = { id: '1', name: 'test', type, data };
	return await methods.credentialTest.testAccount.call(new CredentialTestContext(), credential);
}

function accountOf(kind: string): Data {
	const { brandId, apiKey, accessToken, ...rest } = node.credential;
	return kind === 'a partner token' ? { ...rest, accessToken } : { ...rest, brandId, apiKey };
}

const testingKey = async (change: Data) => await testing({ ...accountOf('a key'), ...change });

const failed = (message: unknown) => ({ status: 'Error', message });

afterEach(() => {
	expect(node.sandbox.accepted()).toEqual([]);
	for (const { method, path, body } of node.sandbox.record) {
		expect(method).toBe('POST');
		expect([
			['/api/v1/user/create', { nv: [] }],
			['/api/v1/web/send', {}],
			['/api/v1/sendMessage', {}],
		]).toContainEqual([path, body]);
	}
});

it('The test passes if the service refuses nothing but the empty list of users', async () => {
	const { baseUrl, pushUrl, mailUrl } = node.sandbox.urls;
	expect(await testingKey({})).toEqual({
		status: 'OK',
		message: `${baseUrl} accepts the credentials. ${pushUrl} and ${mailUrl} can be reached. The first message will show whether the credentials are valid there. Nothing was sent to anyone.`,
	});
	const { record } = node.sandbox;
	expect(record.map(({ host }) => host)).toEqual(['base', 'push', 'mail']);
	expect(record[0]?.status).toBe(400);
});

it('The test passes if all three addresses are the same, and asks each API', async () => {
	const { url } = node.sandbox;
	const one = { baseUrl: url, pushUrl: url, mailUrl: `${url}/` };
	expect(await testingKey(one)).toEqual({
		status: 'OK',
		message: `${url} accepts the credentials. Nothing was sent to anyone.`,
	});
	const paths = ['/api/v1/user/create', '/api/v1/web/send', '/api/v1/sendMessage'];
	expect(node.sandbox.record.map(({ path }) => path)).toEqual(paths);
});

const ofKey = { 'x-api-key': 'sandbox-key', 'x-brand-id': 'sandbox-brand' };
const ofToken = { authorization: 'Bearer sandbox-token' };
const json = { accept: 'application/json', 'content-type': 'application/json' };

it.each([
	['a key', 'apiKey', ofKey, 'Check whether Brand ID and API Key are swapped. A key'],
	['a partner token', 'accessToken', ofToken, 'Check Access Token. A token'],
] as const)('The test sends the headers of %s, and says if it is invalid', async (...one) => {
	const [kind, field, headers, check] = one;
	expect((await testing(accountOf(kind))).status).toBe('OK');
	expect(node.sandbox.record[0]?.headers).toMatchObject({ ...json, ...headers });
	node.sandbox.reset();
	const told = `Invalid credentials: ${node.sandbox.urls.baseUrl} answered 401. ${check} that was replaced no longer works`;
	expect(await testing({ ...accountOf(kind), [field]: 'wrong' })).toEqual(failed(told));
	expect(node.sandbox.record).toHaveLength(1);
});

const page = '<!DOCTYPE html><title>Welcome</title>';

describe.each([
	['baseUrl', 'User and Event API URL', 'user API'],
	['pushUrl', 'Push API URL', 'push API'],
	['mailUrl', 'Email and SMS API URL', 'email and SMS API'],
] as const)('The test names a wrong %s, the %s,', (field, label, api) => {
	const before = (origin: string) =>
		field === 'baseUrl'
			? `Wrong address: ${origin}`
			: `${node.sandbox.urls.baseUrl} accepts the credentials, but wrong address: ${origin}`;

	it.each([
		[404, '{}', `answered 404 where the ${api} should be`],
		[200, page, 'answered with a web page (200), not as an API'],
		[400, `\n <html>${page}`, 'answered with a web page (400), not as an API'],
	])('that answers %d with %j', async (status, body, says) => {
		const server = await startServerAnswering(status, {}, body);
		const result = await testingKey({ [field]: server.url });
		await server.close();
		expect(result).toEqual(failed(`${before(server.url)} ${says}. Check the '${label}'`));
		expect(server.received).toHaveLength(1);
	});

	it('at which nothing listens', async () => {
		const address = unusedAddress();
		const { status, message } = await testingKey({ [field]: address });
		expect(status).toBe('Error');
		expect(message).toMatch(new RegExp(`${address}.*ECONNREFUSED`));
		expect(message).not.toContain('sandbox-key');
	});

	it('and says how to write it', async () => {
		const written = 'http://api.example.com';
		const told = `${label} '${written}' cannot be used. Enter an https:// address such as https://api.example.com, without a user name. Only an address of this machine may begin with http://`;
		expect(await testingKey({ [field]: written })).toEqual(failed(told));
		expect(node.sandbox.record).toEqual([]);
	});
});

const swapped = 'If it is none of these: Check whether Brand ID and API Key are swapped';

it.each<[number, string, RegExp]>([
	[429, '{}', /429.*try again/i],
	[500, '{}', /500/],
	[405, '{}', /405/],
	[403, '{}', new RegExp(`403\\. The key may lack the right.*plan.*list.*${swapped}`)],
	[200, '{"success":false,"message":"Invalid API key"}', /200.*API key/],
	[200, '{"status":"error","code":"unknown_brand"}', /unknown_brand/],
	[202, '{"errors":["Unauthorised"]}', /Unauthorised/],
])('The test proves nothing if the response is %d %s', async (status, body, says) => {
	const server = await startServerAnswering(status, {}, body);
	const result = await testingKey(server.urls);
	await server.close();
	expect(result).toEqual(failed(expect.stringMatching(says)));
	expect(result.message).toContain(server.url);
	expect(server.received.map((request) => request.body)).toEqual(['{"nv":[]}']);
});

it.each([
	[422, '{"error":"nv must not be empty"}'],
	[200, '{"success":false,"message":"nv is empty"}'],
])('The test passes if the service answers the empty list with %d %s', async (status, body) => {
	const server = await startServerAnswering(status, {}, body);
	const custom = { customAnswers: true, answerField: 'code', acceptedValues: '0' };
	for (const answers of [{}, custom])
		expect((await testingKey({ ...server.urls, ...answers })).status).toBe('OK');
	await server.close();
});

it.each([
	['baseUrl', (url: string) => `${url}/eu1/api/v1/user/create`],
	['pushUrl', (url: string) => `${url}/api/v1/web/send/`],
	['mailUrl', () => 'https://user:pw@new.example.com/x?key=1#y'],
])('The test names where the %s redirects to', async (field, lead) => {
	const server = await startServer((response, { url }) =>
		response.writeHead(308, { location: lead(server.url) }).end(url),
	);
	const result = await testingKey({ [field]: server.url });
	await server.close();
	const shown = field === 'mailUrl' ? 'https://new.example.com/x' : lead(server.url);
	const where = `redirects to ${shown} (308), which is not followed. `;
	expect(result).toEqual(failed(expect.stringContaining(where)));
	expect(result.message).toContain("Check the '");
	expect(server.received).toHaveLength(1);
});

const acme = { defaultSenders: true, emailSenderName: 'Acme', emailServiceProviderId: '7' };
const malformed = { ...acme, emailSenderAddress: 'Acme', segments: '42 VIP\nVIP' };
const both =
	"In the credential, Email Sender Address 'Acme' is not an email address. Write it as name@example.com. Line 2 of Segments, 'VIP', is not a segment. Write its ID, a space and its name, such as 42 VIP customers";
const onlyName = { defaultSenders: true, smsSenderName: 'Acme' };
const incomplete =
	'In the credential, SMS Sender Mobile is empty. Fill it in. In the credential, SMS Service Provider ID is not filled in. Enter a whole number, 1 or more';
const noSender = { defaultSenders: true, smsSenderName: ' ' };
const allEmpty =
	'Default Senders is on, but all of its fields are empty. Fill in what you need, or';

it.each([
	['a malformed segment and a malformed default sender', malformed, both],
	['a default sender with a name only', onlyName, incomplete],
	['no default sender', noSender, allEmpty],
	['a key with a line break', { apiKey: 'a\nb' }, 'API Key'],
	['a secret in place of a switch', { requireConsent: 'sandbox-key' }, "false, but it is '…'"],
] as Array<[string, Data, string]>)('The test sends no request if there is %s', async (...one) => {
	const [, change, named] = one;
	const result = await testingKey(change);
	expect(result).toEqual(failed(expect.stringContaining(named)));
	expect(result.message).not.toContain('sandbox-key');
	expect(node.sandbox.record).toEqual([]);
});

it.each([
	[{ testRecipient: true, testEmail: 'me@example.com' }],
	[{ ...acme, emailSenderAddress: 'news@acme.example' }],
	[{ ...acme, defaultSenders: false, testRecipient: false }],
])('It asks for nothing that others need, nor behind a switch that is off: %j', async (change) => {
	expect((await testingKey(change)).status).toBe('OK');
});
