import fc from 'fast-check';

import { MINUTE_MS } from '../../../../../nodes/CustomerMessaging/shared/slices';
import type { Plan } from '../../../../../simulation/pacedRun';
import { type Kind, KINDS } from '../../../../../simulation/serverLimit';
import { START_MS } from '../../../../../simulation/simulatePace';
import { type Outage, PLAIN, type World } from '../../../../../simulation/world';
import { propertyRuns, propertySeed } from '../../../../propertyRuns';

export const HOUR_MS = 60 * MINUTE_MS;

/** A world, the runs in it, and when they start. */
export interface Scene {
	world: World;
	plans: Plan[];
	startMs: number;
}

/** A run of so many requests, or of as many as the limit allows in so many minutes. */
type Run = Partial<Plan> & { minutes?: number };
type WorldOf<Said extends keyof World> = Partial<World> & Pick<World, Said>;

/** What is not said of a world is plain, and runs start at once. */
export function sceneOf(
	world: WorldOf<'kind' | 'limit' | 'seed'>,
	runs: readonly Run[],
	startMs = START_MS,
): Scene {
	const plans = runs.map(({ minutes = 0, ...plan }) => {
		const requests = Math.round(minutes * world.limit);
		return { requests, startMs: 0, concurrency: 10, process: 0, ...plan };
	});
	return { world: { ...PLAIN, ...world }, plans, startMs };
}

/** Checks that something holds in many random worlds, or in at least so many. */
export async function always<T>(
	scenes: fc.Arbitrary<T>,
	holds: (scene: T) => Promise<unknown>,
	least = 0,
	runs = propertyRuns,
): Promise<void> {
	const property = fc.asyncProperty(scenes, async (scene) => void (await holds(scene)));
	await fc.assert(property, { numRuns: Math.ceil(Math.max(runs, least)), seed: propertySeed });
}

/** The same for one kind of service, which has its share of the worlds. */
export const alwaysInKind: typeof always = async (scenes, holds, least) =>
	await always(scenes, holds, least, propertyRuns / KINDS.length);

type Range = [min: number, max: number];
const whole = (min: number, max: number) => fc.integer({ min, max });
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const seed = whole(0, 2 ** 31);
const skewMs = whole(-100_000, 100_000);
/** At any time within the minute. */
const startMs = whole(0, MINUTE_MS - 1).map((ms) => START_MS + ms);
const latencyMs = fc
	.tuple(whole(5, 200), whole(0, 1_000))
	.map(([from, spread]) => ({ from, to: from + spread }));

const rarely = between(0, 0.1);

/** Anything that can happen: other clients, a limit by the second, missing headers, faults, several runs and processes. */
export const anything = (kind: Kind): fc.Arbitrary<Scene> =>
	fc
		.record({
			world: fc.record({
				limit: whole(5, 200),
				perSecond: fc.oneof(fc.constant(Infinity), whole(1, 20)),
				others: fc.oneof(fc.constant(0), between(0, 0.8)),
				skewMs,
				headerMissing: fc.constantFrom(0, 0.3, 0.9, 1),
				dateMissing: fc.boolean(),
				latencyMs,
				faults: fc.oneof(
					fc.constant(PLAIN.faults),
					fc.record({ refused: rarely, broken: rarely, serverError: rarely }),
				),
				seed,
			}),
			plans: fc.array(
				fc.record({
					startMs: whole(0, MINUTE_MS),
					requests: whole(0, 250),
					concurrency: whole(1, 30),
					process: whole(0, 1),
					maxWaitMs: fc.constantFrom(Infinity, Infinity, MINUTE_MS / 2),
					retryUnknown: fc.boolean(),
				}),
				{ minLength: 1, maxLength: 4 },
			),
			startMs,
		})
		.map(({ world, ...rest }) => ({ world: { ...PLAIN, ...world, kind }, ...rest }));

/** Runs that only the limit holds back. */
const atLimit = (
	kind: Kind,
	worlds: fc.Arbitrary<WorldOf<'limit'>>,
	all: fc.Arbitrary<Run[]>,
): fc.Arbitrary<Scene> =>
	fc
		.tuple(worlds, all, fc.record({ skewMs, seed }), startMs)
		.map(([world, plans, rest, ms]) => sceneOf({ kind, ...rest, ...world }, plans, ms));

