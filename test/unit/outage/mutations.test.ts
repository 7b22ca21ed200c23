import fc from 'fast-check';

import type { Breaker } from '../../../nodes/CustomerMessaging/delivery/dispatchOptions';
import {
	CircuitBreaker,
	type Member,
	type Sign,
} from '../../../nodes/CustomerMessaging/outage/circuitBreaker';
import { FailureStreak } from '../../../nodes/CustomerMessaging/outage/failureStreak';
import type { BreakerMaker } from '../../../simulation/simulate';
import { propertySeed } from '../../propertyRuns';
import type { Scene } from '../rateLimit/support/worlds';
import { leavesFewInDoubt, resumes, staysOutOfTheWay } from './support/bounds';
import { duringAnOutage, manySmallRuns, withoutAnOutage } from './support/worlds';

/** Enough for each mistake to show; the search ends at the first failure. */
const MAX_RUNS = 200;
jest.setTimeout(120_000);

async function isNoticed(
	scenes: fc.Arbitrary<Scene>,
	holds: (scene: Scene, make: BreakerMaker) => Promise<unknown>,
	mistaken: BreakerMaker,
) {
	const property = fc.asyncProperty(scenes, async (scene) => void (await holds(scene, mistaken)));
	const { failed } = await fc.check(property, {
		numRuns: MAX_RUNS,
		seed: propertySeed,
		endOnFailure: true,
	});
	expect(failed).toBe(true);
}

class NeverClosing extends CircuitBreaker {
	override answer(member: Member, sign: Sign, nowMs: number): void {
		super.answer(member, sign === 'works' ? 'fails' : sign, nowMs);
	}
}

/** Gives each run a circuit breaker of its own. */
function eachForItself(): Breaker {
	const breakers = new Map<Member, CircuitBreaker>();
	const of = (member: Member) => breakers.get(member) ?? new CircuitBreaker();
	return {
		join(concurrency, wake) {
			const breaker = new CircuitBreaker();
			const member = breaker.join(concurrency, wake);
			breakers.set(member, breaker);
			return member;
		},
		leave: (member) => of(member).leave(member),
		decide: (member, nowMs) => of(member).decide(member, nowMs),
		depart: (member, row, nowMs) => of(member).depart(member, row, nowMs),
		end: (flight, ...rest) => of(flight.member).end(flight, ...rest),
		ask: (member, nowMs) => of(member).ask(member, nowMs),
		answer: (member, ...rest) => of(member).answer(member, ...rest),
		retryAtMs: () => 0,
	};
}

describe('The property tests of outages', () => {
	it('fail if the circuit breaker never opens', async () => {
		await isNoticed(
			duringAnOutage,
			leavesFewInDoubt,
			() => new CircuitBreaker(new FailureStreak(Infinity)),
		);
	});

	it('fail if it never closes', async () => {
		await isNoticed(duringAnOutage, resumes, () => new NeverClosing());
	});

	it('fail if one failure opens it', async () => {
		await isNoticed(
			withoutAnOutage,
			staysOutOfTheWay,
			() => new CircuitBreaker(new FailureStreak(1)),
		);
	});

	it('fail if every run has a circuit breaker of its own', async () => {
		await isNoticed(manySmallRuns, leavesFewInDoubt, eachForItself);
	});
});
