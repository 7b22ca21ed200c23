import fc from 'fast-check';

import { seededRandom } from '../../../sandbox/random';
import { KINDS, type Plan, PLAIN, type World } from './simulation';

/** A world, what is run in it, and when. */
export interface Scene {
	world: World;
	plans: Plan[];
	startMs: number;
}

const MINUTE_MS = 60_000;

const kind = fc.constantFrom(...KINDS);
const seed = fc.integer({ min: 0, max: 2 ** 31 });
const skewMs = fc.integer({ min: -100_000, max: 100_000 });
/** Where in the minute it begins. */
const startMs = fc.integer({ min: 0, max: MINUTE_MS - 1 }).map((ms) => 1_000_000 * MINUTE_MS + ms);
const latencyMs = fc
	.tuple(fc.integer({ min: 5, max: 200 }), fc.integer({ min: 0, max: 1_000 }))
	.map(([from, spread]) => ({ from, to: from + spread }));
const share = (max: number) => fc.double({ min: 0, max, noNaN: true });

/** Anything that may happen: other users, missing headers, faults, several runs and processes. */
export const anything: fc.Arbitrary<Scene> = fc.record({
	world: fc.record({
		kind,
		limit: fc.integer({ min: 5, max: 200 }),
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
			gate: fc.integer({ min: 0, max: 1 }),
			maxWaitMs: fc.constantFrom(Infinity, Infinity, MINUTE_MS / 2),
			retryUnknown: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 4 },
	),
	startMs,
});

interface LargeRun {
	windows: { min: number; max: number };
	limit: { min: number; max: number };
	headerMissing?: number;
	concurrency?: { min: number; max: number };
}

/** One large run with the key to itself. */
export function alone({
	windows,
	limit,
	headerMissing = 0,
	concurrency = { min: 2, max: 30 },
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
			world: { ...PLAIN, ...world, headerMissing },
			plans: [
				{ startMs: 0, requests: Math.round(count * world.limit), concurrency: places, gate: 0 },
			],
			startMs: atMs,
		}));
}

/** A large run, and small ones that come while it is under way: the first plan is the large one. */
export const smallBehindLarge: fc.Arbitrary<Scene> = fc
	.record({
		kind,
		limit: fc.integer({ min: 400, max: 450 }),
		skewMs,
		seed,
		startMs,
	})
	.map(({ startMs: atMs, ...world }) => {
		// Evenly, as messages come; fast-check would have them at the same few instants.
		const random = seededRandom(world.seed + 2);
		const small = Array.from({ length: 32 }, () => ({
			startMs: Math.floor(random() * 3 * MINUTE_MS),
			requests: 1,
			concurrency: 10,
			gate: 0,
		}));
		const large = { startMs: 0, requests: 4 * world.limit, concurrency: 10, gate: 0 };
		return { world: { ...PLAIN, ...world }, plans: [large, ...small], startMs: atMs };
	});

/** Several runs that begin at once: `gate` says which share one. */
export function together(
	runs: number,
	gateOf: (run: number) => number,
	limit: { min: number; max: number },
): fc.Arbitrary<Scene> {
	return fc
		.record({
			kind,
			limit: fc.integer(limit),
			windows: fc.double({ min: 4, max: 5, noNaN: true }),
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
				gate: gateOf(run),
			})),
			startMs: atMs,
		}));
}
