import { defaultLimits, Limiter } from '../../sandbox/limiter';
import type { Window } from '../../sandbox/window-log';

function limiterAt(limits = defaultLimits, window: Window = { kind: 'sliding', lengthMs: 60_000 }) {
	const clock = { now: 1_000_000 };
	const rules = { limits, window };
	return {
		clock,
		rules,
		limiter: new Limiter(
			() => rules,
			() => clock.now,
		),
	};
}

it.each([
	['user', 100],
	['event', 500],
	['campaign', 500],
	['reporting', 50],
	['push', 500],
	['email', 500],
	['sms', 500],
] as const)('The limiter allows %s %i requests per window', (api, limit) => {
	const { limiter } = limiterAt();
	expect(limiter.remaining('a', api)).toBe(limit);
});

it('The limiter counts down, and starts again after the window', () => {
	const { limiter, clock } = limiterAt();
	expect(limiter.take('a', 'reporting')).toBe(49);
	expect(limiter.take('a', 'reporting', 49)).toBe(0);
	expect(limiter.remaining('a', 'reporting')).toBe(0);
	clock.now += 60_000;
	expect(limiter.remaining('a', 'reporting')).toBe(50);
});

it('The limiter counts each identity and each API separately', () => {
	const { limiter } = limiterAt();
	limiter.take('a', 'push', 10);
	expect(limiter.remaining('a', 'push')).toBe(490);
	expect(limiter.remaining('a', 'sms')).toBe(500);
	expect(limiter.remaining('b', 'push')).toBe(500);
});

it('The limiter shows the whole limit to unknown callers', () => {
	const { limiter } = limiterAt();
	expect(limiter.remaining(null, 'user')).toBe(100);
});

it('The limiter never shows less than zero, even after the limit was lowered', () => {
	const { limiter, rules } = limiterAt();
	limiter.take('a', 'push', 10);
	rules.limits = { ...defaultLimits, push: 5 };
	expect(limiter.remaining('a', 'push')).toBe(0);
});

it('The limiter keeps its counts when the window changes', () => {
	const { limiter, rules } = limiterAt();
	limiter.take('a', 'push', 3);
	rules.window = { kind: 'firstRequest', lengthMs: 60_000 };
	expect(limiter.remaining('a', 'push')).toBe(497);
});

it('The limiter shows gauges of every API for every identity', () => {
	const { limiter, clock } = limiterAt();
	limiter.take('a', 'user', 2);
	limiter.refuse('a', 'user');
	clock.now += 10_000;
	const gauges = limiter.gauges(['a', 'b']);
	expect(gauges).toHaveLength(14);
	expect(gauges[0]).toEqual({
		identity: 'a',
		api: 'user',
		limit: 100,
		used: 2,
		remaining: 98,
		refused: 1,
		msToNextWindow: 50_000,
	});
});

it('The limiter forgets all counts on reset', () => {
	const { limiter } = limiterAt();
	limiter.take('a', 'user', 2);
	limiter.reset();
	expect(limiter.remaining('a', 'user')).toBe(100);
});
