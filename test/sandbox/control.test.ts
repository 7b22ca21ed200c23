import { startSandbox, type Sandbox } from '../../sandbox';
import { apis } from '../../sandbox/terms';
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

it.each([{ limits: { push: -1 } }, { latencyMs: [0, 2 ** 31] }, { colour: 'red' }])(
	'The sandbox refuses the settings %j and keeps the old ones',
	async (patch) => {
		expect((await control('PUT', 'settings', patch)).status).toBe(400);
		expect((await control('GET', 'settings')).json).toMatchObject({ limits: { push: 500 } });
	},
);

it('The sandbox shows gauges of every identity and API', async () => {
	await push();
	await call(`${sandbox.url}/api/v1/email/broadcast/all`, { body: email });
	const gauges = (await control('GET', 'gauges')).json;
	expect(gauges).toHaveLength(2 * apis.length);
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

describe('Access to the sandbox', () => {
	it.each(['LOCALHOST:1234', '[::1]'])('answers to Host %s', async (host) => {
		expect((await call(`${sandbox.url}/`, { method: 'GET', headers: { host } })).status).toBe(200);
	});

	it.each(['evil.example', '127.0.0.1.evil.example:80'])(
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
});
