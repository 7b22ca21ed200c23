import { Faults, type Fault, type Matchable } from '../../sandbox/faults';

const request: Matchable = {
	channel: 'push',
	platform: 'ios',
	path: '/api/v1/ios/send',
	rawBody: '{"user_id":"u7"}',
	acceptable: true,
};

function strikes(fault: Fault, times: number): boolean[] {
	const faults = new Faults();
	faults.add(fault);
	return Array.from({ length: times }, () => faults.strike(request) !== undefined);
}

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
	expect(strikes({ kind: 'resetBeforeAccept', ...when } as Fault, 6)).toEqual(expected);
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
