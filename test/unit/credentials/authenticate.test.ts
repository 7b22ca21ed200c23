import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../../credentials/CustomerMessagingPartnerApi.credentials';
import { secretFields } from '../../../nodes/CustomerMessaging/n8n/context';

const hosts = {
	baseUrl: 'https://api.example.com/v1/',
	pushUrl: 'https://push.example.com:8443',
	mailUrl: 'http://127.0.0.1:5678',
};
const credential = { ...hosts, brandId: 'brand', apiKey: 'key', accessToken: 'token' };
const types = [
	[new CustomerMessagingApi(), { 'x-api-key': 'key', 'x-brand-id': 'brand' }],
	[new CustomerMessagingPartnerApi(), { Authorization: 'Bearer token' }],
] as const;

/** What n8n's helpers take: `uri` belongs to the older one. */
type Request = Partial<IHttpRequestOptions> & { uri?: unknown };

describe.each(types)('%o', (type, headers) => {
	const authenticate = async (
		request: Request,
		data: ICredentialDataDecryptedObject = credential,
	): Promise<unknown> => await type.authenticate(data, request as IHttpRequestOptions);

	it('leaves out spaces and a line break that were copied along', async () => {
		const padded = { ...hosts, brandId: ' brand', apiKey: 'key\n', accessToken: ' token ' };
		expect(await authenticate({ url: hosts.pushUrl }, padded)).toMatchObject({ headers });
	});

	it.each<Request>([
		{ url: 'https://api.example.com/api/v1/user/create' },
		{ uri: 'https://API.example.com:443/report?x=1' },
		{ uri: new URL('https://push.example.com:8443/send') },
		{ url: 'http://127.0.0.1:5678' },
		{ url: '/api/v1/web/send', baseURL: 'https://push.example.com:8443' },
		{ url: '', baseURL: 'https://push.example.com:8443/api' },
		{ uri: '', url: 'https://api.example.com/' },
	])(
		'adds its headers to a request to a host that it names, and forbids redirects: %o',
		async (request) => {
			expect(await authenticate({ ...request, headers: { accept: '*/*' } })).toEqual({
				...request,
				headers: { accept: '*/*', ...headers },
				disableFollowRedirect: true,
				followRedirect: false,
				followAllRedirects: false,
			});
		},
	);

	it.each<Request>([
		{ url: 'https://evil.example/' },
		{ uri: 'https://evil.example/' },
		{ uri: 'https://api.example.com/', url: 'https://evil.example/' },
		{ uri: 'https://evil.example/', url: 'https://api.example.com/' },
		{ url: '/x', baseURL: 'https://evil.example' },
		{ url: 'https://api.example.com/', baseURL: 'https://evil.example' },
		{ url: 'https://evil.example/', baseURL: 'https://api.example.com' },
		{ url: '//evil.example/x', baseURL: 'https://api.example.com' },
		{ url: '\\\\evil.example/x', baseURL: 'https://api.example.com' },
		{ url: 'evil.example/x', baseURL: 'https:' },
		{ url: 'https://api.example.com@evil.example/' },
		{ url: 'https://api.example.com.evil.example/' },
		{ url: 'https://api.example.com\\@evil.example/', uri: 'https://evil.example' },
		{ url: 'http://api.example.com/' },
		{ url: 'https://api.example.com:8443/' },
		{ url: 'https://push.example.com/' },
		{ url: 'http://localhost:5678' },
		{ url: '/api/v1/web/send' },
		{ url: '' },
		{},
	])('refuses a request to any other host: %o', async (request) => {
		await expect(authenticate(request)).rejects.toMatchObject({
			message: expect.stringContaining(
				'The credential sends its key only to its own addresses: https://api.example.com, https://push.example.com:8443, http://127.0.0.1:5678',
			) as unknown,
			// By this code, the node knows that nothing was sent.
			code: 'HOST_NOT_NAMED',
		});
	});

	it('refuses every request while none of its addresses can be used', async () => {
		const data = { ...credential, baseUrl: 'http://api.example.com', pushUrl: '', mailUrl: 'x' };
		await expect(authenticate({ url: 'http://api.example.com' }, data)).rejects.toThrow('its key');
	});
});

test('Every field that n8n hides as a password is masked in outputs', () => {
	const hidden = types.flatMap(([{ properties }]) =>
		properties.filter(({ typeOptions }) => typeOptions?.password).map(({ name }) => name),
	);
	expect(new Set(secretFields)).toEqual(new Set(hidden));
});
