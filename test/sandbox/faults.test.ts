import { Faults, type Fault, type Matchable } from '../../sandbox/faults';
import { sandboxForTests, webPush } from './support/calls';

const place = { channel: 'push', platform: 'ios', path: '/api/v1/ios/send' } as const;
const request: Matchable = { ...place, rawBody: '{"user_id":"u7"}', acceptable: true };

function faultsWith(...list: Array<Partial<Fault>>): Faults {
	const faults = new Faults();
	for (const one of list) faults.add({ kind: 'resetBeforeAccept', ...one } as Fault);
	return faults;
}

const all = [1, 2, 3, 4, 5, 6];
it.each<[Partial<Fault>, number[]]>([
	[{}, all],
	[{ first: 2 }, [1, 2]],
	[{ every: 3 }, [3, 6]],
	[{ after: 2, first: 1 }, [3]],
	[{ probability: 0 }, []],
	[{ match: { ...place, bodyText: '"u7"' } }, all],
	[{ match: { channel: 'sms' } }, []],
	[{ match: { platform: 'web' } }, []],
	[{ match: { path: '/api/v1/ios' } }, []],
	[{ match: { bodyText: '"u8"' } }, []],
])('A fault with %j strikes the requests %j of six', (when, expected) => {
	const faults = faultsWith(when);
	expect(all.filter(() => faults.strike(request))).toEqual(expected);
});

it('A fault after acceptance lets pass what the service refuses', () => {
	const faults = faultsWith({ kind: 'resetAfterAccept' });
	expect(faults.strike({ ...request, acceptable: false })).toBeUndefined();
	expect(faults.strike(request)).toMatchObject({ kind: 'resetAfterAccept' });
});

it('The first fault that fits is applied, and each counts the requests that match it', () => {
	const faults = faultsWith({ kind: 'hang', every: 2 }, { kind: 'status', status: 500 });
	const kinds = Array.from({ length: 4 }, () => faults.strike(request)?.kind);
	expect(kinds).toEqual(['status', 'hang', 'status', 'hang']);
	expect(faults.list()).toEqual([
		{ kind: 'hang', every: 2, id: 1, matched: 4, struck: 2 },
		{ kind: 'status', status: 500, id: 2, matched: 2, struck: 2 },
	]);
});

it('A fault ends after a time, which begins with its first request if others pass first', () => {
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
	const shortly = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, 'nothing yet'));

	const caused = '{"error":"Caused by a fault of the sandbox"}';
	const failed = '{"success":false,"message":"Caused by a fault of the sandbox"}';
	const page = '<!doctype html><title>Sandbox</title><h1>A page in place of an answer</h1>';
	it.each<[Fault, accepted: boolean, status: number | null, text: string]>([
		[{ kind: 'resetBeforeAccept' }, false, null, ''],
		[{ kind: 'resetAfterAccept' }, true, null, ''],
		[{ kind: 'status', status: 503 }, false, 503, caused],
		[{ kind: 'statusAfterAccept', status: 502 }, true, 502, caused],
		[{ kind: 'html', accepted: true }, true, 200, page],
		[{ kind: 'saysFailed', accepted: false }, false, 200, failed],
		[{ kind: 'saysFailed', body: '{"code":7}' }, false, 200, '{"code":7}'],
		[{ kind: 'redirect' }, false, 308, caused],
	])('%j is accepted: %s', async (fault, accepted, status, text) => {
		const { kind } = fault;
		add({ ...fault, first: 1 });
		if (status === null) await expect(held.send()).rejects.toMatchObject({ code: 'ECONNRESET' });
		else {
			const type = `${kind === 'html' ? 'text/html' : 'application/json'}; charset=utf-8`;
			const headers = { 'content-type': type, 'x-ratelimit-remaining': accepted ? '499' : '500' };
			expect(await held.send()).toMatchObject({ status, text, headers });
		}
		const remaining = status && (accepted ? 499 : 500);
		expect(held.sandbox.record).toMatchObject([
			{ outcome: `fault:${kind}`, accepted, status, remaining, body: webPush },
		]);
		expect(held.sandbox.accepted()).toHaveLength(accepted ? 1 : 0);
		expect((await held.send()).remaining).toBe(accepted ? '498' : '499');
	});

	it('delay accepts a request at once and responds late', async () => {
		add({ kind: 'delay', delayMs: 400 });
		const answer = held.send();
		while (held.sandbox.record.length === 0) await shortly(2);
		expect(await Promise.race([answer, shortly(50)])).toBe('nothing yet');
		expect(held.sandbox.record).toMatchObject([{ outcome: 'fault:delay', accepted: true }]);
		expect((await answer).status).toBe(200);
	});

	it('nothing goes wrong with requests to unknown paths or beyond the limit', async () => {
		add({ kind: 'status', status: 503 });
		expect((await held.send('nowhere')).status).toBe(404);
		held.sandbox.spend('push', 500);
		expect((await held.send()).status).toBe(429);
		expect(held.sandbox.faults.list()).toMatchObject([{ matched: 0 }]);
	});
});
