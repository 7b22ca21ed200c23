import { type Arrival, startSandbox, type SandboxOptions } from '../../sandbox';
import {
	brandHeaders,
	call,
	email,
	remainingOf,
	sandboxForTests,
	sms,
	tokenHeaders,
	webPush,
} from './support/calls';

const clock = { now: 0 };
const held = sandboxForTests(() => ({ now: () => clock.now }));
const minute = 1_800_000_000_000 - (1_800_000_000_000 % 60_000);
beforeEach(() => (clock.now = minute));

const push = (headers: Record<string, string> = brandHeaders, body: unknown = webPush) =>
	call(`${held.sandbox.url}/api/v1/web/send`, { headers, body });
const remaining = async (path: string, body: unknown) =>
	remainingOf(await call(`${held.sandbox.url}/api/v1/${path}`, { body }));

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
		expect(remainingOf(answered)).toBe('500');
		expect(held.sandbox.record[0]).toMatchObject({ outcome: 'unauthorized', accepted: false });
	});

	it('requires the headers about JSON (spec §5)', async () => {
		const { accept: _, ...withoutAccept } = brandHeaders;
		expect((await push(withoutAccept)).json).toEqual({
			error: 'Invalid resource',
			problems: [{ path: 'accept', rule: 'must be application/json' }],
		});
		expect((await push({ ...brandHeaders, 'content-type': 'text/plain' })).status).toBe(400);
	});

	// Typed by hand from spec §4 and §2, so that an error in the sandbox's tables is found.
	const toAll = { title: 'Hello', message: 'There', url: 'https://x.example' };
	const toSegment = { ...toAll, segment_id: 3, time: '90', unknown: {} };
	const users = [{ userID: 'u1', user_attributes: { name: 'Ann', tags: ['a'], left: null } }];
	const event = { userID: 'u1', event_name: 'Order Placed', ltv: 49.9, event_time: 1795252800 };
	const mailToSegment = { ...email, segment_id: 3 };
	const smsToSegment = { ...sms, segment_id: 3 };
	test.each<[host: 'base' | 'push' | 'mail', path: string, body: object, channel: string]>([
		['base', 'user/create', { nv: [...users, { userID: 'u2' }] }, 'user'],
		['base', 'event/create', { nv: Array.from({ length: 1_000 }, () => event) }, 'event'],
		...(['web', 'android', 'ios'] as const).flatMap(
			(platform): Array<['push', string, object, string]> => [
				['push', `${platform}/send`, webPush, 'push'],
				['push', `${platform}/broadcast/all`, { ...toAll, image_url: 'https://x.example' }, 'push'],
				['push', `${platform}/broadcast/segment`, toSegment, 'push'],
			],
		),
		['mail', 'sendMessage', { ...email, email: 'a@x.example' }, 'email'],
		['mail', 'email/broadcast', mailToSegment, 'email'],
		['mail', 'email/broadcast/all', email, 'email'],
		['mail', 'email/broadcast/segment', mailToSegment, 'email'],
		['mail', 'sendMessage', { ...sms, mobile: '+49111', dnd: true }, 'sms'],
		['mail', 'sendMessage', { ...sms, campaign_id: 5 }, 'sms'],
		['mail', 'sms/broadcast/', smsToSegment, 'sms'],
		['mail', 'sms/broadcast/all', smsToSegment, 'sms'],
		['mail', 'sms/broadcast/segment', smsToSegment, 'sms'],
	])(
		'has on the host for %s alone the path %s and no other like it',
		async (host, path, body, channel) => {
			const { sandbox } = held;
			const at = (one: string, asked: string) =>
				call(`${sandbox.urls[`${one as typeof host}Url`]}/api/v1/${asked}`, { body });
			const answered = await at(host, path);
			expect(answered).toMatchObject({
				status: 200,
				json: { status: 'ok', id: String(sandbox.record[0]?.seq) },
			});
			expect(sandbox.record).toMatchObject([
				{
					...{ host, path: `/api/v1/${path}`, body, api: channel, channel },
					platform: channel === 'push' ? path.split('/')[0] : null,
					...{ outcome: 'accepted', accepted: true },
				},
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
		expect(remainingOf(await push())).toBe('2');
		await push({ ...brandHeaders, 'x-api-key': 'wrong' });
		await call(`${held.sandbox.url}/api/v1/web/sent`, { body: webPush });
		const bad = await push(brandHeaders, {});
		expect([bad.status, remainingOf(bad)]).toEqual([400, '1']);
		expect(remainingOf(await push())).toBe('0');
		for (let again = 0; again < 3; again++) {
			const refused = await push();
			expect([refused.status, refused.json]).toEqual([429, { error: 'Rate limit exceeded' }]);
			expect(remainingOf(refused)).toBe('0');
		}
		expect(held.sandbox.record.at(-1)).toMatchObject({
			...{ outcome: 'rateLimited', accepted: false, remaining: 0 },
		});
		expect(
			held.sandbox
				.gauges()
				.find(({ identity, api }) => identity === 'brand:sandbox-brand' && api === 'push'),
		).toMatchObject({ used: 3, remaining: 0, refused: 3 });
	});

	it('is one for the three platforms, and another for each credential', async () => {
		expect(await remaining('web/send', webPush)).toBe('499');
		expect(await remaining('android/send', webPush)).toBe('498');
		expect(await remaining('ios/send', webPush)).toBe('497');
		expect(remainingOf(await push(tokenHeaders))).toBe('499');
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
			return (await push()).status;
		};
		expect(await statusAt(0)).toBe(200);
		expect(await statusAt(againMs - 1)).toBe(429);
		expect(await statusAt(againMs)).toBe(200);
	});

	it('counts by the clock that the Date header shows', async () => {
		limit({ limits: { push: 1 }, clockSkewMs: 7_000 });
		clock.now = minute + 52_999;
		expect((await push()).headers.date).toBe(new Date(clock.now + 7_000).toUTCString());
		expect((await push()).status).toBe(429);
		clock.now += 1;
		expect((await push()).status).toBe(200);
		expect(held.sandbox.record[0]?.time).toBe(clock.now - 1);
	});
});