/** Spread evenly like real messages and runs; otherwise fast-check prefers the smallest and the largest. */
const evenly = (min: number, max: number) => fc.noBias(whole(min, max));

/** One run of 200 to 5,000 requests at 500 a minute, the first since the process began. */
export const ofAnySize = (kind: Kind): fc.Arbitrary<Scene> =>
	atLimit(kind, fc.constant({ limit: 500 }), fc.tuple(fc.record({ requests: evenly(200, 5_000) })));

/** One large run without other clients of the account. */
export const alone = (kind: Kind, limit: Range, more: Partial<World> = {}): fc.Arbitrary<Scene> =>
	atLimit(
		kind,
		fc.record({ limit: whole(...limit), latencyMs }).map((world) => ({ ...world, ...more })),
		fc.tuple(fc.record({ minutes: between(14, 15), concurrency: whole(2, 30) })),
	);

const oneMessage = fc.record({ startMs: evenly(0, 3 * MINUTE_MS), requests: fc.constant(1) });

/** A large run of any size, and small ones that start while it is under way. The first plan is the large one. */
export const smallBehindLarge = (kind: Kind): fc.Arbitrary<Scene> =>
	atLimit(
		kind,
		fc.record({ limit: whole(400, 450) }),
		fc
			.tuple(evenly(4_000, 5_000), fc.array(oneMessage, { minLength: 32, maxLength: 32 }))
			.map(([size, small]) => [{ minutes: size / 1_000 }, ...small]),
	);

/** Runs that start at the same time, each in one of these processes. */
export const together = (
	kind: Kind,
	processes: readonly number[],
	limit: Range,
	minutes: Range = [4, 5],
): fc.Arbitrary<Scene> =>
	fc
		.record({ limit: whole(...limit), all: between(...minutes), skewMs, seed, startMs })
		.map(({ all, startMs: ms, ...world }) => {
			const plan = { minutes: all / processes.length };
			return sceneOf(
				{ ...world, kind },
				processes.map((process) => ({ ...plan, process })),
				ms,
			);
		});

const unlimited = { kind: 'sliding', limit: 1_000_000 } as const;

/** Runs that no limit holds back, so that only the service does. */
const failing = (
	worlds: fc.Arbitrary<Partial<World>>,
	all: fc.Arbitrary<Run[]>,
): fc.Arbitrary<Scene> =>
	fc
		.tuple(worlds, fc.record({ latencyMs, seed }), all)
		.map(([own, rest, plans]) => sceneOf({ ...unlimited, ...rest, ...own }, plans));

const lost = fc.constantFrom<Outage['kind']>('status', 'refused', 'reset', 'hang', 'webPage');
const concurrency = whole(1, 100);

/** Runs of one process, each long enough to meet an outage in the first seconds. */
const runs = (maxLength: number, places = concurrency) => {
	const run = { startMs: whole(0, 3_000), requests: whole(100, 300), concurrency: places };
	return fc.array(fc.record(run), { minLength: 1, maxLength });
};

const oneOutage = (kind: fc.Arbitrary<Outage['kind']>, from: Range = [0, 5_000]) =>
	fc
		.record({ fromMs: whole(...from), lastsMs: whole(100, 600_000), kind })
		.map(({ lastsMs, ...one }): Outage[] => [{ ...one, toMs: one.fromMs + lastsMs }]);
/** After a success. */
const inBetween = oneOutage(lost, [4_500, 8_000]);
const threeTimes = (min: number, max: number) =>
	fc.array(fc.integer({ min, max }), { minLength: 3, maxLength: 3 });

/** One outage of up to ten minutes, after a success, while health checks are answered or not. */
export const duringAnOutage = (answersHealthChecks: boolean): fc.Arbitrary<Scene> =>
	failing(
		fc.record({ outages: inBetween, answersHealthChecks: fc.constant(answersHealthChecks) }),
		runs(answersHealthChecks ? 3 : 5),
	);

