import fc from 'fast-check';

import { seededRandom } from '../../../../sandbox/random';
import { MINUTE_MS } from '../../../../nodes/CustomerMessaging/shared/time';
import { type Kind, KINDS } from '../../../../simulation/serverLimit';
import type { Plan } from '../../../../simulation/simulate';
import { PLAIN, type World } from '../../../../simulation/world';

/** A world, the runs in it, and when they start. */
export interface Scene {
	world: World;
	plans: Plan[];
	startMs: number;
}

const kind = fc.constantFrom(...KINDS);
const seed = fc.integer({ min: 0, max: 2 ** 31 });
const skewMs = fc.integer({ min: -100_000, max: 100_000 });
/** At any time within the minute. */
const startMs = fc.integer({ min: 0, max: MINUTE_MS - 1 }).map((ms) => 1_000_000 * MINUTE_MS + ms);
const latencyMs = fc
	.tuple(fc.integer({ min: 5, max: 200 }), fc.integer({ min: 0, max: 1_000 }))
	.map(([from, spread]) => ({ from, to: from + spread }));
const share = (max: number) => fc.double({ min: 0, max, noNaN: true });

/** Anything that can happen: other clients, missing headers, faults, several runs and processes. */
export const anything: fc.Arbitrary<Scene> = fc.record({
	world: fc.record({
		kind,
		limit: fc.integer({ min: 5, max: 200 }),
		others: fc.oneof(fc.constant(0), share(0.8)),
		skewMs,
		headerMissing: fc.constantFrom(0, 0.3, 0.9, 1),
		header: fc.constant(PLAIN.header),
		dateMissing: fc.boolean(),
		latencyMs,
		failsEvery: fc.constant(0),
		outages: fc.constant([]),
		answersQuestions: fc.constant(false),
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
});

/** One run of 200 to 5,000 requests at 500 a minute, the first since the process began. */
export function ofAnySize(of: Kind): fc.Arbitrary<Scene> {
	return fc.record({ skewMs, seed, startMs }).map(({ startMs: atMs, ...world }) => {
		// Spread evenly; fast-check prefers the smallest and the largest sizes.
		const requests = 200 + Math.floor(4_801 * seededRandom(world.seed + 3)());
		return {
			world: { ...PLAIN, ...world, kind: of, limit: 500 },
			plans: [{ startMs: 0, requests, concurrency: 10, process: 0 }],
			startMs: atMs,
		};
	});
}

interface LargeRun {
	windows: { min: number; max: number };
	limit: { min: number; max: number };
	headerMissing?: number;
	concurrency?: { min: number; max: number };
	header?: World['header'];
}

/** One large run without other clients of the account. */
export function alone({
	windows,
	limit,
	headerMissing = 0,
	concurrency = { min: 2, max: 30 },
	header = PLAIN.header,
}: LargeRun): fc.Arbitrary<Scene> {
	return fc
		.record({
			kind,
			limit: fc.integer(limit),
			windows: fc.double({ ...windows, noNaN: true }),
			concurrency: fc.integer(concurrency),
			latencyMs,
			skewMs,
			seed,
			startMs,
		})
		.map(({ windows: count, concurrency: places, startMs: atMs, ...world }) => ({
			world: { ...PLAIN, ...world, headerMissing, header },
			plans: [
				{ startMs: 0, requests: Math.round(count * world.limit), concurrency: places, process: 0 },
			],
			startMs: atMs,
		}));
}

/** A large run of any size, and small ones that start while it is under way. The first plan is the large one. */
export const smallBehindLarge: fc.Arbitrary<Scene> = fc
	.record({
		kind,
		limit: fc.integer({ min: 400, max: 450 }),
		skewMs,
		seed,
		startMs,
	})
	.map(({ startMs: atMs, ...world }) => {
		// Spread evenly like real messages and runs; fast-check prefers a few equal values.
		const random = seededRandom(world.seed + 2);
		const windows = 4 + random();
		const small = Array.from({ length: 32 }, () => ({
			startMs: Math.floor(random() * 3 * MINUTE_MS),
			requests: 1,
			concurrency: 10,
			process: 0,
		}));
		const large = {
			startMs: 0,
			requests: Math.round(windows * world.limit),
			concurrency: 10,
			process: 0,
		};
		return { world: { ...PLAIN, ...world }, plans: [large, ...small], startMs: atMs };
	});

/** Several runs that start at the same time, some of them in the same process. */
export function together(
	runs: number,
	processOf: (run: number) => number,
	limit: { min: number; max: number },
	minutes = { min: 4, max: 5 },
): fc.Arbitrary<Scene> {
	return fc
		.record({
			kind,
			limit: fc.integer(limit),
			windows: fc.double({ ...minutes, noNaN: true }),
			skewMs,
			seed,
			startMs,
		})
		.map(({ windows, startMs: atMs, ...world }) => ({
			world: { ...PLAIN, ...world },
			plans: Array.from({ length: runs }, (_, run) => ({
				startMs: 0,
				requests: Math.round((windows * world.limit) / runs),
				concurrency: 10,
				process: processOf(run),
			})),
			startMs: atMs,
		}));
}
