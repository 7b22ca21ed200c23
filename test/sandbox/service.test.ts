import {
	brandHeaders,
	call,
	email,
	sandboxForTests,
	sms,
	tokenHeaders,
	webPush,
} from './support/calls';

const clock = { now: 0 };
const held = sandboxForTests(() => ({ now: () => clock.now }));
const minute = 1_800_000_000_000 - (1_800_000_000_000 % 60_000);
beforeEach(() => (clock.now = minute));

const { accept, 'content-type': contentType } = brandHeaders;
const json = { accept, 'content-type': contentType };

describe('The service', () => {
	it.each<[status: number, identity: string | null, headers: Record<string, string>]>([
		[200, 'brand:sandbox-brand', brandHeaders],
		[200, 'token:1', tokenHeaders],
		[400, 'brand:sandbox-brand', { ...brandHeaders, accept: 'text/html' }],
		[400, 'token:1', { ...tokenHeaders, 'content-type': 'text/plain' }],
		[401, null, json],
		[401, null, { ...brandHeaders, 'x-api-key': 'wrong' }],
		[401, null, { ...json, authorization: 'sandbox-token' }],
		[401, null, { ...tokenHeaders, accept, 'x-api-key': 'a wrong one beside a good token' }],
	])('answers %i to %s with the headers %j', async (status, identity, headers) => {
		const remaining = identity === null ? '500' : '499';
		expect(await held.send('web/send', webPush, headers)).toMatchObject({ status, remaining });
		expect(held.sandbox.record).toMatchObject([{ identity, accepted: status === 200 }]);
	});

	// The node's tests have every path.
	const toSegment = { title: 'Hello', message: 'There', url: 'https://x.example', segment_id: 3 };
	const users = [{ userID: 'u1', user_attributes: { name: 'Ann', tags: ['a'], left: null } }];
	test.each<[host: 'base' | 'push' | 'mail', path: string, body: object, api: string]>([
		['base', 'user/create', { nv: [...users, { userID: 'u2' }] }, 'user'],
		['push', 'android/broadcast/segment', { ...toSegment, time: '90', unknown: {} }, 'push'],
		['mail', 'sendMessage', { ...sms, campaign_id: 5 }, 'sms'],
		['mail', 'sms/broadcast/', { ...sms, segment_id: 3 }, 'sms'],
	])('has on the host for %s alone the path %s', async (host, path, body, api) => {
		const { sandbox } = held;
		const at = (one: typeof host, asked = path) =>
			call(`${sandbox.urls[`${one}Url`]}/api/v1/${asked}`, { body });
		const { status, json: told } = await at(host);
		expect([status, told]).toEqual([200, { status: 'ok', id: String(sandbox.record[0]?.seq) }]);
		expect(sandbox.record).toMatchObject([{ host, path: `/api/v1/${path}`, body, api }]);
		const likeIt = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
		expect((await at(host, likeIt)).status).toBe(404);
		expect((await at(host === 'mail' ? 'push' : 'mail')).status).toBe(404);
		expect(sandbox.accepted()).toHaveLength(1);
	});
});

describe('The limit', () => {
	it('counts a 400, but not a 401 or 404, and is told with each response until it answers 429', async () => {
		held.sandbox.configure({ limits: { push: 3 } });
		expect((await held.send()).remaining).toBe('2');
		await held.send('web/send', webPush, { ...brandHeaders, 'x-api-key': 'wrong' });
		await held.send('web/sent');
		const problems = [{ path: 'url', rule: 'must be a string' }];
		expect(await held.send('web/send', { ...webPush, url: 5 })).toMatchObject({
			...{ status: 400, remaining: '1', json: { error: 'Invalid resource', problems } },
		});
		expect((await held.send()).remaining).toBe('0');
		expect(await held.send()).toMatchObject({ status: 429, remaining: '0' });
		expect(held.sandbox.record.at(-1)).toMatchObject({ outcome: 'rateLimited', accepted: false });
		expect(held.sandbox.gauges()).toContainEqual({
			...{ identity: 'brand:sandbox-brand', api: 'push', limit: 3, msToNextWindow: 60_000 },
			...{ used: 3, remaining: 0, refused: 1 },
		});
	});

	it('is one for each credential and API, and with an unknown channel that of email', async () => {
		for (const [remaining, path, body, headers] of [
			['499', 'web/send', webPush],
			['498', 'ios/send', webPush],
			['499', 'web/send', webPush, tokenHeaders],
			['499', 'sendMessage', { ...email, user_id: 'u1' }],
			['498', 'sendMessage', 'broken'],
			['497', 'sendMessage', { user_id: 'u1' }],
			['499', 'sendMessage', { ...sms, user_id: 'u1' }],
		] as const)
			expect(await held.send(path, body, headers)).toMatchObject({ remaining });
	});

	it.each([
		['clockMinute', 0, 45_000],
		['clockMinute', 7_000, 38_000],
		['firstRequest', 0, 60_000],
		['sliding', 0, 60_000],
	] as const)(
		'opens a %s window, by a clock %i ms ahead, after %i ms',
		async (kind, clockSkewMs, againMs) => {
			held.sandbox.configure({ limits: { push: 1 }, window: { kind }, clockSkewMs });
			const at = async (ms: number) => {
				clock.now = minute + 15_000 + ms;
				return await held.send();
			};
			const first = await at(0);
			expect(first.status).toBe(200);
			expect(first.headers.date).toBe(new Date(clock.now + clockSkewMs).toUTCString());
			expect((await at(againMs - 1)).status).toBe(429);
			expect((await at(againMs)).status).toBe(200);
		},
	);
});
