import { startSandbox } from '../../sandbox';
import { Faults, type Fault, type Matchable } from '../../sandbox/faults';
import { call, remainingOf, sandboxForTests, webPush } from './support/calls';

const request: Matchable = {
	channel: 'push',
	platform: 'ios',
	path: '/api/v1/ios/send',
	rawBody: '{"user_id":"u7"}',
	acceptable: true,
};

const T = true;
const F = false;
it.each<[string, Partial<Fault>, boolean[]]>([
	['every request', {}, [T, T, T, T, T, T]],
	['the first two', { first: 2 }, [T, T, F, F, F, F]],
	['every third', { every: 3 }, [F, F, T, F, F, T]],
	['all after two', { after: 2 }, [F, F, T, T, T, T]],
	['the third alone', { after: 2, first: 1 }, [F, F, T, F, F, F]],
	['none', { probability: 0 }, [F, F, F, F, F, F]],
	['all with certainty', { probability: 1 }, [T, T, T, T, T, T]],
])('applies a fault to %s', (_name, when, expected) => {
	const faults = new Faults();
	faults.add({ kind: 'resetBeforeAccept', ...when } as Fault);
	expect(expected.map(() => faults.strike(request) !== undefined)).toEqual(expected);
});

it.each<[Fault['match'], boolean]>([
	[{}, true],
	[{ channel: 'push' }, true],
	[{ channel: 'sms' }, false],
	[{ platform: 'ios' }, true],
	[{ platform: 'web' }, false],
	[{ path: '/api/v1/ios/send' }, true],
	[{ path: '/api/v1/ios' }, false],
	[{ bodyText: '"u7"' }, true],
	[{ bodyText: '"u8"' }, false],
	[{ channel: 'push', platform: 'ios', bodyText: 'u7' }, true],
	[{ channel: 'push', platform: 'ios', bodyText: 'u8' }, false],
])('matches requests by %j: %s', (match, expected) => {
	const faults = new Faults();
	faults.add({ kind: 'resetBeforeAccept', match });
	expect(faults.strike(request) !== undefined).toBe(expected);
});

it('The sandbox accepts before the fault only what the service would accept', () => {
	const refused = { ...request, acceptable: false };
	for (const fault of [
		{ kind: 'resetAfterAccept' },
		{ kind: 'statusAfterAccept', status: 503 },
		{ kind: 'hang', accepted: true },
		{ kind: 'html', accepted: true },
	] as const) {
		const faults = new Faults();
		faults.add({ ...fault, first: 1 });
		expect(faults.strike(refused)).toBeUndefined();
		expect(faults.strike(request)).toMatchObject(fault);
	}
});

it('The sandbox applies the first fault that fits, and counts the matching requests of each fault', () => {
	const faults = new Faults();
	faults.add({ kind: 'hang', every: 2 });
	faults.add({ kind: 'status', status: 500 });
	const kinds = Array.from({ length: 4 }, () => faults.strike(request)?.kind);
	expect(kinds).toEqual(['status', 'hang', 'status', 'hang']);
	expect(faults.list()).toEqual([
		{ kind: 'hang', every: 2, id: 1, matched: 4, struck: 2 },
		{ kind: 'status', status: 500, id: 2, matched: 2, struck: 2 },
	]);
});

it('The sandbox ends a fault after a time, which begins with its first request if others pass first', () => {
	let nowMs = 1_000_000;
	const faults = new Faults(() => nowMs);
	const fault: Fault = { kind: 'status', status: 503, forMs: 20_000 };
	const strikesAt = (ms: number) => {
		nowMs = 1_000_000 + ms;
		return faults.strike(request) !== undefined;
	};
	faults.add(fault);
	expect([0, 19_999, 20_000].map(strikesAt)).toEqual([true, true, false]);
	expect(faults.list()).toEqual([]);

	nowMs = 1_000_000;
	faults.add({ ...fault, after: 1 });
	expect([50_000, 60_000, 79_999, 80_000].map(strikesAt)).toEqual([false, true, true, false]);
});

