import { startSandbox, type Sandbox } from '../../sandbox';
import { brandHeaders, call, remainingOf, tokenHeaders, webPush } from './support/calls';

const json = { accept: 'application/json', 'content-type': 'application/json' };

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const push = (headers: Record<string, string>) =>
	call(`${sandbox.url}/api/v1/web/send`, { headers, body: webPush });

it.each([
	['brand ID and API key', brandHeaders, 'brand:sandbox-brand'],
	['access token', tokenHeaders, 'token:1'],
])('The sandbox accepts the credentials of %s', async (_name, headers, identity) => {
	expect((await push(headers)).status).toBe(200);
	expect(sandbox.record[0]).toMatchObject({ identity });
});

it.each<[string, Record<string, string>]>([
	['nothing', {}],
	['a wrong key', { 'x-brand-id': 'sandbox-brand', 'x-api-key': 'wrong' }],
	['a token without Bearer', { authorization: 'sandbox-token' }],
	['a wrong key beside a good token', { ...tokenHeaders, 'x-api-key': 'wrong' }],
])('The sandbox refuses %s, and does not count it', async (_name, headers) => {
	const answered = await push({ ...json, ...headers });
	expect([answered.status, answered.json]).toEqual([401, { error: 'Invalid authentication' }]);
	expect(remainingOf(answered)).toBe('500');
	expect(sandbox.record[0]).toMatchObject({ outcome: 'unauthorized', accepted: false });
});

it('The sandbox requires the headers about JSON, of which a token needs no accept (spec §5)', async () => {
	const { accept: _, ...withoutAccept } = brandHeaders;
	expect((await push(withoutAccept)).json).toEqual({
		error: 'Invalid resource',
		problems: [{ path: 'accept', rule: 'must be application/json' }],
	});
	expect((await push({ ...brandHeaders, 'content-type': 'text/plain' })).status).toBe(400);
	expect((await push(tokenHeaders)).status).toBe(200);
});
