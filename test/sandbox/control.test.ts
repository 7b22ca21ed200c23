import { once } from 'node:events';
import { connect } from 'node:net';
import { startSandbox, type Sandbox } from '../../sandbox';
import { call, email, remainingOf, webPush } from './support/calls';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const json = { 'content-type': 'application/json' };
const control = (method: string, path: string, body?: unknown) =>
	call(`${sandbox.url}/sandbox/${path}`, { method, headers: body ? json : {}, body });
const push = () => call(`${sandbox.url}/api/v1/web/send`, { body: webPush });

it('The sandbox adds, lists and removes faults', async () => {
	expect((await control('POST', 'faults', { kind: 'status', status: 503, first: 1 })).json).toEqual(
		{
			id: 1,
		},
	);
	await control('POST', 'faults', { kind: 'hang', match: { channel: 'sms' } });
	expect((await push()).status).toBe(503);
	expect((await control('GET', 'faults')).json).toEqual([
		{ kind: 'status', status: 503, first: 1, id: 1, matched: 1, struck: 1 },
		{ kind: 'hang', match: { channel: 'sms' }, id: 2, matched: 0, struck: 0 },
	]);
	expect((await control('DELETE', 'faults?id=1')).status).toBe(200);
	expect((await control('DELETE', 'faults?id=1')).status).toBe(404);
	expect(sandbox.faults.list()).toHaveLength(1);
	await control('DELETE', 'faults');
	expect(sandbox.faults.list()).toEqual([]);
});

it('The sandbox says what is wrong with a fault', async () => {
	const answered = await control('POST', 'faults', { kind: 'status' });
	expect(answered.status).toBe(400);
	expect(answered.json).toMatchObject({ error: [{ path: ['status'] }] });
	expect((await control('POST', 'faults', '{')).status).toBe(400);
});

it('The sandbox shows settings and changes only those that are named', async () => {
	const before = {
		limits: {
			user: 100,
			event: 500,
			campaign: 500,
			reporting: 50,
			push: 500,
			email: 500,
			sms: 500,
		},
		window: { kind: 'clockMinute', lengthMs: 60_000 },
		latencyMs: 0,
		sendRateLimitHeader: true,
		clockSkewMs: 0,
		maxBodyBytes: 5 * 1024 * 1024,
		rejectUserIDs: [],
	};
	expect((await control('GET', 'settings')).json).toEqual(before);
	const after = {
		...before,
		limits: { ...before.limits, push: 2 },
		window: { kind: 'sliding', lengthMs: 60_000 },
		latencyMs: [1, 2],
		rejectUserIDs: ['u13'],
	};
	const patch = {
		limits: { push: 2 },
		window: { kind: 'sliding' },
		latencyMs: [1, 2],
		rejectUserIDs: ['u13'],
	};
	expect((await control('PUT', 'settings', patch)).json).toEqual(after);
	expect((await control('GET', 'settings')).json).toEqual(after);
	expect(remainingOf(await push())).toBe('1');
});

it.each([
	{ limits: { push: -1 } },
	{ limits: { fax: 1 } },
	{ window: { kind: 'hour' } },
	{ window: { lengthMs: 0 } },
	{ latencyMs: [5, 1] },
	{ latencyMs: 2 ** 31 },
	{ latencyMs: [0, 2 ** 31] },
	{ clockSkewMs: 1e15 },
	{ maxBodyBytes: 0 },
	{ maxBodyBytes: 1e9 },
	{ colour: 'red' },
])('The sandbox refuses the settings %j and keeps the old ones', async (patch) => {
	expect((await control('PUT', 'settings', patch)).status).toBe(400);
	expect((await control('GET', 'settings')).json).toMatchObject({ limits: { push: 500 } });
});

it('The sandbox shows gauges of every identity and API', async () => {
	await push();
	await call(`${sandbox.url}/api/v1/email/broadcast/all`, { body: email });
	const gauges = (await control('GET', 'gauges')).json;
	expect(gauges).toHaveLength(14);
	expect(gauges).toContainEqual({
		identity: 'brand:sandbox-brand',
		api: 'email',
		limit: 500,
		used: 1,
		remaining: 499,
		refused: 0,
		msToNextWindow: expect.any(Number) as number,
	});
});

