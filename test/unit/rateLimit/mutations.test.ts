import fc from 'fast-check';

import type { Feedback } from '../../../nodes/CustomerMessaging/rateLimit/feedback';
import { type Departure, Quota } from '../../../nodes/CustomerMessaging/rateLimit/quota';
import { type Permit, RateLimiter } from '../../../nodes/CustomerMessaging/rateLimit/rateLimiter';
import { propertySeed } from '../../propertyRuns';
import { isFastWithFewRefusals, type LimiterMaker, sharesAProcess } from './support/bounds';
import { followsItsLog } from './support/ownLogModel';
import { alone, type Scene, together } from './support/worlds';

/** Simulations take long on a crowded machine. */
jest.setTimeout(1_800_000);

/** Enough for each mistake to show; the search ends at the first failure. */
const MAX_RUNS = 500;

async function isNoticed(
	scenes: fc.Arbitrary<Scene>,
	holds: (scene: Scene, make?: LimiterMaker) => Promise<void>,
	mistaken?: LimiterMaker,
) {
	const property = fc.asyncProperty(scenes, async (scene) => await holds(scene, mistaken));
	const { failed } = await fc.check(property, {
		numRuns: MAX_RUNS,
		seed: propertySeed,
		endOnFailure: true,
	});
	expect(failed).toBe(true);
}

class IgnoringInFlight extends Quota {
	override room(_inFlight: number, reserve: number, nowMs: number): number {
		return super.room(0, reserve, nowMs);
	}
}

/** Treats every response as that of the latest request. */
class InOrderOfArrival extends Quota {
	override counted(header: number | undefined, _departure: Departure, nowMs: number): void {
		super.counted(header, this.depart(nowMs), nowMs);
	}
}

class CountingRefusals extends RateLimiter {
	constructor(
		limit: number,
		private readonly estimate = new Quota(limit),
	) {
		super(limit, estimate);
	}

	override release(permit: Permit, feedback: Feedback, nowMs: number): void {
		if (feedback.kind === 'refused') this.estimate.counted(undefined, permit, nowMs);
		super.release(permit, feedback, nowMs);
	}
}

const windows = { min: 14, max: 15 };
const limit = { min: 50, max: 70 };

describe('The property tests of pacing', () => {
	it('fail if the limiter ignores what is in flight', async () => {
		await isNoticed(
			alone({ windows, limit }),
			isFastWithFewRefusals,
			(perMinute) => new RateLimiter(perMinute, new IgnoringInFlight(perMinute)),
		);
	});

	it('fail if the limiter believes headers in the order of their arrival', async () => {
		await isNoticed(
			alone({ windows, limit, concurrency: { min: 20, max: 30 } }),
			isFastWithFewRefusals,
			(perMinute) => new RateLimiter(perMinute, new InOrderOfArrival(perMinute)),
		);
	});

	it('fail if every run has a limiter of its own', async () => {
		await isNoticed(
			together(5, (run) => run, limit),
			sharesAProcess,
		);
	});

	it('fail if refused requests count as accepted', () => {
		const { failed } = fc.check(
			followsItsLog((perMinute) => new CountingRefusals(perMinute)),
			{ numRuns: MAX_RUNS, seed: propertySeed },
		);
		expect(failed).toBe(true);
	});
});
