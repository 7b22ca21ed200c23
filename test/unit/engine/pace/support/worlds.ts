import fc from 'fast-check';

import { MINUTE_MS } from '../../../../../nodes/CustomerMessaging/shared/slices';
import { seededRandom } from '../../../../../sandbox/random';
import type { Plan } from '../../../../../simulation/pacedRun';
import { type Kind, KINDS } from '../../../../../simulation/serverLimit';
import { type Outage, PLAIN, type World } from '../../../../../simulation/world';
import { propertyRuns, propertySeed } from '../../../../propertyRuns';

export const HOUR_MS = 60 * MINUTE_MS;

/** A world, the runs in it, and when they start. */
export interface Scene {
	world: World;
	plans: Plan[];
	startMs: number;
}

const usual = { startMs: 0, concurrency: 10, process: 0 };

/** What is not said of a world is plain, and runs start at once. */
export function sceneOf(
	world: Partial<World> & Pick<World, 'kind' | 'limit' | 'seed'>,
	startMs: number,
	plans: Array<Partial<Plan> & Pick<Plan, 'requests'>>,
): Scene {
	const all = plans.map((plan) => ({ ...usual, ...plan }));
	return { world: { ...PLAIN, ...world }, plans: all, startMs };
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

const seed = fc.integer({ min: 0, max: 2 ** 31 });
const skewMs = fc.integer({ min: -100_000, max: 100_000 });
/** At any time within the minute. */
const startMs = fc.integer({ min: 0, max: MINUTE_MS - 1 }).map((ms) => 1_000_000 * MINUTE_MS + ms);
const latencyMs = fc
	.tuple(fc.integer({ min: 5, max: 200 }), fc.integer({ min: 0, max: 1_000 }))
	.map(([from, spread]) => ({ from, to: from + spread }));
const share = (max: number) => fc.double({ min: 0, max, noNaN: true });

/** Anything that can happen: other clients, a limit by the second, missing headers, faults, several runs and processes. */
export const anything = (kind: Kind): fc.Arbitrary<Scene> =>
	fc
		.record({
			world: fc.record({
				limit: fc.integer({ min: 5, max: 200 }),
				perSecond: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 20 })),
				others: fc.oneof(fc.constant(0), share(0.8)),
				skewMs,
				headerMissing: fc.constantFrom(0, 0.3, 0.9, 1),
				dateMissing: fc.boolean(),
				latencyMs,
				faults: fc.oneof(
					fc.constant(PLAIN.faults),
					fc.record({ refused: share(0.1), broken: share(0.1), serverError: share(0.1) }),
				),
				seed,
			}),
			plans: fc.array(
				fc.record({
					startMs: fc.integer({ min: 0, max: MINUTE_MS }),
					requests: fc.integer({ min: 0, max: 250 }),
					concurrency: fc.integer({ min: 1, max: 30 }),
					process: fc.integer({ min: 0, max: 1 }),
					maxWaitMs: fc.constantFrom(Infinity, Infinity, MINUTE_MS / 2),
					retryUnknown: fc.boolean(),
				}),
				{ minLength: 1, maxLength: 4 },
			),
			startMs,
		})
		.map(({ world, ...rest }) => ({ world: { ...PLAIN, ...world, kind }, ...rest }));

/** One run of 200 to 5,000 requests at 500 a minute, the first since the process began. */
export const ofAnySize = (kind: Kind): fc.Arbitrary<Scene> =>
	fc.record({ skewMs, seed, startMs }).map(({ startMs: atMs, ...world }) => {
		// Spread evenly; fast-check prefers the smallest and the largest sizes.
		const requests = 200 + Math.floor(4_801 * seededRandom(world.seed + 3)());
		return sceneOf({ ...world, kind, limit: 500 }, atMs, [{ requests }]);
	});

interface Range {
	min: number;
	max: number;
}

/** One large run without other clients of the account. */
export const alone = (
	kind: Kind,
	windows: Range,
	limit: Range,
	more: Partial<World> = {},
): fc.Arbitrary<Scene> =>
	fc
		.record({
			limit: fc.integer(limit),
			windows: fc.double({ ...windows, noNaN: true }),
			places: fc.integer({ min: 2, max: 30 }),
			...{ latencyMs, skewMs, seed, startMs },
		})
		.map(({ windows: count, places, startMs: atMs, ...world }) => {
			const plan = { requests: Math.round(count * world.limit), concurrency: places };
			return sceneOf({ ...world, ...more, kind }, atMs, [plan]);
		});

/** A large run of any size, and small ones that start while it is under way. The first plan is the large one. */
export const smallBehindLarge = (kind: Kind): fc.Arbitrary<Scene> =>
	fc
		.record({ limit: fc.integer({ min: 400, max: 450 }), skewMs, seed, startMs })
		.map(({ startMs: atMs, ...world }) => {
			// Spread evenly like real messages and runs; fast-check prefers a few equal values.
			const random = seededRandom(world.seed + 2);
			const requests = Math.round((4 + random()) * world.limit);
			const starts = Array.from({ length: 32 }, () => Math.floor(random() * 3 * MINUTE_MS));
			const small = starts.map((startsMs) => ({ startMs: startsMs, requests: 1 }));
			return sceneOf({ ...world, kind }, atMs, [{ requests }, ...small]);
		});

/** Several runs that start at the same time, some of them in the same process. */
export const together = (
	kind: Kind,
	runs: number,
	processOf: (run: number) => number,
	limit: Range,
	minutes: Range = { min: 4, max: 5 },
): fc.Arbitrary<Scene> =>
	fc
		.record({
			limit: fc.integer(limit),
			windows: fc.double({ ...minutes, noNaN: true }),
			...{ skewMs, seed, startMs },
		})
		.map(({ windows, startMs: atMs, ...world }) => {
			const requests = Math.round((windows * world.limit) / runs);
			const planOf = (_: unknown, run: number) => ({ requests, process: processOf(run) });
			return sceneOf({ ...world, kind }, atMs, Array.from({ length: runs }, planOf));
		});