/** A list that meets an outage of 20 s, beside three runs of the same brand with an old key. */
export function besideOldKeys(answersHealthChecks: boolean): fc.Arbitrary<Scene> {
	const outages: Outage[] = [{ fromMs: 3_000, toMs: 23_000, kind: 'status' }];
	const old = { requests: 60, hasOldKey: true, maxWaitMs: HOUR_MS };
	const list = { requests: 5_000, maxWaitMs: HOUR_MS };
	return failing(
		fc.constant({ outages, answersHealthChecks }),
		threeTimes(3_000, 25_000).map((all) => [list, ...all.map((ms) => ({ ...old, startMs: ms }))]),
	);
}

/** The service has been down for some time when the first run begins. */
export const downFromTheStart = failing(
	oneOutage(fc.constantFrom('status', 'refused', 'reset', 'hang')).map((outages) => ({
		outages: outages.map((outage) => ({ ...outage, fromMs: 0 })),
	})),
	runs(3),
);

const part = fc.record({ upMs: whole(500, 40_000), downMs: whole(100, 40_000), kind: lost });

/** Up to eight outages, some of them shorter than the health check's delay. */
export const whileFlapping = failing(
	fc.array(part, { minLength: 2, maxLength: 8 }).map((parts) => {
		let toMs = 5_000;
		const outages = parts.map(({ upMs, downMs, kind }): Outage => {
			const fromMs = toMs + upMs;
			toMs = fromMs + downMs;
			return { fromMs, toMs, kind };
		});
		return { outages };
	}),
	runs(3),
);

const ofADay = { fromMs: 0, toMs: 24 * HOUR_MS };

/** Half of all answers or more are failures, at random. */
export const duringABrownOut = failing(
	between(0.5, 0.9).map((share) => ({ outages: [{ ...ofADay, kind: 'status', share }] })),
	fc.constant([{ requests: 3_000, maxWaitMs: HOUR_MS }]),
);

/** Every fiftieth request fails, or none. */
export const withoutAnOutage = failing(
	fc.constantFrom(0, 50).map((failsEvery) => ({ failsEvery, outages: [] })),
	runs(5, whole(1, 30)),
);

/** A run with rows that always fail, neighbours anywhere in it, at most `concurrency` + 10 of them. */
export const withBadRows: fc.Arbitrary<Scene> = fc
	.record({ places: concurrency, part: between(0, 1), from: fc.nat(400) })
	.chain(({ places, part, from }) => {
		const count = 4 + Math.floor((places + 7) * part);
		// At the start, a run has 10 in flight, and two more for each success.
		const early = Math.min(count, 20 + 2 * from);
		return failing(
			fc.constant({ outages: [], badRows: { from, count: early } }),
			fc.constant([{ requests: 1_000, concurrency: places, maxWaitMs: HOUR_MS }]),
		);
	});

/** A hundred executions of one message each, such as those of a webhook. */
export const oneRowRuns = failing(
	fc.record({ outages: oneOutage(lost), answersHealthChecks: fc.boolean() }),
	whole(20, 500).map((gapMs) => {
		const plan = { requests: 1, isAwaited: true, maxWaitMs: HOUR_MS };
		return Array.from({ length: 100 }, (_, index) => ({ ...plan, startMs: index * gapMs }));
	}),
);

/** Some of the runs are stopped, whatever they do at that moment. */
export const whileRunsAreStopped = failing(
	fc.record({ outages: inBetween, answersHealthChecks: fc.boolean() }),
	fc
		.tuple(runs(1), runs(3), threeTimes(3_000, 60_000))
		.map(([first, others, stops]) => [
			...first,
			...others.map((run, index) => ({ ...run, stopMs: stops[index] })),
		]),
);

/** From the start, every message and health check ends in this way. */
export function fromTheStart(of: Outage['kind'], answersHealthChecks = false): fc.Arbitrary<Scene> {
	return failing(
		fc.constant({ outages: [{ ...ofADay, kind: of }], answersHealthChecks }),
		concurrency.map((places) => [{ requests: 300, concurrency: places, maxWaitMs: HOUR_MS }]),
	);
}
