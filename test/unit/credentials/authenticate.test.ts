import type { IHttpRequestOptions } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../../credentials/CustomerMessagingPartnerApi.credentials';
import { secretFields } from '../../../nodes/CustomerMessaging/n8n/context';

const types = [
	{ type: new CustomerMessagingApi(), headers: { 'x-api-key': 'key', 'x-brand-id': 'brand' } },
	{ type: new CustomerMessagingPartnerApi(), headers: { Authorization: 'Bearer token' } },
];

/** As the node marks it. Typed by hand, because another copy of the module must know the mark too. */
const name = 'n8n-nodes-customer-messaging.request';
const mark = Symbol.for(name);
const sent = { url: 'https://push.example.com/send', method: 'POST', headers: { accept: '*/*' } };
const refusal =
	'This credential works in the Customer Messaging node only. For other paths of the service, use its Custom Request, or HTTP Request with a credential of its own';

describe.each(types)('$type.name', ({ type, headers }) => {
	// With spaces and a line break that were copied along.
	const data = { brandId: ' brand', apiKey: 'key\n', accessToken: ' token ' };
	const authenticate = async (request: object) =>
		await type.authenticate(data, request as IHttpRequestOptions);

	it('adds its headers to a request of the node, and takes the mark out', async () => {
		const authenticated = await authenticate({ ...sent, [mark]: true });
		expect(authenticated).toStrictEqual({ ...sent, headers: { accept: '*/*', ...headers } });
		expect(Object.getOwnPropertySymbols(authenticated)).toEqual([]);
	});

	it('refuses any other request, also one whose JSON imitates the mark', async () => {
		// By its code, the node knows that nothing was sent.
		const refused = { message: refusal, code: 'NOT_OF_THIS_NODE' };
		for (const imitation of [{ [String(mark)]: true, [name]: true }, { [mark]: 'true' }])
			await expect(authenticate({ ...sent, ...imitation })).rejects.toMatchObject(refused);
	});

	it("refuses n8n's repetition of a request, after a 401 or not", async () => {
		const request = { ...sent, [mark]: true };
		const authenticated = await authenticate(request);
		await expect(authenticate(authenticated)).rejects.toThrow(refusal);
		await expect(authenticate(request)).rejects.toThrow(refusal);
	});

	it('is refused to other nodes by n8n itself, where n8n can do that', () =>
		expect(type.restrictToSupportedNodes).toBe(true));
});

test('The key and the token, which n8n hides as passwords, are masked in outputs', () => {
	const hidden = types.flatMap(({ type: { properties } }) =>
		properties.filter(({ typeOptions }) => typeOptions?.password).map(({ name }) => name),
	);
	expect(hidden).toEqual(['apiKey', 'accessToken']);
	expect(new Set(secretFields)).toEqual(new Set(hidden));
});
