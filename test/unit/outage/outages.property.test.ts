import fc from 'fast-check';

import { propertyRuns, propertySeed } from '../../propertyRuns';
import type { Scene } from '../rateLimit/support/worlds';
import { leavesFewInDoubt, resumes, staysOutOfTheWay } from './support/bounds';
import {
	duringAnOutage,
	manySmallRuns,
	whileFlapping,
	whileOnlyMessagesFail,
	withoutAnOutage,
} from './support/worlds';

/** Simulations take long on a crowded machine. */
jest.setTimeout(1_800_000);

async function always(scenes: fc.Arbitrary<Scene>, holds: (scene: Scene) => Promise<unknown>) {
	const property = fc.asyncProperty(scenes, async (scene) => void (await holds(scene)));
	await fc.assert(property, { numRuns: propertyRuns, seed: propertySeed });
}

describe('On a virtual clock, the circuit breaker and the dispatcher', () => {
	it('leave few messages in doubt in an outage, resume within 30 s of its end, and send what waited', async () => {
		await always(duringAnOutage, resumes);
	});

	it('leave few messages in doubt in each outage of a service that keeps failing', async () => {
		await always(whileFlapping, leavesFewInDoubt);
	});

	it('end a run whose messages fail each time the service seems to be back', async () => {
		await always(whileOnlyMessagesFail, async (scene) => {
			const { runs } = await leavesFewInDoubt(scene);
			expect(runs[0]?.endedBecause).toBe('serviceUnavailable');
		});
	});

	it('ask nothing without an outage, and wait for one answer at most, even if one row in fifty fails', async () => {
		await always(withoutAnOutage, staysOutOfTheWay);
	});

	it('leave few messages in doubt if many small runs meet one outage', async () => {
		await always(manySmallRuns, leavesFewInDoubt);
	});
});
