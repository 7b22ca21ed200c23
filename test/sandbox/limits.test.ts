import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import {
	brandHeaders,
	call,
	email,
	remainingOf,
	sms,
	tokenHeaders,
	webPush,
} from './support/calls';

const start = 1_800_000_000_000;
const clock = { now: start };
let sandbox: Sandbox;

async function sandboxWith(options: SandboxOptions): Promise<void> {
	clock.now = start;
	sandbox = await startSandbox({ now: () => clock.now, ...options });
}
afterEach(() => sandbox.close());

const push = (headers: Record<string, string> = brandHeaders) =>
	call(`${sandbox.url}/api/v1/web/send`, { headers, body: webPush });
const send = (body: unknown) => call(`${sandbox.url}/api/v1/sendMessage`, { body });

it('The sandbox counts down with every response, and answers 429 beyond the limit', async () => {
	await sandboxWith({ limits: { push: 2 } });
	expect(remainingOf(await push())).toBe('1');
	expect(remainingOf(await push())).toBe('0');
	const refused = await push();
	expect(refused.status).toBe(429);
	expect(refused.json).toEqual({ error: 'Rate limit exceeded' });
	expect(remainingOf(refused)).toBe('0');
	expect(sandbox.record[2]).toMatchObject({
		outcome: 'rateLimited',
		accepted: false,
		remaining: 0,
	});
});

it('The sandbox counts a 400, but not a 401, 404 or 429', async () => {
	await sandboxWith({ limits: { push: 3 } });
	expect(remainingOf(await push())).toBe('2');
	await push({ ...brandHeaders, 'x-api-key': 'wrong' });
	await call(`${sandbox.url}/api/v1/web/sent`, { body: webPush });
	const bad = await call(`${sandbox.url}/api/v1/web/send`, { body: {} });
	expect([bad.status, remainingOf(bad)]).toEqual([400, '1']);
	expect(remainingOf(await push())).toBe('0');
	for (let again = 0; again < 3; again++) expect((await push()).status).toBe(429);
	expect(
		sandbox
			.gauges()
			.find(({ identity, api }) => identity === 'brand:sandbox-brand' && api === 'push'),
	).toMatchObject({ used: 3, remaining: 0, refused: 3 });
});

it('The sandbox has one limit for the three platforms, and separate limits for brand and token', async () => {
	await sandboxWith({});
	for (const [platform, remaining] of [
		['web', '499'],
		['android', '498'],
		['ios', '497'],
	]) {
		const answered = await call(`${sandbox.url}/api/v1/${platform}/send`, { body: webPush });
		expect(remainingOf(answered)).toBe(remaining);
	}
	expect(remainingOf(await push(tokenHeaders))).toBe('499');
});

it('The sandbox counts sendMessage against its channel, or against email if the channel is unknown', async () => {
	await sandboxWith({ limits: { email: 10, sms: 20 } });
	expect(remainingOf(await send({ ...email, user_id: 'u1' }))).toBe('9');
	expect(remainingOf(await send({ ...sms, user_id: 'u1' }))).toBe('19');
	expect(remainingOf(await send('broken'))).toBe('8');
	expect(remainingOf(await send({ user_id: 'u1' }))).toBe('7');
});

it.each([
	['clockMinute', 45_000, [44_999, 45_000]],
	['firstRequest', 45_000, [59_999, 60_000]],
	['sliding', 45_000, [59_999, 60_000]],
] as const)(
	'The sandbox opens a %s window again when it should',
	async (kind, leftMs, [still, again]) => {
		await sandboxWith({ limits: { push: 1 }, window: { kind } });
		clock.now = start + 60_000 - leftMs - (start % 60_000);
		const first = clock.now;
		expect((await push()).status).toBe(200);
		clock.now = first + still;
		expect((await push()).status).toBe(429);
		clock.now = first + again;
		expect((await push()).status).toBe(200);
	},
);

it('The sandbox counts by the clock that its Date header shows', async () => {
	await sandboxWith({ limits: { push: 1 }, clockSkewMs: 7_000 });
	clock.now = start - (start % 60_000) + 52_999;
	const answered = await push();
	expect(answered.headers.date).toBe(new Date(clock.now + 7_000).toUTCString());
	expect((await push()).status).toBe(429);
	clock.now += 1;
	expect((await push()).status).toBe(200);
	expect(sandbox.record[0]?.time).toBe(clock.now - 1);
});
