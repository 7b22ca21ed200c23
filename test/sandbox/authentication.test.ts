import { startSandbox, type Sandbox } from '../../sandbox';
import { brandHeaders, call, remainingOf, tokenHeaders, webPush } from './support/calls';

const json = { accept: 'application/json', 'content-type': 'application/json' };
const path = '/api/v1/web/send';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

it.each([
	['brand ID and API key', brandHeaders, 'brand:sandbox-brand'],
	['access token', tokenHeaders, 'token:1'],
])('The sandbox accepts the credentials of %s', async (_name, headers, identity) => {
	expect((await call(sandbox.url + path, { headers, body: webPush })).status).toBe(200);
	expect(sandbox.record[0]).toMatchObject({ identity });
});

it.each<[string, Record<string, string>]>([
	['nothing', {}],
	['a wrong key', { 'x-brand-id': 'sandbox-brand', 'x-api-key': 'wrong' }],
	['a wrong brand', { 'x-brand-id': 'wrong', 'x-api-key': 'sandbox-key' }],
	['a key without its brand', { 'x-api-key': 'sandbox-key' }],
	['a brand without its key', { 'x-brand-id': 'sandbox-brand' }],
	['a wrong token', { authorization: 'Bearer wrong' }],
	['a token without Bearer', { authorization: 'sandbox-token' }],
	['a token under another scheme', { authorization: 'Basic sandbox-token' }],
	[
		'a wrong key beside a good token',
		{ 'x-api-key': 'wrong', authorization: 'Bearer sandbox-token' },
	],
])('refuses %s', async (_name, headers) => {
	const answered = await call(sandbox.url + path, {
		headers: { ...json, ...headers },
		body: webPush,
	});
	expect(answered.status).toBe(401);
	expect(answered.json).toEqual({ error: 'Invalid authentication' });
	expect(remainingOf(answered)).toBe('500');
	expect(sandbox.record[0]).toMatchObject({
		identity: null,
		outcome: 'unauthorized',
		accepted: false,
		status: 401,
	});
});

it('The sandbox answers 404 to a wrong address before it checks credentials', async () => {
	expect((await call(`${sandbox.url}/api/v1/nowhere`, { headers: json })).status).toBe(404);
});

it('The sandbox accepts configured credentials, each with its own limits', async () => {
	const own = await startSandbox({
		credentials: {
			brands: [
				{ brandId: 'one', apiKey: 'key-one' },
				{ brandId: 'two', apiKey: 'key-two' },
			],
		},
	});
	const as = (brand: string, key: string) =>
		call(own.url + path, {
			headers: { ...json, 'x-brand-id': brand, 'x-api-key': key },
			body: webPush,
		});
	try {
		expect(remainingOf(await as('one', 'key-one'))).toBe('499');
		expect(remainingOf(await as('one', 'key-one'))).toBe('498');
		expect(remainingOf(await as('two', 'key-two'))).toBe('499');
		expect((await as('one', 'key-two')).status).toBe(401);
		expect((await call(own.url + path, { headers: tokenHeaders, body: webPush })).status).toBe(401);
	} finally {
		await own.close();
	}
});

describe('The headers about JSON', () => {
	it.each([
		['application/json', 200],
		['application/json; charset=utf-8', 200],
		['Application/JSON', 200],
		['text/plain', 400],
		['application/x-www-form-urlencoded', 400],
		['application/jsonp', 400],
		['nonsense', 400],
		[undefined, 400],
	])('with content type %j are answered %i', async (type, status) => {
		const { 'content-type': _left, ...others } = brandHeaders;
		const headers = type === undefined ? others : { ...others, 'content-type': type };
		const answered = await call(sandbox.url + path, { headers, body: webPush });
		expect(answered.status).toBe(status);
		if (status === 400)
			expect(answered.text).toContain('"content-type","rule":"must be application/json"');
	});

	it('requires accept together with brand and key (spec §5.1), but not with a token (§5.2)', async () => {
		const { accept: _left, ...headers } = brandHeaders;
		const answered = await call(sandbox.url + path, { headers, body: webPush });
		expect(answered.status).toBe(400);
		expect(answered.json).toEqual({
			error: 'Invalid resource',
			problems: [{ path: 'accept', rule: 'must be application/json' }],
		});
		expect((await call(sandbox.url + path, { headers: tokenHeaders, body: webPush })).status).toBe(
			200,
		);
	});

	it('accepts other types in addition to JSON in accept', async () => {
		const headers = { ...brandHeaders, accept: 'application/json, text/plain, */*' };
		expect((await call(sandbox.url + path, { headers, body: webPush })).status).toBe(200);
	});
});