describe('The record', () => {
	const read = async (query = '', url = held.sandbox.url) =>
		(await call(`${url}/sandbox/record${query}`, { method: 'GET' })).json as {
			dropped: number;
			arrivals: Arrival[];
		};

	it('is served without secrets', async () => {
		await push();
		await push(tokenHeaders);
		await push({ ...brandHeaders, 'x-api-key': 'short', cookie: 'session=very-secret' });
		const { arrivals } = await read();
		expect(arrivals.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
			['sand…', undefined],
			[undefined, 'Bearer sand…'],
			['…', undefined],
		]);
		expect(arrivals[2]?.headers.cookie).toBe('sess…');
		const [first] = held.sandbox.record;
		expect(arrivals[0]).toEqual({ ...first, headers: { ...first?.headers, 'x-api-key': 'sand…' } });
		expect(first?.headers['x-api-key']).toBe('sandbox-key');
	});

	it('is emptied and continues its numbers', async () => {
		await push();
		const before = held.sandbox.record[0]?.seq ?? 0;
		await call(`${held.sandbox.url}/sandbox/record`, { method: 'DELETE', headers: {} });
		expect(held.sandbox.record).toEqual([]);
		await push();
		expect(await read(`?since=${before}`)).toMatchObject({
			...{ dropped: 0, arrivals: [{ seq: before + 1 }] },
		});
	});

	it('drops the oldest arrivals beyond its maximum and counts them', async () => {
		const own = await startSandbox({ maxRecords: 3, separateHosts: false });
		for (let sent = 0; sent < 5; sent++)
			await call(`${own.url}/api/v1/web/send`, { body: webPush });
		expect(own.urls).toEqual({ baseUrl: own.url, pushUrl: own.url, mailUrl: own.url });
		expect(own.record.map(({ seq }) => seq)).toEqual([3, 4, 5]);
		expect(own.dropped).toBe(2);
		expect(await read('?since=1', own.url)).toMatchObject({
			...{ dropped: 2, arrivals: [{ seq: 3 }, {}, {}] },
		});
		await own.close();
	});
});
