import type { SandboxOptions } from '../../sandbox';
import { brandHeaders, email, sandboxForTests, sms, tokenHeaders, webPush } from './support/calls';

const clock = { now: 0 };
const held = sandboxForTests(() => ({ now: () => clock.now }));
const minute = 1_800_000_000_000 - (1_800_000_000_000 % 60_000);
beforeEach(() => (clock.now = minute));

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
		const gauge = { used: 3, remaining: 0, refused: 3 };
		expect(held.sandbox.gauges().find(({ api }) => api === 'push')).toMatchObject(gauge);
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
