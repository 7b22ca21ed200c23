import type { SandboxOptions } from '../../sandbox';
import { apis } from '../../sandbox/terms';
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

const push = (headers: Record<string, string>) => held.send('web/send', webPush, headers);

describe('The service', () => {
	it.each([
		['brand ID and API key', brandHeaders, 'brand:sandbox-brand'],
		['access token, without the header accept (spec §5)', tokenHeaders, 'token:1'],
	])('accepts the credentials of %s', async (_name, headers, identity) => {
		expect((await push(headers)).status).toBe(200);
		expect(held.sandbox.record[0]).toMatchObject({ identity });
	});

	it.each<[string, Record<string, string>]>([
		['nothing', {}],
		['a wrong key', { 'x-brand-id': 'sandbox-brand', 'x-api-key': 'wrong' }],
		['a token without Bearer', { authorization: 'sandbox-token' }],
		['a wrong key beside a good token', { ...tokenHeaders, 'x-api-key': 'wrong' }],
	])('refuses %s, and does not count it', async (_name, headers) => {
		const json = { accept: 'application/json', 'content-type': 'application/json' };
		const answered = await push({ ...json, ...headers });
		expect([answered.status, answered.json]).toEqual([401, { error: 'Invalid authentication' }]);
		expect(answered.remaining).toBe('500');
		expect(held.sandbox.record[0]).toMatchObject({ outcome: 'unauthorized', accepted: false });
	});

	it('requires the headers about JSON (spec §5)', async () => {
		const problems = [{ path: 'accept', rule: 'must be application/json' }];
		const answered = await push({ ...brandHeaders, accept: 'text/html' });
		expect(answered.json).toEqual({ error: 'Invalid resource', problems });
		expect((await push({ ...brandHeaders, 'content-type': 'text/plain' })).status).toBe(400);
	});

	// The node's tests have every path.
	const toSegment = { title: 'Hello', message: 'There', url: 'https://x.example', segment_id: 3 };
	const users = [{ userID: 'u1', user_attributes: { name: 'Ann', tags: ['a'], left: null } }];
	test.each<[host: 'base' | 'push' | 'mail', path: string, body: object, channel: string]>([
		['base', 'user/create', { nv: [...users, { userID: 'u2' }] }, 'user'],
		['push', 'android/broadcast/segment', { ...toSegment, time: '90', unknown: {} }, 'push'],
		['mail', 'sendMessage', { ...sms, campaign_id: 5 }, 'sms'],
		['mail', 'sms/broadcast/', { ...sms, segment_id: 3 }, 'sms'],
	])(
		'has on the host for %s alone the path %s and no other like it',
		async (host, path, body, channel) => {
			const { sandbox } = held;
			const at = (one: string, asked: string) =>
				call(`${sandbox.urls[`${one as typeof host}Url`]}/api/v1/${asked}`, { body });
			const answered = await at(host, path);
			const json = { status: 'ok', id: String(sandbox.record[0]?.seq) };
			expect(answered).toMatchObject({ status: 200, json });
			const platform = channel === 'push' ? path.split('/')[0] : null;
			expect(sandbox.record).toMatchObject([
				{ host, path: `/api/v1/${path}`, body, api: channel, channel, platform, accepted: true },
			]);
			const likeIt = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
			const others = ['base', 'push', 'mail'].filter((other) => other !== host);
			expect((await at(host, likeIt)).status).toBe(404);
			for (const other of others) expect((await at(other, path)).status).toBe(404);
			expect(sandbox.accepted()).toHaveLength(1);
		},
	);
});

describe('The limit', () => {
	const limit = (patch: SandboxOptions) => held.sandbox.configure(patch);

	it('counts a 400, but not a 401 or 404, and is told with each response until it answers 429', async () => {
		limit({ limits: { push: 3 } });
		expect((await held.send()).remaining).toBe('2');
		await held.send('web/send', webPush, { ...brandHeaders, 'x-api-key': 'wrong' });
		await held.send('web/sent');
		expect(await held.send('web/send', {})).toMatchObject({ status: 400, remaining: '1' });
		expect((await held.send()).remaining).toBe('0');
		const json = { error: 'Rate limit exceeded' };
		for (let again = 0; again < 3; again++)
			expect(await held.send()).toMatchObject({ status: 429, json, remaining: '0' });
		expect(held.sandbox.record.at(-1)).toMatchObject({
			...{ outcome: 'rateLimited', accepted: false, remaining: 0 },
		});
		const gauges = held.sandbox.gauges();
		expect(gauges).toHaveLength(2 * apis.length);
		expect(gauges).toContainEqual({
			...{ identity: 'brand:sandbox-brand', api: 'push', limit: 3, msToNextWindow: 60_000 },
			...{ used: 3, remaining: 0, refused: 3 },
		});
	});

	const remaining = async (path: string, body?: unknown) => (await held.send(path, body)).remaining;

	it('is one for the three platforms, and another for each credential', async () => {
		expect(await remaining('web/send')).toBe('499');
		expect(await remaining('android/send')).toBe('498');
		expect(await remaining('ios/send')).toBe('497');
		expect((await held.send('web/send', webPush, tokenHeaders)).remaining).toBe('499');
	});

	it('counts sendMessage against its channel, or against email if the channel is unknown', async () => {
		limit({ limits: { email: 10, sms: 20 } });
		expect(await remaining('sendMessage', { ...email, user_id: 'u1' })).toBe('9');
		expect(await remaining('sendMessage', { ...sms, user_id: 'u1' })).toBe('19');
		expect(await remaining('sendMessage', 'broken')).toBe('8');
		expect(await remaining('sendMessage', { user_id: 'u1' })).toBe('7');
	});

	it.each([
		['clockMinute', 45_000],
		['firstRequest', 60_000],
		['sliding', 60_000],
	] as const)('opens a %s window again when it should', async (kind, againMs) => {
		limit({ limits: { push: 1 }, window: { kind } });
		const statusAt = async (ms: number) => {
			clock.now = minute + 15_000 + ms;
			return (await held.send()).status;
		};
		expect(await statusAt(0)).toBe(200);
		expect(await statusAt(againMs - 1)).toBe(429);
		expect(await statusAt(againMs)).toBe(200);
	});

	it('counts by the clock that the Date header shows', async () => {
		limit({ limits: { push: 1 }, clockSkewMs: 7_000 });
		clock.now = minute + 52_999;
		expect((await held.send()).headers.date).toBe(new Date(clock.now + 7_000).toUTCString());
		expect((await held.send()).status).toBe(429);
		clock.now += 1;
		expect((await held.send()).status).toBe(200);
		expect(held.sandbox.record[0]?.time).toBe(clock.now - 1);
	});
});