/** No limit that would hold anything back, so that only the service does. */
const unlimited = { kind: 'sliding', limit: 1_000_000 } as const;

const failing = (
	worlds: fc.Arbitrary<Partial<World>>,
	plans: fc.Arbitrary<Array<Partial<Plan> & Pick<Plan, 'requests'>>>,
): fc.Arbitrary<Scene> =>
	fc
		.record({ worlds, plans, latencyMs, seed })
		.map(({ worlds: own, plans: runs, ...rest }) =>
			sceneOf({ ...unlimited, ...rest, ...own }, 1_000_000 * MINUTE_MS, runs),
		);

const lost = fc.constantFrom<Outage['kind']>('status', 'refused', 'reset', 'hang', 'webPage');
const concurrency = fc.integer({ min: 1, max: 100 });

/** Runs of one process, each long enough to meet an outage in the first seconds. */
const runs = (maxLength: number) =>
	fc.array(
		fc.record({
			startMs: fc.integer({ min: 0, max: 3_000 }),
			requests: fc.integer({ min: 100, max: 300 }),
			concurrency,
		}),
		{ minLength: 1, maxLength },
	);

const oneOutage = (kind: fc.Arbitrary<Outage['kind']>, from = { min: 0, max: 5_000 }) =>
	fc
		.record({ fromMs: fc.integer(from), lastsMs: fc.integer({ min: 100, max: 600_000 }), kind })
		.map(({ lastsMs, ...one }): Outage[] => [{ ...one, toMs: one.fromMs + lastsMs }]);
/** After a success. */
const inBetween = oneOutage(lost, { min: 4_500, max: 8_000 });
const threeTimes = (min: number, max: number) =>
	fc.array(fc.integer({ min, max }), { minLength: 3, maxLength: 3 });

/** One outage of up to ten minutes, after a success, while health checks are answered or not. */
export const duringAnOutage = (answersHealthChecks: boolean): fc.Arbitrary<Scene> =>
	failing(
		inBetween.map((outages) => ({ outages, answersHealthChecks })),
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
	oneOutage(fc.constantFrom('status', 'refused', 'reset', 'hang')).map(([outage]) => ({
		outages: outage ? [{ ...outage, fromMs: 0 }] : [],
	})),
	runs(3),
);

/** Up to eight outages, some of them shorter than the health check's delay. */
export const whileFlapping = failing(
	fc
		.array(
			fc.record({
				upMs: fc.integer({ min: 500, max: 40_000 }),
				downMs: fc.integer({ min: 100, max: 40_000 }),
				kind: lost,
			}),
			{ minLength: 2, maxLength: 8 },
		)
		.map((parts) => {
			let ms = 5_000;
			const outages = parts.map(({ upMs, downMs, kind }): Outage => {
				return { fromMs: (ms += upMs), toMs: (ms += downMs), kind };
			});
			return { outages };
		}),
	runs(3),
);

/** Half of all answers or more are failures, at random. */
export const duringABrownOut = failing(
	fc.record({
		outages: fc
			.double({ min: 0.5, max: 0.9, noNaN: true })
			.map((share) => [{ fromMs: 0, toMs: 24 * HOUR_MS, kind: 'status' as const, share }]),
	}),
	fc.constant([{ requests: 3_000, maxWaitMs: HOUR_MS }]),
);

/** Every fiftieth request fails, or none. */
export const withoutAnOutage = failing(
	fc.constantFrom(0, 50).map((failsEvery) => ({ failsEvery, outages: [] })),
	runs(5).map((all) => all.map((plan) => ({ ...plan, concurrency: (plan.concurrency % 30) + 1 }))),
);

/** A run with rows that always fail, neighbours anywhere in it, at most `concurrency` + 10 of them. */
export const withBadRows: fc.Arbitrary<Scene> = fc
	.record({
		places: concurrency,
		part: fc.double({ min: 0, max: 1, noNaN: true }),
		from: fc.nat(400),
	})
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
	fc.integer({ min: 20, max: 500 }).map((gapMs) => {
		const plan = { requests: 1, isAwaited: true, maxWaitMs: HOUR_MS };
		return Array.from({ length: 100 }, (_, index) => ({ ...plan, startMs: index * gapMs }));
	}),
);

/** Some of the runs are stopped, whatever they do at that moment. */
export const whileRunsAreStopped: fc.Arbitrary<Scene> = fc
	.tuple(
		failing(
			fc.record({ outages: inBetween, answersHealthChecks: fc.boolean() }),
			fc.tuple(runs(3), runs(1)).map(([some, last]) => [...last, ...some]),
		),
		threeTimes(3_000, 60_000),
	)
	.map(([scene, stops]) => {
		const [first, ...others] = scene.plans;
		const stopped = others.map((plan, index) => ({ ...plan, stopMs: stops[index] }));
		return { ...scene, plans: first ? [first, ...stopped] : [] };
	});

/** From the start, every message and health check ends in this way. */
export function fromTheStart(of: Outage['kind'], answersHealthChecks = false): fc.Arbitrary<Scene> {
	return failing(
		fc.constant({ outages: [{ fromMs: 0, toMs: 24 * HOUR_MS, kind: of }], answersHealthChecks }),
		concurrency.map((places) => [{ requests: 300, concurrency: places, maxWaitMs: HOUR_MS }]),
	);
}
