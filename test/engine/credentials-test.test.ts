import 'reflect-metadata';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { startServerAnswering, unusedAddress } from './support/localServer';
import { keyCredential, tokenCredential, useSandbox } from './support/service';

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
		]).toContainEqual([path, body]);
	}
});

describe.each([
	['brand ID and API key', keyCredential],
	['a partner token', tokenCredential],
])('With %s', (_, credentialOf) => {
	it('passes if the service refuses nothing but the empty list of users', async () => {
		const result = await testing(credentialOf(sandbox()));
		expect(result.status).toBe('OK');
		expect(result.message).toContain('Nothing was sent');
		expect(
			sandbox()
				.record.map(({ host }) => host)
				.sort(),
		).toEqual(['base', 'mail', 'push']);
		expect(sandbox().record.find(({ host }) => host === 'base')?.status).toBe(400);
	});

	it('passes if all three addresses are the same, and asks the user and the push API', async () => {
		const { url } = sandbox();
		const one = { baseUrl: url, pushUrl: url, mailUrl: `${url}/` };
		expect((await testing({ ...credentialOf(sandbox()), ...one })).status).toBe('OK');
		expect(sandbox().record.map(({ path }) => path)).toEqual([
			'/api/v1/user/create',
			'/api/v1/web/send',
		]);
	});

	it('passes with segments and default senders, also if only some of these are filled in', async () => {
		const some = { segments: '42 VIP\n', defaultSenders: true, smsSenderName: 'ACME' };
		expect((await testing({ ...credentialOf(sandbox()), ...some })).status).toBe('OK');
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

	it('ignores default senders that are switched off', async () => {
		const off = { defaultSenders: false, emailSenderAddress: 'Acme' };
		expect((await testing({ ...credentialOf(sandbox()), ...off })).status).toBe('OK');
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
		expect(message).toMatch(/invalid credentials/i);
		expect(message).toContain('401');
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

const page = { 'content-type': 'text/html' };

it.each([
	['pushUrl', 'Push Address', 404, {}, '', 'answered 404 where the push API should be'],
	['pushUrl', 'Push Address', 200, page, '<h1>Hi</h1>', 'answered with a web page (200)'],
	['pushUrl', 'Push Address', 200, {}, '<!doctype html>', 'answered with a web page (200)'],
	['mailUrl', 'Email and SMS Address', 200, page, '<html>', 'answered with a web page (200)'],
])(
	'The test names the %s (%s) that answers %i with %j %j',
	async (field, label, status, headers, body, says) => {
		const server = await startServerAnswering(status, headers, body);
		const result = await testing({ ...keyCredential(sandbox()), [field]: server.url });
		await server.close();
		expect(result.status).toBe('Error');
		expect(result.message).toContain(
			`accepts the credentials, but wrong address: ${server.url} ${says}`,
		);
		expect(result.message).toContain(`Check the '${label}'`);
	},
);

it.each(['pushUrl', 'mailUrl'])(
	'The test takes JSON of the %s that is called a web page',
	async (field) => {
		const server = await startServerAnswering(400, page, '{"error":"No recipient"}');
		const result = await testing({ ...keyCredential(sandbox()), [field]: server.url });
		await server.close();
		expect(result.status).toBe('OK');
	},
);

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

it('The test names a host that does not exist', async () => {
	const { status, message } = await testing({
		...keyCredential(sandbox()),
		baseUrl: 'https://nowhere.invalid',
	});
	expect(status).toBe('Error');
	expect(message).toContain('https://nowhere.invalid');
});

it.each([
	['a web page', 200, { 'content-type': 'text/html' }, '<h1>Welcome</h1>', /wrong address/i],
	[
		'a web page of a refusal',
		400,
		{ 'content-type': 'text/html; charset=utf-8' },
		'<h1>Bad</h1>',
		/wrong address/i,
	],
	['a limit used up', 429, { 'content-type': 'application/json' }, '{}', /429.*try again/i],
	['a failure of its own', 500, { 'content-type': 'application/json' }, '{}', /500/],
	['a way to another address', 302, { location: 'https://example.com/' }, '', /302/],
	['a refusal of another kind', 403, { 'content-type': 'application/json' }, '{}', /403/],
])('The test proves nothing if the response is %s', async (_, status, headers, body, says) => {
	const server = await startServerAnswering(status, headers, body);
	const result = await testing({ ...keyCredential(sandbox()), ...server.urls });
	await server.close();

	expect(result.status).toBe('Error');
	expect(result.message).toMatch(says);
	expect(result.message).toContain(server.url);
	expect(server.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ nv: [] }]);
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
	['an address that is none', { baseUrl: 'example' }, 'User and Event Address'],
	['http to another machine', { mailUrl: 'http://mail.example.com' }, 'Email and SMS Address'],
	['a key with a line break', { apiKey: 'a\nb' }, 'API Key'],
	['no brand', { brandId: '' }, 'Brand ID'],
	['a limit of zero', { customLimits: true, pushLimit: 0 }, 'Push Limit'],
	['a zone that is none', { customSchedule: true, scheduleZone: 'Mars/Olympus' }, 'Mars/Olympus'],
])('The test sends no request if there is %s', async (_, change, named) => {
	const { status, message } = await testing({ ...keyCredential(sandbox()), ...change });
	expect(status).toBe('Error');
	expect(message).toContain(named);
	expect(sandbox().record).toEqual([]);
});
