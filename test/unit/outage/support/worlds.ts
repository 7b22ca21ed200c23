import fc from 'fast-check';

import type { Plan } from '../../../../simulation/simulate';
import { type Outage, PLAIN } from '../../../../simulation/world';
import type { Scene } from '../../rateLimit/support/worlds';

const seed = fc.integer({ min: 0, max: 2 ** 31 });
const concurrency = fc.integer({ min: 1, max: 30 });
const latencyMs = fc
	.tuple(fc.integer({ min: 5, max: 200 }), fc.integer({ min: 0, max: 1_000 }))
	.map(([from, spread]) => ({ from, to: from + spread }));
const kind = fc.constantFrom(
	'status' as const,
	'refused' as const,
	'reset' as const,
	'hang' as const,
);

/** No limit that would hold anything back, so that only outages do. */
const unlimited = { ...PLAIN, kind: 'sliding' as const, limit: 1_000_000 };

const startMs = 1_000_000 * 60_000;

interface World {
	outages: readonly Outage[];
	failsEvery?: number;
	answersQuestions?: boolean;
}

function scenes(world: fc.Arbitrary<World>, plans: fc.Arbitrary<Plan[]>): fc.Arbitrary<Scene> {
	return fc
		.record({ world, plans, latencyMs, seed })
		.map(({ world: own, plans: runs, ...rest }) => ({
			world: { ...unlimited, ...own, ...rest },
			plans: runs,
			startMs,
		}));
}

/** Runs of one process, each long enough to meet an outage in the first seconds. */
function runs(maxLength: number): fc.Arbitrary<Plan[]> {
	const plan = fc.record({
		startMs: fc.integer({ min: 0, max: 3_000 }),
		requests: fc.integer({ min: 100, max: 300 }),
		concurrency,
		process: fc.constant(0),
	});
	return fc.array(plan, { minLength: 1, maxLength });
}

const oneOutage = fc
	.record({
		fromMs: fc.integer({ min: 0, max: 5_000 }),
		lastsMs: fc.integer({ min: 100, max: 600_000 }),
		kind,
	})
	.map(({ fromMs, lastsMs, ...rest }): Outage => ({ fromMs, toMs: fromMs + lastsMs, ...rest }));

/** One outage of up to ten minutes. */
export const duringAnOutage = scenes(
	oneOutage.map((outage) => ({ outages: [outage] })),
	runs(5),
);

/** Up to eight outages, some of them shorter than the question's delay. */
export const whileFlapping = scenes(
	fc
		.array(
			fc.record({
				upMs: fc.integer({ min: 500, max: 40_000 }),
				downMs: fc.integer({ min: 100, max: 40_000 }),
				kind,
			}),
			{ minLength: 2, maxLength: 8 },
		)
		.map((parts) => {
			let ms = 0;
			const outages = parts.map(({ upMs, downMs, kind: how }): Outage => {
				const fromMs = ms + upMs;
				ms = fromMs + downMs;
				return { fromMs, toMs: ms, kind: how };
			});
			return { outages };
		}),
	runs(3),
);

/** The service answers questions while every message fails. */
export const whileOnlyMessagesFail = scenes(
	oneOutage.map((outage) => ({
		outages: [{ ...outage, fromMs: 0, toMs: 3_600_000 }],
		answersQuestions: true,
	})),
	runs(1),
);

/** Every fiftieth request fails, or none. */
export const withoutAnOutage = scenes(
	fc.constantFrom(0, 50).map((failsEvery) => ({ failsEvery, outages: [] })),
	runs(5),
);

/** A hundred executions of one message each, such as those of a webhook. */
export const manySmallRuns = scenes(
	oneOutage.map((outage) => ({ outages: [outage] })),
	fc.integer({ min: 20, max: 500 }).map((gapMs) =>
		Array.from({ length: 100 }, (_, index) => ({
			startMs: index * gapMs,
			requests: 1,
			concurrency: 10,
			process: 0,
			maxOutageWaitMs: 30_000,
		})),
	),
);
