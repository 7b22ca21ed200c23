import { startSandbox, type Fault, type Sandbox } from '../../sandbox';
import { brandHeaders, call, remainingOf, webPush } from './support/calls';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const push = (headers: Record<string, string> = brandHeaders) =>
	call(`${sandbox.url}/api/v1/web/send`, { headers, body: webPush });

const shortly = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, 'nothing yet'));

it.each<[Fault['kind'], boolean, string]>([
	['resetBeforeAccept', false, '499'],
	['resetAfterAccept', true, '498'],
])('%s breaks the connection, accepted: %s', async (kind, accepted, remainingAfter) => {
	sandbox.faults.add({ kind, first: 1 } as Fault);
	await expect(push()).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect(sandbox.record[0]).toMatchObject({
		outcome: `fault:${kind}`,
		accepted,
		status: null,
		remaining: null,
		body: webPush,
	});
	expect(sandbox.accepted()).toHaveLength(accepted ? 1 : 0);
	expect(remainingOf(await push())).toBe(remainingAfter);
});

it.each<[Fault, boolean, string]>([
	[{ kind: 'status', status: 503 }, false, '500'],
	[{ kind: 'status', status: 500 }, false, '500'],
	[{ kind: 'statusAfterAccept', status: 502 }, true, '499'],
])('%j answers with that status, accepted: %s', async (fault, accepted, remaining) => {
	sandbox.faults.add(fault);
	const answered = await push();
	expect([answered.status, remainingOf(answered)]).toEqual([
		'status' in fault && fault.status,
		remaining,
	]);
	expect(sandbox.record[0]).toMatchObject({
		outcome: `fault:${fault.kind}`,
		accepted,
		status: answered.status,
	});
});

it.each([false, true])(
	'html answers with a page and status 200, accepted: %s',
	async (accepted) => {
		sandbox.faults.add({ kind: 'html', accepted });
		const answered = await push();
		expect(answered.status).toBe(200);
		expect(answered.headers['content-type']).toBe('text/html; charset=utf-8');
		expect(answered.text).toContain('<!doctype html>');
		expect(sandbox.record[0]).toMatchObject({ outcome: 'fault:html', accepted, status: 200 });
	},
);

it.each([false, true])(
	'saysFailed answers 200 and that it failed, accepted: %s',
	async (accepted) => {
		sandbox.faults.add({ kind: 'saysFailed', accepted, first: 1 });
		sandbox.faults.add({ kind: 'saysFailed', body: '{"code":7}' });
		const [usual, own] = [await push(), await push()];
		expect([usual.status, usual.text]).toEqual([
			200,
			'{"success":false,"message":"Caused by a fault of the sandbox"}',
		]);
		expect(own.text).toBe('{"code":7}');
		expect(sandbox.record[0]).toMatchObject({ outcome: 'fault:saysFailed', accepted });
	},
);

it('redirect leads to the path with a slash more, or to an address of choice', async () => {
	sandbox.faults.add({ kind: 'redirect', first: 1 });
	sandbox.faults.add({ kind: 'redirect', to: 'https://new.example.com/x' });
	const answers = [await push(), await push()];
	expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual([
		[308, '/api/v1/web/send/'],
		[308, 'https://new.example.com/x'],
	]);
	expect(sandbox.record[0]).toMatchObject({ outcome: 'fault:redirect', accepted: false });
});

it('a path before /api/v1 makes other paths unknown', async () => {
	const own = await startSandbox({ pathPrefix: '/eu1' });
	const statuses = [];
	for (const path of ['/eu1/api/v1/web/send', '/api/v1/web/send', '/eu2/api/v1/web/send'])
		statuses.push((await call(`${own.url}${path}`, { body: webPush })).status);
	await own.close();
	expect(statuses).toEqual([200, 404, 404]);
});

it.each([false, true])(
	'hang gives no response until the sandbox closes, accepted: %s',
	async (accepted) => {
		const own = await startSandbox();
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
	sandbox.faults.add({ kind: 'delay', delayMs: 120 });
	const before = performance.now();
	let answeredMs: number | undefined;
	const answer = push().finally(() => (answeredMs = performance.now() - before));
	while (sandbox.record.length === 0) await shortly(2);
	expect(answeredMs).toBeUndefined();
	expect(sandbox.record[0]).toMatchObject({ outcome: 'fault:delay', accepted: true, status: 200 });
	expect((await answer).status).toBe(200);
	expect(answeredMs).toBeGreaterThanOrEqual(119);
});

it('The sandbox applies no faults to requests to unknown paths or beyond the limit', async () => {
	sandbox.faults.add({ kind: 'status', status: 503 });
	expect((await call(`${sandbox.url}/api/v1/nowhere`, { body: {} })).status).toBe(404);
	sandbox.spend('push', 500);
	expect((await push()).status).toBe(429);
	expect(sandbox.faults.list()).toMatchObject([{ matched: 0 }]);
});
