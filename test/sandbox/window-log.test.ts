import fc from 'fast-check';
import { WindowLog, type Window } from '../../sandbox/window-log';

const minute = 60_000;

function logWith(stamps: number[], window: Window): WindowLog {
	const log = new WindowLog();
	for (const stamp of stamps) {
		log.used(window, stamp);
		log.add(window, stamp);
	}
	return log;
}

describe('Clock minute', () => {
	const window: Window = { kind: 'clockMinute', lengthMs: minute };

	it('counts the requests since the last full minute', () => {
		const log = logWith([10 * minute + 100, 10 * minute + 59_999], window);
		expect(log.used(window, 10 * minute + 59_999)).toBe(2);
		expect(log.used(window, 11 * minute)).toBe(0);
	});

	it('counts down to the next full minute, whether it was used or not', () => {
		expect(new WindowLog().msToNext(window, 10 * minute + 1)).toBe(59_999);
		expect(new WindowLog().msToNext(window, 10 * minute)).toBe(minute);
	});

	it('is aligned to multiples of another length too', () => {
		const short: Window = { kind: 'clockMinute', lengthMs: 250 };
		const log = logWith([1_010, 1_240], short);
		expect(log.used(short, 1_249)).toBe(2);
		expect(log.used(short, 1_250)).toBe(0);
	});
});

describe('Window opened by the first request', () => {
	const window: Window = { kind: 'firstRequest', lengthMs: minute };

	it('ends for all requests one length after its first request', () => {
		const log = logWith([30_000, 89_000], window);
		expect(log.used(window, 89_999)).toBe(2);
		expect(log.used(window, 90_000)).toBe(0);
	});

	it('opens again with the next request, not at the end of the last window', () => {
		const log = logWith([30_000, 200_000], window);
		expect(log.used(window, 259_999)).toBe(1);
		expect(log.msToNext(window, 259_999)).toBe(1);
		expect(log.used(window, 260_000)).toBe(0);
	});

	it('has nothing to wait for while it is not open', () => {
		expect(new WindowLog().msToNext(window, 5)).toBe(0);
	});
});

describe('Sliding window', () => {
	const window: Window = { kind: 'sliding', lengthMs: minute };

	it('releases each request one length after it arrived', () => {
		const log = logWith([1_000, 31_000], window);
		expect(log.used(window, 60_999)).toBe(2);
		expect(log.used(window, 61_000)).toBe(1);
		expect(log.used(window, 90_999)).toBe(1);
		expect(log.used(window, 91_000)).toBe(0);
	});

	it('reports when its oldest request leaves', () => {
		const log = logWith([1_000, 31_000], window);
		expect(log.msToNext(window, 41_000)).toBe(20_000);
		expect(log.msToNext(window, 61_000)).toBe(30_000);
	});
});

/** The definitions of the three windows, written out over the whole history. */
function usedByDefinition(stamps: number[], { kind, lengthMs }: Window, now: number): number {
	if (kind === 'sliding') return stamps.filter((stamp) => now - stamp < lengthMs).length;
	if (kind === 'clockMinute') {
		const minuteOf = (ms: number) => Math.floor(ms / lengthMs);
		return stamps.filter((stamp) => minuteOf(stamp) === minuteOf(now)).length;
	}
	let opened = -Infinity;
	let count = 0;
	for (const stamp of stamps) {
		if (stamp >= opened + lengthMs) [opened, count] = [stamp, 0];
		count++;
	}
	return now >= opened + lengthMs ? 0 : count;
}

const kinds = fc.constantFrom<Window['kind']>('clockMinute', 'firstRequest', 'sliding');

it('The log agrees with the definition of each window at any time', () => {
	const gaps = fc.array(fc.nat(400), { maxLength: 60 });
	fc.assert(
		fc.property(kinds, fc.integer({ min: 1, max: 1_000 }), gaps, (kind, lengthMs, gapsMs) => {
			const window = { kind, lengthMs };
			const log = new WindowLog();
			const stamps: number[] = [];
			let now = 5_000;
			for (const gapMs of gapsMs) {
				now += gapMs;
				expect(log.used(window, now)).toBe(usedByDefinition(stamps, window, now));
				log.add(window, now);
				stamps.push(now);
			}
		}),
	);
});

it('The log agrees with the definition also if kind and clock skew change with each request', () => {
	const step = fc.record({
		gapMs: fc.nat(400),
		kind: kinds,
		skewMs: fc.integer({ min: -5_000, max: 5_000 }),
	});
	const steps = fc.array(step, { maxLength: 60 });
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 1_000 }), steps, (lengthMs, all) => {
			const log = new WindowLog();
			const stamps: number[] = [];
			let now = 50_000;
			for (const { gapMs, kind, skewMs } of all) {
				now += gapMs;
				const window = { kind, lengthMs };
				const byService = stamps.map((stamp) => stamp + skewMs);
				const used = usedByDefinition(byService, window, now + skewMs);
				expect(log.used(window, now, skewMs)).toBe(used);
				log.add(window, now);
				stamps.push(now);
			}
		}),
	);
});