describe('In the service', () => {
	const held = sandboxForTests();
	const add = (fault: Fault) => held.sandbox.faults.add(fault);
	const push = () => call(`${held.sandbox.url}/api/v1/web/send`, { body: webPush });
	const shortly = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, 'nothing yet'));

	it.each<[Fault['kind'], boolean, string]>([
		['resetBeforeAccept', false, '499'],
		['resetAfterAccept', true, '498'],
	])('%s breaks the connection, accepted: %s', async (kind, accepted, remainingAfter) => {
		add({ kind, first: 1 } as Fault);
		await expect(push()).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(held.sandbox.record).toMatchObject([
			{ outcome: `fault:${kind}`, accepted, status: null, remaining: null, body: webPush },
		]);
		expect(held.sandbox.accepted()).toHaveLength(accepted ? 1 : 0);
		expect(remainingOf(await push())).toBe(remainingAfter);
	});

	const failed = '{"success":false,"message":"Caused by a fault of the sandbox"}';
	const page = expect.stringContaining('<!doctype html>') as string;
	it.each<[Fault, boolean, status: number, body: string]>([
		[{ kind: 'status', status: 503 }, false, 503, expect.any(String) as string],
		[{ kind: 'status', status: 500 }, false, 500, expect.any(String) as string],
		[{ kind: 'statusAfterAccept', status: 502 }, true, 502, expect.any(String) as string],
		[{ kind: 'html', accepted: false }, false, 200, page],
		[{ kind: 'html', accepted: true }, true, 200, page],
		[{ kind: 'saysFailed', accepted: false }, false, 200, failed],
		[{ kind: 'saysFailed', accepted: true }, true, 200, failed],
		[{ kind: 'saysFailed', body: '{"code":7}' }, false, 200, '{"code":7}'],
		[{ kind: 'redirect' }, false, 308, expect.any(String) as string],
	])('%j is answered, accepted: %s', async (fault, accepted, status, text) => {
		add(fault);
		const answered = await push();
		expect(answered).toMatchObject({ status, text });
		expect(remainingOf(answered)).toBe(accepted ? '499' : '500');
		expect(answered.headers['content-type']).toMatch(
			fault.kind === 'html' ? 'text/html; charset=utf-8' : 'application/json',
		);
		expect(held.sandbox.record).toMatchObject([
			{ outcome: `fault:${fault.kind}`, accepted, status },
		]);
	});

	it('redirect leads to the path with a slash more, or to an address of choice', async () => {
		add({ kind: 'redirect', first: 1 });
		add({ kind: 'redirect', to: 'https://new.example.com/x' });
		expect((await push()).headers.location).toBe('/api/v1/web/send/');
		expect((await push()).headers.location).toBe('https://new.example.com/x');
	});

	it('a path before /api/v1 makes other paths unknown', async () => {
		held.sandbox.configure({ pathPrefix: '/eu1' });
		const statuses = [];
		for (const path of ['/eu1/api/v1/web/send', '/api/v1/web/send', '/eu2/api/v1/web/send'])
			statuses.push((await call(held.sandbox.url + path, { body: webPush })).status);
		expect(statuses).toEqual([200, 404, 404]);
	});

	it.each([false, true])(
		'hang gives no response until the sandbox closes, accepted: %s',
		async (accepted) => {
			const own = await startSandbox({ separateHosts: false });
			own.faults.add({ kind: 'hang', accepted });
			const answer = call(`${own.url}/api/v1/web/send`, { body: webPush }).catch(
				(error: NodeJS.ErrnoException) => error.code,
			);
			while (own.record.length === 0) await shortly(10);
			expect(await Promise.race([answer, shortly(150)])).toBe('nothing yet');
			expect(own.record[0]).toMatchObject({ outcome: 'fault:hang', accepted, status: null });
			await own.close();
			expect(await answer).toBe('ECONNRESET');
		},
	);

	it('delay accepts a request at once and responds late', async () => {
		add({ kind: 'delay', delayMs: 120 });
		const before = performance.now();
		let answeredMs: number | undefined;
		const answer = push().finally(() => (answeredMs = performance.now() - before));
		while (held.sandbox.record.length === 0) await shortly(2);
		expect(answeredMs).toBeUndefined();
		expect(held.sandbox.record).toMatchObject([
			{ outcome: 'fault:delay', accepted: true, status: 200 },
		]);
		expect((await answer).status).toBe(200);
		expect(answeredMs).toBeGreaterThanOrEqual(119);
	});

	it('nothing goes wrong with requests to unknown paths or beyond the limit', async () => {
		add({ kind: 'status', status: 503 });
		expect((await call(`${held.sandbox.url}/api/v1/nowhere`, { body: {} })).status).toBe(404);
		held.sandbox.spend('push', 500);
		expect((await push()).status).toBe(429);
		expect(held.sandbox.faults.list()).toMatchObject([{ matched: 0 }]);
	});
});
