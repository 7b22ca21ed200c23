import fc from 'fast-check';
import { WindowLog, type Window } from '../../sandbox/window-log';

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