it('The sandbox starts over after a reset', async () => {
	await control('POST', 'faults', { kind: 'delay', delayMs: 1 });
	await push();
	expect((await control('POST', 'reset')).status).toBe(200);
	expect(sandbox.record).toEqual([]);
	expect(sandbox.faults.list()).toEqual([]);
	expect(remainingOf(await push())).toBe('499');
});

it('The sandbox serves its control addresses only on the port that plays all hosts', async () => {
	for (const url of Object.values(sandbox.urls)) {
		for (const path of ['/', '/sandbox/gauges', '/sandbox/inbox/inbox.js'])
			expect((await call(url + path, { method: 'GET' })).status).toBe(404);
	}
});

describe('The number of a change', () => {
	const numberOf = async (...change: Parameters<typeof control>) =>
		(await control(...change)).headers['x-sandbox-change'];

	it('is given only to changes that were made', async () => {
		const first = Number(await numberOf('PUT', 'settings', {}));
		expect(first).toBeGreaterThan(0);
		expect(await numberOf('GET', 'settings')).toBeUndefined();
		expect(await numberOf('PUT', 'settings', { colour: 'red' })).toBeUndefined();
		expect(await numberOf('DELETE', 'faults?id=1')).toBeUndefined();
		expect(await numberOf('POST', 'faults', { kind: 'hang' })).toBe(String(first + 1));
		expect(await numberOf('DELETE', 'faults?id=1')).toBe(String(first + 2));
	});

	it('is higher in a sandbox that is started later', async () => {
		const later = await startSandbox({ separateHosts: false, now: () => Date.now() + 1000 });
		const before = Number(await numberOf('PUT', 'settings', {}));
		await sandbox.close();
		sandbox = later;
		expect(Number(await numberOf('PUT', 'settings', {}))).toBeGreaterThan(before);
	});
});

describe('Access to the sandbox', () => {
	it.each(['127.0.0.1', 'localhost', 'LOCALHOST:1234', '[::1]', '[::1]:80'])(
		'answers to Host %s',
		async (host) => {
			expect((await call(`${sandbox.url}/`, { method: 'GET', headers: { host } })).status).toBe(
				200,
			);
		},
	);

	it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.example:80'])(
		'refuses Host %s everywhere',
		async (host) => {
			const paths = ['/', '/sandbox/record', '/api/v1/web/send', '/nowhere', '/%zz'];
			for (const url of [sandbox.url, sandbox.urls.mailUrl]) {
				for (const path of paths) {
					for (const method of ['GET', 'POST']) {
						const answered = await call(url + path, { method, headers: { host } });
						expect(answered.status).toBe(421);
					}
				}
			}
			expect(sandbox.record).toEqual([]);
		},
	);

	it('refuses a request without Host, which HTTP/1.0 permits', async () => {
		const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
		socket.end('GET / HTTP/1.0\r\n\r\n');
		const [answer] = (await once(socket, 'data')) as [Buffer];
		expect(answer.toString()).toContain(' 421 ');
	});

	const changes = [
		['DELETE', 'record', undefined],
		['POST', 'faults', { kind: 'hang' }],
		['DELETE', 'faults', undefined],
		['PUT', 'settings', { latencyMs: 1 }],
		['POST', 'reset', undefined],
	] as const;

	it.each(['https://evil.example', 'null', 'http://localhost:1'])(
		'lets a page of %s change nothing',
		async (origin) => {
			await push();
			for (const [method, path, body] of changes) {
				const headers = { ...(body ? json : {}), origin };
				const answered = await call(`${sandbox.url}/sandbox/${path}`, { method, headers, body });
				expect(answered.status).toBe(403);
			}
			expect(sandbox.record).toHaveLength(1);
			expect(sandbox.faults.list()).toEqual([]);
			expect(sandbox.settings.latencyMs).toBe(0);
		},
	);

	it('permits changes from its own page', async () => {
		for (const [method, path, body] of changes) {
			const headers = { ...(body ? json : {}), origin: sandbox.url };
			const answered = await call(`${sandbox.url}/sandbox/${path}`, { method, headers, body });
			expect(answered.status).toBe(200);
		}
	});

	it('accepts changes only as JSON, which other pages cannot send without permission', async () => {
		const headers = { 'content-type': 'text/plain' };
		const body = { kind: 'hang' };
		expect((await call(`${sandbox.url}/sandbox/faults`, { headers, body })).status).toBe(400);
		expect(sandbox.faults.list()).toEqual([]);
	});
});
